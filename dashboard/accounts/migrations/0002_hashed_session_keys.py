"""Sessions and devices are known by the sha256 of their key: who is signed in stays so, and the database opens nothing."""

import contextlib
from typing import Any

from django.db import OperationalError, migrations, models, transaction

TABLES = ("django_session", "accounts_device")
HASHED = {
    "sqlite": "SHA256(session_key)",  # Django gives its connections this function
    "postgresql": "encode(sha256(convert_to(session_key, 'UTF8')), 'hex')",
}


def hash_keys(apps: Any, schema_editor: Any) -> None:
    """Each in one statement. What is hashed already has 64 characters and stays.

    SQLite leaves what was there before in its pages and its log, until it writes its file anew.
    """
    connection = schema_editor.connection
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE django_session ALTER COLUMN session_key TYPE varchar(64)")
        for table in TABLES:
            hashed = HASHED[connection.vendor]
            cursor.execute(f"UPDATE {table} SET session_key = {hashed} WHERE length(session_key) < 64")  # noqa: S608  (constants)
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with contextlib.suppress(OperationalError), connection.cursor() as cursor:  # no room, or somebody reads it
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def forget_devices(apps: Any, schema_editor: Any) -> None:
    """The version before looks for keys as they are: it signs everybody in anew."""
    apps.get_model("accounts", "Device").objects.all().delete()


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0001_schema"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.AlterField("device", "session_key", models.CharField(max_length=64)),
        migrations.RunPython(hash_keys, forget_devices, atomic=False),
    ]
