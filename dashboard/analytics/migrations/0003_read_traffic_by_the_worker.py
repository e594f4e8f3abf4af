from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analytics", "0002_keep_traffic_by_day")]

    operations = [
        migrations.AddField("trafficlist", "wanted_at", models.DateTimeField(null=True)),
        migrations.AddField("trafficlist", "next_at", models.DateTimeField(null=True)),
        migrations.AddField("trafficlist", "reason", models.CharField(db_default="", max_length=40)),
    ]
