"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("analytics", "0001_initial"),
        ("analytics", "0002_keep_traffic_by_day"),
        ("analytics", "0003_read_traffic_by_the_worker"),
        ("analytics", "0004_list_folders_and_creation"),
        ("analytics", "0005_keep_retention_of_videos"),
        ("analytics", "0006_put_off_lines"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="RetentionList",
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
                ("last_day", models.DateField(null=True)),
                ("listed_at", models.DateTimeField(null=True)),
                ("judged_at", models.DateTimeField(null=True)),
                ("judged_day", models.DateField(null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="TrafficList",
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
                ("next_page", models.PositiveIntegerField(db_default=1)),
                ("videos", models.PositiveIntegerField(null=True)),
                ("started_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("completed_at", models.DateTimeField(null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="TrafficPrice",
            fields=[
                ("account_id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("per_gigabyte", models.DecimalField(decimal_places=6, max_digits=12)),
                ("currency", models.CharField(max_length=3)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="TrafficDay",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("video_id", models.CharField(max_length=64)),
                ("day", models.DateField()),
                ("bytes", models.BigIntegerField(db_default=0)),
                ("read_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "day", "video_id", "bytes"], name="traffic_day_sums")],
                "constraints": [models.UniqueConstraint(fields=("account", "video_id", "day"), name="one_traffic_day")],
            },
        ),
        migrations.CreateModel(
            name="TrafficVideo",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("video_id", models.CharField(max_length=64)),
                ("title", models.CharField(db_default="", max_length=255)),
                ("folder_id", models.CharField(db_default="", max_length=64)),
                ("created_at", models.DateTimeField(null=True)),
                ("listed_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("first_day", models.DateField(null=True)),
                ("last_day", models.DateField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("gone_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "last_day"], name="traffic_video_next")],
                "constraints": [models.UniqueConstraint(fields=("account", "video_id"), name="one_traffic_video")],
            },
        ),
        migrations.CreateModel(
            name="VideoRetention",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("video_id", models.CharField(max_length=64)),
                ("title", models.CharField(db_default="", max_length=255)),
                ("folders", models.JSONField(default=list)),
                ("folder_path", models.TextField(db_default="/")),
                ("length", models.FloatField(null=True)),
                ("created_on", models.DateField(null=True)),
                ("plays", models.PositiveIntegerField(null=True)),
                ("obstacle", models.CharField(db_default="", max_length=20)),
                ("listed_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("curve", models.JSONField(null=True)),
                ("last_day", models.DateField(null=True)),
                ("failed_day", models.DateField(null=True)),
                ("verdict", models.CharField(db_default="", max_length=20)),
                ("minutes", models.FloatField(db_default=0.0)),
                ("alike", models.PositiveIntegerField(db_default=0)),
                ("typical", models.JSONField(null=True)),
                ("moment", models.FloatField(null=True)),
                ("later", models.FloatField(null=True)),
                ("share", models.FloatField(null=True)),
                ("usual", models.FloatField(null=True)),
                ("line", models.TextField(db_default="")),
                ("line_failures", models.PositiveSmallIntegerField(db_default=0)),
                ("line_next_at", models.DateTimeField(null=True)),
                ("line_lang", models.CharField(db_default="", max_length=40)),
                ("line_at", models.FloatField(null=True)),
                ("line_for", models.FloatField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "verdict", "-minutes"], name="video_retention_rank")],
                "constraints": [models.UniqueConstraint(fields=("account", "video_id"), name="one_video_retention")],
            },
        ),
    ]
