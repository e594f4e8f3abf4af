from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sandbox", "0003_ai_resources")]
    operations = [migrations.AddField("live", "options", models.JSONField(null=True))]
