"""Links remember up to which version notices told of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0013_what_reviewers_watched")]

    operations = [
        migrations.AddField(
            model_name="reviewlink",
            name="noticed_version",
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
    ]
