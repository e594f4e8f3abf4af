"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("ai_content", "0001_initial"),
        ("ai_content", "0002_saves_become_writes"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Blob",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_id", models.UUIDField()),
                ("digest", models.CharField(max_length=64)),
                ("body", models.BinaryField()),
                ("size", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account_id", "digest"), name="one_blob_per_content")],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("account_id", models.UUIDField()),
                ("video_id", models.UUIDField()),
                ("lang", models.CharField(blank=True, max_length=20)),
                ("title", models.CharField(blank=True, max_length=300)),
                ("external_id", models.CharField(max_length=100)),
                ("pullzone", models.CharField(max_length=100)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("refusal", models.JSONField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account_id", "video_id", "lang"), name="one_document_per_language")
                ],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("block", models.CharField(max_length=8)),
                ("body", models.BinaryField()),
                ("handles", models.JSONField(default=list)),
                ("choice", models.CharField(blank=True, max_length=10)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("actor", models.CharField(blank=True, max_length=120)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "base",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="drafts", to="ai_content.blob"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="drafts", to="ai_content.document"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Step",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=30)),
                ("label", models.CharField(blank=True, max_length=200)),
                ("place", models.JSONField(default=dict)),
                ("before", models.BinaryField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "draft",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="ai_content.draft"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("loaded", "Read from the platform"),
                            ("saved", "Saved"),
                            ("sending", "Sent, not confirmed"),
                            ("refused", "Refused"),
                            ("aside", "Discarded"),
                            ("imported", "Imported file"),
                        ],
                        max_length=8,
                    ),
                ),
                ("label", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("actor", models.CharField(blank=True, max_length=120)),
                ("changes", models.JSONField(default=list)),
                ("changes_count", models.PositiveIntegerField(default=0)),
                ("handles", models.JSONField(default=list)),
                ("sent", models.JSONField(default=dict)),
                ("public_at", models.DateTimeField(blank=True, null=True)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "blob",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="ai_content.blob"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="ai_content.document"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(fields=("document", "block"), name="one_draft_per_block"),
        ),
        migrations.AddIndex(
            model_name="step",
            index=models.Index(fields=["draft", "-id"], name="ai_content_steps"),
        ),
        migrations.AddIndex(
            model_name="version",
            index=models.Index(fields=["document", "-id"], name="ai_content_versions"),
        ),
    ]
