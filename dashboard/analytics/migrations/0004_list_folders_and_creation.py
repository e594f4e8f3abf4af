from datetime import timedelta

from django.db import migrations, models
from django.db.models import F


def list_again(apps, schema_editor):
    """Let the worker list every account's videos again soon: what it listed until now has no folders."""
    listings = apps.get_model("analytics", "TrafficList").objects.exclude(completed_at=None)
    listings.update(completed_at=F("completed_at") - timedelta(days=1))


class Migration(migrations.Migration):
    dependencies = [("analytics", "0003_read_traffic_by_the_worker")]

    operations = [
        migrations.AddField("trafficvideo", "folder_id", models.CharField(db_default="", max_length=64)),
        migrations.AddField("trafficvideo", "created_at", models.DateTimeField(null=True)),
        migrations.RunPython(list_again, migrations.RunPython.noop, elidable=True),
    ]
