"""An import that is not confirmed says what its account knows of the link."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review_portal", "0006_reviewlink_allow_preview"),
    ]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="allow_comment",
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name="claim",
            name="allow_status_edit",
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name="claim",
            name="expires_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="claim",
            name="name",
            field=models.CharField(blank=True, db_default="", default="", max_length=255),
        ),
        migrations.AddField(
            model_name="claim",
            name="show_resolved",
            field=models.BooleanField(null=True),
        ),
    ]
