"""An owner has the decisions on a link posted as comments where the video ends; nothing is posted until then."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0009_cuts")]

    operations = [
        migrations.AddField(
            model_name="reviewlink",
            name="send_decisions",
            field=models.BooleanField(db_default=False, default=False),
        )
    ]
