"""The worker reads more than subtitles: its row has another name, in the same table, and says how far it is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("videos", "0001_subtitle_reading")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("SubtitleReading", "LibraryReading"),
                migrations.AlterModelTable("LibraryReading", "videos_subtitlereading"),
            ]
        ),
        migrations.AddField("LibraryReading", "videos", models.PositiveIntegerField(db_default=0)),
        migrations.AddField("LibraryReading", "read", models.PositiveIntegerField(db_default=0)),
        migrations.AddField("LibraryReading", "left", models.PositiveIntegerField(db_default=0)),
    ]
