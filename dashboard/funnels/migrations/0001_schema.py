"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("funnels", "0001_initial"),
        ("funnels", "0002_sendings_become_writes"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_id", models.UUIDField()),
                ("funnel_id", models.CharField(max_length=64)),
                ("places", models.JSONField(default=dict)),
                ("added", models.JSONField(default=dict)),
                ("entry", models.CharField(blank=True, max_length=64)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account_id", "funnel_id"), name="one_draft_of_a_funnel")
                ],
            },
        ),
    ]
