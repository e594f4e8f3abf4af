"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("custom_fields", "0001_initial"),
        ("custom_fields", "0002_taking_back"),
        ("custom_fields", "0003_changes_go_on_by_themselves"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("account_id", models.UUIDField(primary_key=True, serialize=False)),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("next_page", models.PositiveIntegerField(default=1)),
                ("videos", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(blank=True, null=True)),
                ("busy_until", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("account_id", models.UUIDField()),
                ("name", models.CharField(max_length=200)),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("checking", "Checking"),
                            ("ready", "Ready"),
                            ("sending", "Sending"),
                            ("done", "Done"),
                        ],
                        default="checking",
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("actor", models.CharField(blank=True, db_default="", max_length=120)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("busy_until", models.DateTimeField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, db_default="", max_length=40)),
                ("pauses", models.PositiveSmallIntegerField(db_default=0)),
                (
                    "undoes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="undone_by",
                        to="custom_fields.change",
                    ),
                ),
            ],
            options={
                "ordering": ["-at"],
            },
        ),
        migrations.CreateModel(
            name="Field",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_id", models.UUIDField()),
                ("video_id", models.CharField(max_length=64)),
                ("title", models.CharField(max_length=300)),
                ("field_id", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=300)),
                ("value", models.TextField()),
                ("read_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["account_id", "title", "video_id", "key"], name="field_order"),
                    models.Index(fields=["account_id", "video_id"], name="field_video"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Line",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("video_id", models.CharField(max_length=64)),
                ("key", models.TextField()),
                ("new_key", models.TextField(blank=True)),
                ("value", models.TextField()),
                ("field_id", models.CharField(blank=True, max_length=64)),
                ("before", models.TextField(blank=True)),
                ("expected", models.TextField(blank=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unchecked", "Unchecked"),
                            ("same", "Same"),
                            ("change", "Change"),
                            ("refused", "Refused"),
                            ("sending", "Sending"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("unconfirmed", "Unconfirmed"),
                        ],
                        default="unchecked",
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=30)),
                ("message", models.TextField(blank=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "change",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="custom_fields.change"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddIndex(
            model_name="change",
            index=models.Index(fields=["account_id", "-at"], name="change_recent"),
        ),
        migrations.AddIndex(
            model_name="change",
            index=models.Index(
                condition=models.Q(("stage__in", ["checking", "sending"])), fields=["due_at"], name="change_due"
            ),
        ),
        migrations.AddIndex(
            model_name="line",
            index=models.Index(fields=["change", "state", "number"], name="line_state"),
        ),
        migrations.AddIndex(
            model_name="line",
            index=models.Index(fields=["change", "state", "video_id"], name="line_video"),
        ),
        migrations.AddConstraint(
            model_name="line",
            constraint=models.UniqueConstraint(fields=("change", "number"), name="a_line_once"),
        ),
    ]
