"""Deletions of playlists become writes of the outbox: held, unconfirmed and ended ones, with the copies they keep.

The table of the model stays for one release, so that processes of the previous release go on running during a deployment.

A deletion whose wait was over waits on for a word: its page said "It leaves when you say so". One that was being sent is
unconfirmed from now on, and the worker reads whether it happened.
"""

from datetime import timedelta
from typing import Any

from django.db import migrations
from django.utils import timezone

OPERATION = "playlists.delete"
HOLD = timedelta(seconds=10)


def _fields(deletion: Any) -> dict[str, Any]:
    now = timezone.now()
    ended = deletion.ended_at or deletion.due_at
    match deletion.state:
        case "held":
            return {"state": "held", "due_at": deletion.due_at if deletion.due_at > now else None}
        case "sending":
            return {"state": "unconfirmed", "attempt": 1, "due_at": now, "ended_at": now, "reason": "sender_died"}
        case "unconfirmed":
            return {"state": "unconfirmed", "attempt": 1, "due_at": now, "ended_at": ended, "reason": "Unreachable"}
        case "done":
            return {"state": "done", "attempt": 1, "settled_at": ended, "shown": False}
        case "undone":
            return {"state": "cancelled", "settled_at": ended, "shown": False}
    reason = "" if deletion.message else "not_received"
    return {"state": "refused", "attempt": 1, "settled_at": ended, "reason": reason, "message": deletion.message}


def carry(apps: Any, schema_editor: Any) -> None:
    """Copy every deletion of an account that is still there; its row in Activity ends as the deletion did."""
    write_model, entry_model = apps.get_model("writes", "Write"), apps.get_model("activity", "Entry")
    accounts = set(apps.get_model("accounts", "Account").objects.values_list("pk", flat=True))
    for deletion in apps.get_model("playlists", "Deletion").objects.order_by("-due_at").iterator():
        if deletion.account_id not in accounts:
            continue
        fields = _fields(deletion)
        entry = None
        if fields.get("attempt"):
            rows = entry_model.objects.filter(
                account_id=deletion.account_id, operation=OPERATION, target=deletion.playlist_id, write=None
            )
            entry = rows.order_by("-at").first()
        if entry is not None and entry.outcome == "unconfirmed" and fields["state"] in ("done", "refused"):
            entry_model.objects.filter(pk=entry.pk).update(outcome=fields["state"])
        write_model.objects.create(
            id=deletion.pk,
            key=deletion.pk,
            scope=str(deletion.account_id),
            operation=OPERATION,
            account_id=deletion.account_id,
            actor=entry.actor if entry else "",
            subject=deletion.playlist_id,
            label=deletion.name,
            request={"playlist_id": deletion.playlist_id},
            before={"name": deletion.name, "videos": deletion.contents},
            entry=entry,
            **fields,
        )
        write_model.objects.filter(pk=deletion.pk).update(created_at=deletion.due_at - HOLD)


class Migration(migrations.Migration):
    dependencies = [("playlists", "0001_initial"), ("writes", "0001_writes")]

    operations = [
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Deletion")]),
    ]
