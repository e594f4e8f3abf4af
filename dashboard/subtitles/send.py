"""Sends a batch: one write for each video, all stored before the first is sent.

The request sends as many as fit into `BUDGET` seconds; the worker sends the rest.
"""

import time
import uuid
from datetime import timedelta
from itertools import groupby
from typing import Final

from django.db import transaction
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity import recorder
from dashboard.platform_api import errors
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import rules
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.tracking import Status
from dashboard.subtitles.writes import CREATE, open_writes, order_of, release_next
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import scope_of

BUDGET: Final = 8.0
"""Seconds of sending in one request."""
UNSENT_KEPT: Final = timedelta(days=1)
"""How long a plan that was never sent is kept."""


def send_batch(request: OwnerRequest, batch: Batch) -> None:
    """Send the planned cells, video by video, until all are sent, the time is used up, or the platform asks to wait.

    Raises `BadToken` when the platform refuses the account's own token. The worker sends the rest.
    """
    deadline = time.monotonic() + BUDGET
    store_writes(request, batch)
    for write in open_writes(batch).filter(state=State.HELD):
        outbox.deliver(write)
        if type(write.raised) is errors.BadToken:
            raise write.raised
        if _stops(write) or time.monotonic() > deadline:
            return


def _stops(write: Write) -> bool:
    """Whether sending stops: the video has to wait, another process sends it, or the platform did not answer."""
    return write.state in (State.HELD, State.SENDING) or isinstance(write.raised, errors.Unreachable)


def store_writes(request: OwnerRequest, batch: Batch) -> None:
    """Store the writes of a batch, once: the key of each write is the batch and the video."""
    planned = sorted(batch.cells.filter(status=Status.PLANNED), key=lambda cell: cell.position)
    order = {video: index for index, video in enumerate(dict.fromkeys(cell.video_id for cell in planned))}
    planned.sort(key=lambda cell: order[cell.video_id])
    with transaction.atomic():
        for _video, cells in groupby(planned, key=lambda cell: cell.video_id):
            actor = recorder.actor_of(request, request.account)
            outbox.begin(build_intent(request.account, actor, batch, list(cells)), hold=None)
        if planned:
            Batch.objects.filter(pk=batch.pk, sent_at=None).update(sent_at=timezone.now())
        release_next(batch)


def build_intent(account: Account, actor: str, batch: Batch, cells: list[PlannedCell]) -> outbox.Intent:
    """The write of one video of the batch."""
    video, langs = cells[0].video_id, [cell.lang for cell in cells]
    return outbox.Intent(
        operation=CREATE,
        scope=scope_of(account),
        key=uuid.uuid5(batch.pk, video),
        request={"batch": str(batch.pk), "video_id": video},
        account=account,
        actor=actor,
        subject=video,
        label=f"{cells[0].title}: {', '.join(langs)}",
        after=rules.body(order_of(batch, cells), video, langs),
    )
