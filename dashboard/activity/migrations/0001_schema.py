"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("activity", "0001_initial"),
        ("activity", "0002_a_write_may_wait"),
        ("activity", "0003_outcomes_are_found"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("account_id", models.UUIDField()),
                ("actor", models.CharField(max_length=120)),
                ("operation", models.CharField(max_length=60)),
                ("target", models.CharField(blank=True, max_length=200)),
                ("label", models.CharField(blank=True, max_length=300)),
                ("before", models.JSONField(blank=True, null=True)),
                ("after", models.JSONField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("unconfirmed", "Unconfirmed"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("waiting", "Waiting"),
                        ],
                        default="unconfirmed",
                        max_length=12,
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("message", models.TextField(blank=True)),
                ("milliseconds", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "undoes",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="undone_by",
                        to="activity.entry",
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-id"],
                "indexes": [
                    models.Index(fields=["account_id", "-at", "-id"], name="activity_recent"),
                    models.Index(fields=["account_id", "operation", "-at"], name="activity_operation"),
                    models.Index(fields=["account_id", "target", "-at"], name="activity_target"),
                    models.Index(fields=["account_id", "actor", "-at"], name="activity_actor"),
                    models.Index(fields=["account_id", "label"], name="activity_label"),
                    models.Index(fields=["account_id", "outcome", "-at"], name="activity_outcome"),
                ],
            },
        ),
    ]
