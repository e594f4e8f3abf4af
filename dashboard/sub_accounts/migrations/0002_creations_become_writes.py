"""Creations of sub-accounts become writes of the outbox, under the same addresses.

What was sent comes from Activity. One that was being sent is not confirmed: no read can tell, a person does. The table of
the model stays for one release, so that processes of the previous release go on running during a deployment.
"""

from typing import Any

from django.db import migrations

OPERATION = "organizations.create_sub_account"
SENT = ("name", "currency", "phone", "tax_id", "user")


def carry(apps: Any, schema_editor: Any) -> None:
    """Copy every creation of an account that is still there; its row in Activity ends as the creation did."""
    write_model, entry_model = apps.get_model("writes", "Write"), apps.get_model("activity", "Entry")
    accounts = set(apps.get_model("accounts", "Account").objects.values_list("pk", flat=True))
    for creation in apps.get_model("sub_accounts", "Creation").objects.order_by("-at").iterator():
        if creation.account_id not in accounts:
            continue
        rows = entry_model.objects.filter(
            account_id=creation.account_id, operation=OPERATION, label=creation.name[:300], write=None
        )
        entry = rows.exclude(outcome="refused").order_by("-at").first()
        known = entry.after if entry is not None and isinstance(entry.after, dict) else {}
        request = {"name": creation.name, "user": {"email": creation.administrator}}
        request |= {name: known[name] for name in SENT if name in known}
        if creation.state == "creating":
            result = {"organization_id": creation.organization_id, "status": "creating"}
            fields: dict[str, Any] = {"state": "done", "settled_at": creation.at, "shown": False, "result": result}
        else:
            reason = "sender_died" if creation.state == "sending" else "Unreachable"
            fields = {"state": "unconfirmed", "ended_at": creation.at, "reason": reason}
        write_model.objects.create(
            id=creation.pk,
            key=creation.pk,
            scope=str(creation.account_id),
            operation=OPERATION,
            account_id=creation.account_id,
            actor=entry.actor if entry else "",
            subject=str(request.get("tax_id", "")),
            label=creation.name,
            request=request,
            after=entry.after if entry else None,
            entry=entry,
            attempt=1,
            sent_at=creation.at,
            **fields,
        )
        write_model.objects.filter(pk=creation.pk).update(created_at=creation.at)


class Migration(migrations.Migration):
    dependencies = [("sub_accounts", "0001_initial"), ("writes", "0001_writes")]

    operations = [
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Creation")]),
    ]
