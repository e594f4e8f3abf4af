"""Whether an arrangement was sent is told by the outbox: the draft is what has not arrived, and has no state any more.

A draft that was being sent, or was not confirmed, becomes an unconfirmed write with the request that Activity recorded; the
worker reads whether it arrived. One without a row in Activity never left. The columns stay for one release, with a default,
so that processes of the previous release go on running during a deployment.
"""

from typing import Any
from uuid import uuid5

from django.db import migrations, models
from django.utils import timezone

OPERATION = "funnels.add_videos"


def carry(apps: Any, schema_editor: Any) -> None:
    """Copy every sending that has not ended, of accounts that are still there."""
    write_model, entry_model = apps.get_model("writes", "Write"), apps.get_model("activity", "Entry")
    accounts = set(apps.get_model("accounts", "Account").objects.values_list("pk", flat=True))
    now = timezone.now()
    for draft in apps.get_model("funnels", "Draft").objects.exclude(state="editing").iterator():
        rows = entry_model.objects.filter(
            account_id=draft.account_id, operation=OPERATION, target=draft.funnel_id, outcome="unconfirmed", write=None
        )
        entry = rows.order_by("-at").first()
        if draft.account_id not in accounts or entry is None or not entry.after:
            continue
        write = write_model.objects.create(
            key=uuid5(draft.account_id, f"draft {draft.pk}"),
            scope=str(draft.account_id),
            operation=OPERATION,
            account_id=draft.account_id,
            actor=entry.actor,
            subject=draft.funnel_id,
            label=entry.label,
            request={"funnel_id": draft.funnel_id, "videos": entry.after["videos"]},
            before=entry.before,
            after=entry.after,
            entry=entry,
            state="unconfirmed",
            attempt=1,
            due_at=now,
            sent_at=entry.at,
            ended_at=now if draft.state == "sending" else entry.at,
            reason="sender_died" if draft.state == "sending" else "Unreachable",
        )
        write_model.objects.filter(pk=write.pk).update(created_at=entry.at)


class Migration(migrations.Migration):
    dependencies = [("funnels", "0001_initial"), ("writes", "0001_writes")]

    operations = [
        migrations.AlterField(
            "draft",
            "state",
            models.CharField(
                choices=[("editing", "Editing"), ("sending", "Sending"), ("unconfirmed", "Unconfirmed")],
                default="editing",
                db_default="editing",
                max_length=12,
            ),
        ),
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("draft", "state"),
                migrations.RemoveField("draft", "sent_at"),
            ]
        ),
    ]
