"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import dashboard.notices.rules


class Migration(migrations.Migration):
    replaces = [
        ("notices", "0001_notices"),
        ("notices", "0002_readers"),
        ("notices", "0003_webhooks"),
        ("notices", "0004_weekly_reports"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("scope", models.CharField(blank=True, max_length=64)),
                ("person", models.CharField(blank=True, max_length=64)),
                ("sealed_address", models.TextField(blank=True)),
                ("fingerprint", models.CharField(max_length=64)),
                ("origin", models.CharField(max_length=300)),
                ("language", models.CharField(max_length=12)),
                ("zone", models.CharField(max_length=64)),
                (
                    "every",
                    models.CharField(
                        choices=[("now", "now"), ("hour", "hour"), ("day", "day"), ("none", "none")],
                        default=dashboard.notices.rules.Every["NOW"],
                        max_length=8,
                    ),
                ),
                ("nonce", models.CharField(blank=True, max_length=32)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("refused_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.CharField(max_length=40)),
                ("scope", models.CharField(max_length=64)),
                ("ref", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="notices.subscription",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("confirm", "Confirm"), ("news", "News"), ("test", "Test"), ("letter", "Letter")],
                        max_length=8,
                    ),
                ),
                (
                    "every",
                    models.CharField(
                        choices=[("now", "now"), ("hour", "hour"), ("day", "day"), ("none", "none")],
                        default=dashboard.notices.rules.Every["NOW"],
                        max_length=8,
                    ),
                ),
                ("source", models.CharField(db_default="", max_length=40)),
                ("ref", models.CharField(db_default="", max_length=80)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("composed_at", models.DateTimeField(null=True)),
                ("subject", models.CharField(blank=True, max_length=300)),
                ("text", models.TextField(blank=True)),
                ("html", models.TextField(blank=True)),
                ("notices", models.ManyToManyField(related_name="mails", to="notices.notice")),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mails", to="notices.subscription"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sealed_address", models.TextField()),
                ("sealed_secret", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("delivery", models.UUIDField()),
                ("event", models.CharField(max_length=40)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("error", models.CharField(blank=True, max_length=40)),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="notices.webhook"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LinkChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scope", models.CharField(max_length=64)),
                (
                    "every",
                    models.CharField(
                        choices=[("now", "now"), ("hour", "hour"), ("day", "day"), ("none", "none")], max_length=8
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "scope"), name="one_choice_per_link")],
            },
        ),
        migrations.CreateModel(
            name="NoticeReader",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person", models.CharField(blank=True, max_length=100)),
                ("seen_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "person"), name="one_reader_per_person")],
            },
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(fields=["scope", "person"], name="subscription_scope"),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                condition=models.Q(("account", None)), fields=("scope", "person"), name="one_address_per_reviewer"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                condition=models.Q(("account", None), _negated=True),
                fields=("account", "fingerprint"),
                name="one_row_per_address",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["account", "-created_at"], name="notice_recent"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("account", "source", "ref"), name="one_notice_per_account"),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("subscription", "source", "ref"), name="one_notice_per_address"),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(fields=["-created_at"], name="mail_recent"),
        ),
        migrations.AddIndex(
            model_name="webhookattempt",
            index=models.Index(fields=["webhook", "-at"], name="webhook_attempt_recent"),
        ),
    ]
