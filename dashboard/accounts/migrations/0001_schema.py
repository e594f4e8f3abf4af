"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_initial"),
        ("accounts", "0002_disconnections"),
        ("accounts", "0003_identity_key"),
        ("accounts", "0004_devices"),
        ("accounts", "0005_zone_of_an_account"),
        ("accounts", "0006_organization_of_a_sub_account"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="IdentityKey",
            fields=[
                ("number", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("sealed_key", models.TextField()),
                ("spare", models.TextField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("sealed_token", models.TextField()),
                ("fingerprint", models.CharField(max_length=64, unique=True)),
                ("colour", models.PositiveSmallIntegerField(default=0)),
                ("pullzone", models.CharField(blank=True, max_length=100)),
                ("zone", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("organization_id", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("used_at", models.DateTimeField(auto_now_add=True)),
                ("disconnections", models.PositiveIntegerField(default=0)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="children",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "created_at"),
            },
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("session_key", models.CharField(max_length=40)),
                ("browser", models.CharField(blank=True, max_length=40)),
                ("system", models.CharField(blank=True, max_length=40)),
                ("person", models.CharField(blank=True, max_length=100)),
                ("signed_in_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("session_key", "account"), name="one_device_per_session")
                ],
            },
        ),
    ]
