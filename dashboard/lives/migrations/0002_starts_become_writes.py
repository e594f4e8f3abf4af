"""Starts of lives become writes of the outbox: accepted ones, and those that are not confirmed.

The table of the model stays for one release, so that processes of the previous release go on running during a deployment.
"""

from typing import Any
from uuid import uuid5

from django.db import migrations
from django.utils import timezone

OPERATION = "lives.start"


def carry(apps: Any, schema_editor: Any) -> None:
    """Copy every start of an account that is still there; its row in Activity ends as the start did."""
    write_model, entry_model = apps.get_model("writes", "Write"), apps.get_model("activity", "Entry")
    accounts = set(apps.get_model("accounts", "Account").objects.values_list("pk", flat=True))
    now = timezone.now()
    for start in apps.get_model("lives", "Start").objects.iterator():
        if start.account_id not in accounts:
            continue
        rows = entry_model.objects.filter(
            account_id=start.account_id, operation=OPERATION, target=start.live_id, write=None
        )
        entry = rows.exclude(outcome="refused").order_by("-at").first()
        if start.confirmed:
            fields: dict[str, Any] = {"state": "done", "settled_at": start.at, "shown": False}
            entry_model.objects.filter(pk=entry.pk if entry else None).update(outcome="done")
        else:
            fields = {"state": "unconfirmed", "due_at": now, "ended_at": start.at, "reason": "Unreachable"}
        write = write_model.objects.create(
            key=uuid5(start.account_id, f"start {start.pk}"),
            scope=str(start.account_id),
            operation=OPERATION,
            account_id=start.account_id,
            actor=entry.actor if entry else "",
            subject=start.live_id,
            label=entry.label if entry else "",
            request={"live_id": start.live_id},
            before=entry.before if entry else None,
            entry=entry,
            attempt=1,
            sent_at=start.at,
            **fields,
        )
        write_model.objects.filter(pk=write.pk).update(created_at=start.at)


class Migration(migrations.Migration):
    dependencies = [("lives", "0001_initial"), ("writes", "0001_writes")]

    operations = [
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Start")]),
    ]
