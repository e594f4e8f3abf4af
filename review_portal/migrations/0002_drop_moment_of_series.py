"""A column of cut series that nobody read is gone."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0001_schema")]

    operations = [migrations.RemoveField("cutseries", "declared_at")]
