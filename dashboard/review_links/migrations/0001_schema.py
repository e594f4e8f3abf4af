"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("review_links", "0001_initial"),
        ("review_links", "0002_attempts_become_writes"),
        ("review_links", "0003_complete_activity_of_links"),
        ("review_links", "0004_an_inbox_over_all_links"),
        ("review_links", "0005_totals_of_an_inbox"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
        ("review_portal", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="InboxIndex",
            fields=[
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
                ("version", models.CharField(blank=True, max_length=120)),
                ("videos", models.JSONField(default=dict)),
                ("heard", models.CharField(blank=True, max_length=60)),
                ("counted", models.CharField(blank=True, db_default="", default="", max_length=120)),
                ("waiting", models.PositiveIntegerField(db_default=0, default=0)),
                ("closes", models.DateTimeField(null=True)),
                ("totals", models.JSONField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="InboxItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item_id", models.UUIDField()),
                ("video_id", models.UUIDField()),
                ("title", models.CharField(max_length=200)),
                ("author", models.CharField(max_length=255)),
                ("text", models.TextField(blank=True)),
                ("words", models.TextField(blank=True)),
                ("time", models.IntegerField(default=-1)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("unanswered", "Unanswered"),
                            ("answered", "Answered"),
                            ("resolved", "Resolved"),
                            ("approve", "Approved"),
                            ("changes", "Changes"),
                            ("round", "Round"),
                        ],
                        max_length=12,
                    ),
                ),
                ("replies", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("heard", models.PositiveBigIntegerField(default=0)),
                ("news_at", models.DateTimeField()),
                ("until", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review_portal.reviewlink"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["account", "state", "title", "video_id", "time", "item_id", "until"],
                        name="inbox_waiting_video",
                    ),
                    models.Index(
                        fields=["account", "state", "-created_at", "item_id", "until"], name="inbox_waiting_newest"
                    ),
                    models.Index(fields=["account", "title", "video_id", "time", "item_id"], name="inbox_video"),
                    models.Index(fields=["account", "-created_at"], name="inbox_newest"),
                    models.Index(fields=["account", "author"], name="inbox_author"),
                ],
                "constraints": [models.UniqueConstraint(fields=("account", "item_id"), name="one_row_per_item")],
            },
        ),
        migrations.CreateModel(
            name="InboxReader",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(blank=True, max_length=120)),
                ("read_until", models.DateTimeField()),
                ("unread", models.PositiveIntegerField(null=True)),
                ("counted", models.CharField(blank=True, db_default="", default="", max_length=120)),
                ("marks", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "person"), name="one_inbox_reader")],
            },
        ),
        migrations.CreateModel(
            name="InboxReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(blank=True, max_length=120)),
                ("item_id", models.UUIDField()),
                ("read_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "person", "item_id", "read_at"], name="inbox_read")],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "person", "item_id"), name="one_inbox_reading")
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("account", "text"), name="one_saved_answer")],
            },
        ),
    ]
