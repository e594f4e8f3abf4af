"""Signed-in browsers. Those that are signed in already are listed too, with what their sessions say of them."""

import uuid
from datetime import timedelta
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone


def list_sessions(apps: Any, schema_editor: Any) -> None:
    """One row for each account of each session; the browser itself is known with its next request."""
    device, accounts = apps.get_model("accounts", "Device"), apps.get_model("accounts", "Account")
    known = {str(pk) for pk in accounts.objects.values_list("pk", flat=True)}
    store, lasts = SessionStore(), timedelta(seconds=settings.SESSION_COOKIE_AGE)
    for session in apps.get_model("sessions", "Session").objects.filter(expire_date__gt=timezone.now()).iterator():
        data = store.decode(session.session_data)
        device.objects.bulk_create(
            device(
                session_key=session.session_key,
                account_id=account,
                person=str(data.get("person", ""))[:100],
                seen_at=session.expire_date - lasts,
            )
            for account in data.get("accounts", [])
            if account in known
        )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_identity_key"),
        ("sessions", "0001_initial"),
    ]

    operations = [
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
        migrations.RunPython(list_sessions, migrations.RunPython.noop),
    ]
