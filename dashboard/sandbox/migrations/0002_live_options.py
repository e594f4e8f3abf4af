from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sandbox", "0001_initial")]
    operations = [migrations.AddField("live", "options", models.JSONField(null=True))]
