"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("subtitles", "0001_initial"),
        ("subtitles", "0002_label_may_be_empty"),
        ("subtitles", "0003_sendings_become_writes"),
        ("subtitles", "0004_complete_activity_of_batches"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("actor", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("label", models.CharField(blank=True, max_length=300)),
                ("type", models.CharField(max_length=20)),
                ("tier", models.CharField(max_length=20)),
                ("from_lang", models.CharField(max_length=20)),
                ("plan", models.TextField(blank=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subtitle_batches",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="PlannedCell",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("video_id", models.CharField(max_length=64)),
                ("title", models.CharField(max_length=500)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("TRANSCRIPTION", "TRANSCRIPTION"),
                            ("TRANSLATION", "TRANSLATION"),
                            ("EXTRA", "EXTRA"),
                        ],
                        max_length=20,
                    ),
                ),
                ("lang", models.CharField(max_length=20)),
                ("work", models.CharField(max_length=40)),
                ("status", models.CharField(default="PLANNED", max_length=40)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("job_id", models.CharField(blank=True, max_length=100)),
                ("earlier", models.JSONField(default=list)),
                ("sending_at", models.DateTimeField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cells", to="subtitles.batch"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddIndex(
            model_name="batch",
            index=models.Index(fields=["account", "-sent_at"], name="subtitles_recent"),
        ),
        migrations.AddIndex(
            model_name="plannedcell",
            index=models.Index(fields=["video_id", "status"], name="subtitles_cell_video"),
        ),
        migrations.AddConstraint(
            model_name="plannedcell",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["SENDING", "UNCONFIRMED"])),
                fields=("video_id", "work"),
                name="subtitles_one_sending_at_a_time",
            ),
        ),
    ]
