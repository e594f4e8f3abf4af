"""An owner allows what chats and mails show of a link; nothing is shown until then."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0005_complete_activity_of_comments")]

    operations = [
        migrations.AddField(
            model_name="reviewlink",
            name="allow_preview",
            field=models.BooleanField(db_default=False, default=False),
        )
    ]
