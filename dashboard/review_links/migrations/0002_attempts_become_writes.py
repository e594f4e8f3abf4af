"""Carry every attempt to create a link over into the outbox of all writes.

The old table stays for one release, so that the previous code runs on this schema during a rolling deployment. A later
migration drops it. The portal's migrations look at attempts, so they run first.
"""

from django.db import migrations
from django.utils import timezone

STATES = {"sending": "unconfirmed", "created": "done", "refused": "refused", "unconfirmed": "unconfirmed"}
"""A call that was out when the old code stopped has an unclear end."""
BATCH = 500


def carry_over(apps, schema_editor):
    Attempt = apps.get_model("review_links", "Attempt")
    writes = []
    for attempt in Attempt.objects.order_by("pk").iterator(chunk_size=BATCH):
        writes.append(_write(apps.get_model("writes", "Write"), attempt))
        if len(writes) == BATCH:
            _save(apps.get_model("writes", "Write"), writes)
            writes = []
    _save(apps.get_model("writes", "Write"), writes)


def _write(Write, attempt):
    state, now = STATES[attempt.progress], timezone.now()
    done, unclear = state == "done", state == "unconfirmed"
    link_id = str(attempt.link_id) if attempt.link_id else None
    return Write(
        scope=str(attempt.account_id),
        key=attempt.pk,
        operation="review_links.create",
        account_id=attempt.account_id,
        subject=str(attempt.video_id),
        label=str(attempt.payload.get("link_name", ""))[:300],
        request={
            "video_id": str(attempt.video_id),
            "title": attempt.video_title,
            "payload": attempt.payload,
        },
        after=attempt.payload | ({"id": link_id} if link_id else {}),
        state=state,
        attempt=1,
        due_at=now if unclear else None,
        created_at=attempt.started_at,
        sent_at=attempt.started_at,
        ended_at=now if unclear else None,
        settled_at=None if unclear else attempt.started_at,
        result={"link_id": link_id} if link_id else None,
        shown=not done,
    )


def _save(Write, writes):
    """`created_at` is written as it was: `bulk_create` would put the present moment."""
    moments = [write.created_at for write in writes]
    Write.objects.bulk_create(writes)
    for write, moment in zip(writes, moments, strict=True):
        write.created_at = moment
    Write.objects.bulk_update(writes, ["created_at"])


class Migration(migrations.Migration):
    dependencies = [
        ("review_links", "0001_initial"),
        ("review_portal", "0004_submissions_become_writes"),
        ("writes", "0001_writes"),
    ]

    operations = [
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Attempt")]),
    ]
