"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

import dashboard.monitoring.context


class Migration(migrations.Migration):
    replaces = [
        ("writes", "0001_writes"),
        ("writes", "0002_keep_the_request_id"),
        ("writes", "0003_shown_by_state"),
        # apps that have no tables any more
        ("lives", "0001_initial"),
        ("lives", "0002_starts_become_writes"),
        ("playlists", "0001_initial"),
        ("playlists", "0002_deletions_become_writes"),
        ("shared", "0001_last_good"),
        ("shared", "0002_upstream_keeps_answers"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
        ("activity", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Recurrence",
            fields=[
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("due_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Write",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("scope", models.CharField(max_length=64)),
                ("key", models.UUIDField()),
                ("operation", models.CharField(max_length=60)),
                ("author", models.CharField(blank=True, max_length=64)),
                ("actor", models.CharField(blank=True, max_length=120)),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("label", models.CharField(blank=True, max_length=300)),
                ("request", models.JSONField(default=dict)),
                (
                    "request_id",
                    models.CharField(
                        blank=True, db_default="", default=dashboard.monitoring.context.get_request_id, max_length=64
                    ),
                ),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("held", "Held"),
                            ("sending", "Sending"),
                            ("unconfirmed", "Unconfirmed"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="held",
                        max_length=12,
                    ),
                ),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("due_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("settled_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("message", models.TextField(blank=True)),
                ("result", models.JSONField(null=True)),
                ("shown", models.BooleanField(default=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="writes",
                        to="accounts.account",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="write",
                        to="activity.entry",
                    ),
                ),
                (
                    "undoes",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="activity.entry"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="write_due"),
                    models.Index(condition=models.Q(("shown", True)), fields=["author"], name="write_author"),
                    models.Index(condition=models.Q(("settled_at__isnull", True)), fields=["scope"], name="write_open"),
                    models.Index(fields=["account", "operation", "state"], name="write_account"),
                    models.Index(fields=["account", "operation", "-created_at"], name="write_recent"),
                    models.Index(
                        condition=models.Q(("shown", True)),
                        fields=["account", "operation", "state"],
                        name="write_shown",
                    ),
                    models.Index(fields=["operation", "subject"], name="write_subject"),
                    models.Index(
                        condition=models.Q(("settled_at__isnull", False)), fields=["settled_at"], name="write_settled"
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("scope", "key"), name="one_write_per_key")],
            },
        ),
    ]
