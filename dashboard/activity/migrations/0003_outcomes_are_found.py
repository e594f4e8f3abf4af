"""Rows are found by how they ended: the overview asks at every visit which are not confirmed or wait."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("activity", "0002_a_write_may_wait")]

    operations = [
        migrations.AddIndex("entry", models.Index(fields=["account_id", "outcome", "-at"], name="activity_outcome")),
    ]
