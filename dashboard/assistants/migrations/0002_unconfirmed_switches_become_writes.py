"""Switches that were not confirmed become unconfirmed writes, which the worker settles by reading the list of assistants.

What is remembered of each chat stays as it is, so the previous code runs on this schema too.
"""

import uuid

from django.db import migrations
from django.utils import timezone

OPERATION = "assistants.update_chat_visibility"


def carry_over(apps, schema_editor):
    Switch, Entry = apps.get_model("assistants", "Switch"), apps.get_model("activity", "Entry")
    Account, Write = apps.get_model("accounts", "Account"), apps.get_model("writes", "Write")
    now = timezone.now()
    for switch in Switch.objects.filter(confirmed=False).iterator():
        if not Account.objects.filter(pk=switch.account_id).exists():
            continue
        sent = {
            "assistant_id": switch.assistant_id,
            "video_id": switch.video_id,
            "chat_is_visible": switch.visible,
        }
        rows = Entry.objects.filter(
            account_id=switch.account_id, operation=OPERATION, target=switch.video_id, outcome="unconfirmed"
        )
        entry = next((row for row in rows.filter(write=None).order_by("-at") if row.after == sent), None)
        Write.objects.get_or_create(
            scope=str(switch.account_id),
            key=uuid.uuid5(switch.account_id, f"{switch.assistant_id} {switch.video_id}"),
            defaults={
                "operation": OPERATION,
                "account_id": switch.account_id,
                "actor": entry.actor if entry else "",
                "subject": switch.video_id,
                "label": entry.label if entry else switch.assistant_id,
                "request": sent,
                "before": entry.before if entry else None,
                "after": sent,
                "entry": entry,
                "state": "unconfirmed",
                "attempt": 1,
                "sent_at": switch.at,
                "ended_at": switch.at,
                "due_at": now,
                "reason": "Unreachable",
            },
        )


class Migration(migrations.Migration):
    dependencies = [
        ("assistants", "0001_initial"),
        ("writes", "0001_writes"),
    ]

    operations = [migrations.RunPython(carry_over, migrations.RunPython.noop)]
