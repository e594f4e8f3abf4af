"""Sendings that were carried over complete their rows in Activity."""

from typing import Any

from django.db import migrations

from dashboard.writes.migrations._carried import complete_activity


def complete(apps: Any, schema_editor: Any) -> None:
    """Find the rows that were left unconfirmed."""
    complete_activity(apps, "ai_workflow.create")


class Migration(migrations.Migration):
    dependencies = [
        ("activity", "0002_a_write_may_wait"),
        ("subtitles", "0003_sendings_become_writes"),
        ("writes", "0001_writes"),
    ]

    operations = [migrations.RunPython(complete, migrations.RunPython.noop)]
