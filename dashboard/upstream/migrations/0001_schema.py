"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("upstream", "0001_known_answers"),
        ("upstream", "0002_condensed_answers"),
        ("upstream", "0003_capabilities"),
        ("upstream", "0004_drop_answers_of_lives"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Capability",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("operation", models.CharField(max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("found", "Found"),
                            ("absent", "Absent"),
                            ("forbidden", "Forbidden"),
                            ("untried", "Untried"),
                        ],
                        max_length=10,
                    ),
                ),
                ("path", models.CharField(max_length=200)),
                ("shape", models.CharField(blank=True, max_length=400)),
                ("checked_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "operation"), name="one_state_per_read")],
            },
        ),
        migrations.CreateModel(
            name="KnownAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("operation", models.CharField(max_length=40)),
                ("about", models.CharField(blank=True, max_length=100)),
                ("digest", models.CharField(max_length=32)),
                ("body", models.BinaryField()),
                ("condensed", models.BinaryField(null=True)),
                ("size", models.PositiveIntegerField()),
                ("read_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                ("outdated_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["account", "operation", "about"], name="answers_by_subject"),
                    models.Index(fields=["read_at"], name="answers_by_age"),
                    models.Index(
                        condition=models.Q(("size__gt", 20000)),
                        fields=["account", "read_at"],
                        name="large_answers_by_age",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("account", "digest"), name="one_answer_per_question")],
            },
        ),
    ]
