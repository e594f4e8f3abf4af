"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("videos", "0001_subtitle_reading"),
        ("videos", "0002_library_reading"),
        ("videos", "0003_saved_view"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="LibraryReading",
            fields=[
                ("wanted_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(db_default="", max_length=40)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.account",
                    ),
                ),
                ("videos", models.PositiveIntegerField(db_default=0)),
                ("read", models.PositiveIntegerField(db_default=0)),
                ("left", models.PositiveIntegerField(db_default=0)),
            ],
            options={
                "db_table": "videos_subtitlereading",
            },
        ),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("person", models.CharField(max_length=120)),
                ("name", models.CharField(max_length=60)),
                ("query", models.CharField(blank=True, max_length=1000)),
                ("sort", models.CharField(max_length=20)),
                ("columns", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "person", "name"), name="one_saved_view_of_a_name")
                ],
            },
        ),
    ]
