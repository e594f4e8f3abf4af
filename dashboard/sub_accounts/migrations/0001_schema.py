"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("sub_accounts", "0001_initial"),
        ("sub_accounts", "0002_creations_become_writes"),
        ("sub_accounts", "0003_play_records"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("days", models.JSONField(default=dict)),
                ("read_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=40)),
                ("refused", models.CharField(blank=True, max_length=64)),
                (
                    "account",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="play_record",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
    ]
