"""Carry what is being sent, not confirmed, or still to be sent of every batch over into the outbox of all writes.

The cells keep their columns: they are the copy that pages read, and the previous code runs on them during a rolling
deployment. What was to be sent more than a day ago is left as it is, to be sent by hand: it would use credits that nobody
expects any more.
"""

import uuid
from datetime import timedelta
from itertools import groupby

from django.db import migrations
from django.utils import timezone

BATCH = 500
OPEN = {"PLANNED": "held", "SENDING": "unconfirmed", "UNCONFIRMED": "unconfirmed"}
"""A call that was out when the old code stopped has an unclear end."""
FRESH = timedelta(days=1)


def carry_over(apps, schema_editor):
    PlannedCell, Write = apps.get_model("subtitles", "PlannedCell"), apps.get_model("writes", "Write")
    cells = PlannedCell.objects.select_related("batch").filter(status__in=OPEN, batch__sent_at__isnull=False)
    ordered = cells.order_by("batch_id", "video_id", "position").iterator(chunk_size=BATCH)
    for _video, mine in groupby(ordered, key=lambda cell: (cell.batch_id, cell.video_id)):
        _carry(Write, list(mine))
    PlannedCell.objects.filter(status="SENDING", batch__sent_at__isnull=False).update(status="UNCONFIRMED")


def _carry(Write, cells):
    """One write for one video of a batch. What waits beside something unclear waits for its end: it is the same call."""
    batch, now = cells[0].batch, timezone.now()
    state = "unconfirmed" if any(OPEN[cell.status] == "unconfirmed" for cell in cells) else "held"
    if state == "held" and now - batch.sent_at > FRESH:
        return
    unclear = state == "unconfirmed"
    write = Write.objects.create(
        scope=str(batch.account_id),
        key=uuid.uuid5(batch.pk, cells[0].video_id),
        operation="ai_workflow.create",
        account_id=batch.account_id,
        actor=batch.actor[:120],
        subject=cells[0].video_id,
        label=f"{cells[0].title}: {', '.join(cell.lang for cell in cells)}"[:300],
        request={"batch": str(batch.pk), "video_id": cells[0].video_id},
        state=state,
        attempt=1 if unclear else 0,
        due_at=now,
        sent_at=(cells[0].sending_at or batch.sent_at) if unclear else None,
        ended_at=now if unclear else None,
    )
    Write.objects.filter(pk=write.pk).update(created_at=batch.sent_at)


class Migration(migrations.Migration):
    dependencies = [
        ("subtitles", "0002_label_may_be_empty"),
        ("writes", "0001_writes"),
    ]

    operations = [migrations.RunPython(carry_over, migrations.RunPython.noop)]
