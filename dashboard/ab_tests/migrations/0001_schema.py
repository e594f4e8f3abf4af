"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("ab_tests", "0001_initial"),
        ("ab_tests", "0002_creations_become_writes"),
        ("ab_tests", "0003_keep_what_a_test_looks_for"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("account_id", models.UUIDField()),
                ("comparison_id", models.CharField(max_length=100)),
                ("winner", models.CharField(max_length=100)),
                ("verdict", models.CharField(max_length=20)),
                ("reason", models.TextField(blank=True)),
                ("figures", models.JSONField(default=list)),
                ("actor", models.CharField(blank=True, max_length=120)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account_id", "comparison_id"), name="one_decision_per_test")
                ],
            },
        ),
        migrations.CreateModel(
            name="Terms",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("account_id", models.UUIDField()),
                ("comparison_id", models.CharField(max_length=100)),
                ("level", models.PositiveSmallIntegerField(default=95)),
                ("equal_points", models.DecimalField(decimal_places=2, default=0, max_digits=5)),
                ("expected", models.JSONField(default=list)),
                ("planned_lift", models.DecimalField(blank=True, decimal_places=2, max_digits=6, null=True)),
                ("planned_days", models.PositiveIntegerField(blank=True, null=True)),
                ("planned_base", models.FloatField(blank=True, null=True)),
                ("planned_daily", models.FloatField(blank=True, null=True)),
                ("worth_finding", models.FloatField(blank=True, null=True)),
                ("base_at_start", models.FloatField(blank=True, null=True)),
                ("base_from", models.CharField(blank=True, db_default="", default="", max_length=10)),
                ("split_wrong_on", models.DateField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account_id", "comparison_id"), name="one_terms_per_test")
                ],
            },
        ),
    ]
