"""Whether a save arrived is told by the outbox: the newest version of a language that was sent and never confirmed becomes an
unconfirmed write, which the worker settles by reading; the version stays what is sent.

A version that a later save has followed is no open save. The column `saving_since` may be empty and stays for one release,
so that processes of the previous release go on running during a deployment.
"""

from typing import Any
from uuid import uuid5

from django.db import migrations
from django.utils import timezone

OPERATION = "ai_workflow.save_package"


def carry(apps: Any, schema_editor: Any) -> None:
    """Copy every save that has not ended, of accounts that are still there."""
    version_model = apps.get_model("ai_content", "Version")
    accounts = set(apps.get_model("accounts", "Account").objects.values_list("pk", flat=True))
    carried = set()
    sent = version_model.objects.filter(kind__in=("sending", "saved")).select_related("document").order_by("-pk")
    for version in sent.filter(document__in=version_model.objects.filter(kind="sending").values("document")).iterator():
        document = version.document
        if document.pk not in carried and version.kind == "sending" and document.account_id in accounts:
            _carry(apps, version)
        carried.add(document.pk)


def _carry(apps: Any, version: Any) -> None:
    write_model, entry_model = apps.get_model("writes", "Write"), apps.get_model("activity", "Entry")
    document, now, video = version.document, timezone.now(), str(version.document.video_id)
    rows = entry_model.objects.filter(account_id=document.account_id, operation=OPERATION, target=video)
    entry = rows.filter(outcome="unconfirmed", write=None, after__version=version.pk).order_by("-at").first()
    word = document.lang or "legacy"
    write = write_model.objects.create(
        # the key that the next save of this language would have: only one is open
        key=uuid5(document.account_id, f"{OPERATION} {video} {document.pk} None"),
        scope=str(document.account_id),
        operation=OPERATION,
        account_id=document.account_id,
        actor=version.actor,
        subject=video,
        label=entry.label if entry else f"{document.title} · {word}"[:300],
        request={"document": str(document.pk), "version": version.pk, "word": word, "form": "", "tab": ""},
        before=entry.before if entry else None,
        after={"version": version.pk, "changes": version.changes_count},
        undoes_id=entry.undoes_id if entry else None,
        entry=entry,
        state="unconfirmed",
        attempt=1,
        due_at=now,
        sent_at=version.at,
        ended_at=now if document.saving_since else version.at,
        reason="sender_died" if document.saving_since else "Unreachable",
    )
    write_model.objects.filter(pk=write.pk).update(created_at=version.at)


class Migration(migrations.Migration):
    dependencies = [("ai_content", "0001_initial"), ("writes", "0001_writes")]

    operations = [
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("document", "saving_since")]),
    ]
