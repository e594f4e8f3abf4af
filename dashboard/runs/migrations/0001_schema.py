"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import dashboard.writes.run_actions


class Migration(migrations.Migration):
    replaces = [
        ("runs", "0001_runs"),
        ("runs", "0002_dismiss_finished_runs"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
        ("writes", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("action", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
                ("title", models.CharField(max_length=300)),
                ("query", models.TextField(blank=True)),
                ("actor", models.CharField(max_length=120)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("checked", "Checked"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("finished", "Finished"),
                        ],
                        default="checked",
                        max_length=12,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("dismissed_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="runs", to="accounts.account"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="RunEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("checked", "Checked"),
                            ("started", "Started"),
                            ("sent", "Sent"),
                            ("waited", "Waited"),
                            ("paused", "Paused"),
                            ("continued", "Continued"),
                            ("retried", "Retried"),
                            ("finished", "Finished"),
                            ("dismissed", "Dismissed"),
                            ("restored", "Restored"),
                        ],
                        max_length=12,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("actor", models.CharField(blank=True, max_length=120)),
                ("data", models.JSONField(default=dict)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="runs.run"
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="RunItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("video_id", models.CharField(max_length=64)),
                ("title", models.CharField(max_length=500)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("waiting", "waiting"),
                            ("unconfirmed", "unconfirmed"),
                            ("not_sent", "not_sent"),
                            ("done", "done"),
                            ("refused", "refused"),
                        ],
                        default=dashboard.writes.run_actions.ItemState["PLANNED"],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("data", models.JSONField(default=dict)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="items", to="runs.run"),
                ),
                (
                    "write",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="writes.write"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["account", "-created_at"], name="runs_recent"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["state", "due_at"], name="runs_due"),
        ),
        migrations.AddIndex(
            model_name="runevent",
            index=models.Index(fields=["run", "-at"], name="runs_events"),
        ),
        migrations.AddIndex(
            model_name="runitem",
            index=models.Index(fields=["run", "state", "position"], name="runs_next"),
        ),
        migrations.AddConstraint(
            model_name="runitem",
            constraint=models.UniqueConstraint(fields=("run", "video_id"), name="one_item_per_video"),
        ),
    ]
