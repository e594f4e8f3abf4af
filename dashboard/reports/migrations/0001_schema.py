"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("reports", "0001_weekly_reports"),
        ("reports", "0002_gone_folder"),
        ("reports", "0003_stopped_report"),
        ("reports", "0004_refused_token"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
        ("notices", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="WeeklyReport",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("folder", models.CharField(blank=True, max_length=64)),
                ("query", models.CharField(blank=True, max_length=1000)),
                ("person", models.CharField(blank=True, max_length=120)),
                ("name", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("week", models.DateField()),
                ("gone_at", models.DateTimeField(blank=True, null=True)),
                ("refused", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="notices.subscription",
                    ),
                ),
            ],
        ),
    ]
