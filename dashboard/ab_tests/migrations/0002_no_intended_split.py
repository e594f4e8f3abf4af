"""The platform draws the variants with equal chance: no split of its traffic can be meant."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ab_tests", "0001_schema")]

    operations = [migrations.RemoveField(model_name="terms", name="expected")]
