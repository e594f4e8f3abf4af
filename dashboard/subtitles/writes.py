"""The writes of subtitles: the AI jobs of one video of a batch, in one call [4.1]. `Write.subject` is the video.

Each video is read anew, its cells are claimed in the database (a second plan finds nothing left to claim, and what another
one has just sent is left to it), and sent. The cells are the copy that pages read; how the call ended is in the write.
The videos of a batch leave one after the other: each write releases the next one when it has left.
"""

import contextlib
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import groupby
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity import recorder
from dashboard.platform_api import Platform, errors
from dashboard.platform_api.ai_workflow import Job
from dashboard.shared.http import OwnerRequest
from dashboard.shared.vault import Unreadable
from dashboard.subtitles import rules
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.queries import ParentTokenRefused, SubtitleReader, video_state_from
from dashboard.subtitles.rules import CellKind, Order, Status, VideoState
from dashboard.upstream import clients
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Reads
from dashboard.writes import outbox
from dashboard.writes.failures import LOST, RESTORED, ParentTokenHeld
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.recovery import restored
from dashboard.writes.requests import scope_of

CREATE: Final = "ai_workflow.create"
HIDDEN: Final = timedelta(seconds=90)
"""How long the platform may not show a job that was sent: nobody else makes the same one meanwhile."""
READ_PATIENCE: Final = 20.0
CLOCKS_DIFFER: Final = timedelta(minutes=2)
"""How far the platform's clock may be from ours."""
PAUSE: Final = timedelta(seconds=30)
"""Pause before the next video after a call without an answer."""


def order_of(batch: Batch, cells: Iterable[PlannedCell]) -> Order:
    """What a batch asks for, with the languages of these cells."""
    langs = dict.fromkeys(cell.lang for cell in cells if cell.kind != CellKind.TRANSCRIPTION)
    return Order(batch.type, batch.tier, batch.from_lang, tuple(langs))


def cells_of(write: Write) -> "QuerySet[PlannedCell]":
    """The cells that `write` makes."""
    return PlannedCell.objects.filter(batch_id=write.request["batch"], video_id=write.request["video_id"])


def open_writes(batch: Batch) -> "QuerySet[Write]":
    """Writes of a batch that are not settled, in the order of sending."""
    unsettled = Write.objects.filter(scope=str(batch.account_id), settled_at=None, operation=CREATE)
    return unsettled.filter(request__batch=str(batch.pk)).select_related("account").order_by("created_at")


def release_next(batch: Batch, *, after: timedelta = timedelta()) -> None:
    """Release the next video of the batch, unless one is being sent or due already.

    The row of the batch is locked: of two videos that end at once, the second one sees how the first one ended. A video that
    somebody is changing at this moment is passed over: whoever does so releases the next one after it.
    """
    with transaction.atomic():
        Batch.objects.select_for_update().get(pk=batch.pk)
        under_way = Q(state=State.SENDING) | Q(state=State.HELD, due_at__isnull=False)
        if open_writes(batch).filter(under_way).exists():
            return
        waiting = open_writes(batch).filter(state=State.HELD).select_for_update(of=("self",), skip_locked=True).first()
        if waiting is not None:
            outbox.release(waiting, after=after)


def _send(write: Write) -> tuple[Job, ...]:
    """Read the video, claim what may still be made, and make the call. Extra languages are made only with their transcription."""
    batch = Batch.objects.get(pk=write.request["batch"])
    planned = list(cells_of(write).filter(status=Status.PLANNED))
    order, video_state = order_of(batch, planned), _read(write)
    extras = [cell for cell in planned if cell.kind == CellKind.EXTRA]
    claimed = [cell for cell in planned if cell not in extras and _claim(cell, order, video_state)]
    if not claimed:
        for cell in extras:
            update(cell, Status.PLANNED, status=Status.DROPPED, reason=rules.RejectionReason.NEEDS_TRANSCRIPTION)
        raise NotWanted
    claimed += [cell for cell in extras if _claim(cell, order, video_state)]
    body = rules.body(order, write.subject, [cell.lang for cell in claimed])
    write.after = body
    create: Any = body
    return tuple(_call_as_parent(write.owner, lambda platform: platform.ai_workflow.create(create)))


def _read(write: Write) -> VideoState:
    """The video as it is at this moment. A read that fails says nothing about the call: nothing was sent."""
    reader, video = SubtitleReader(write.owner, Reads(write.owner, seconds=0)), write.subject
    outcomes = reader.gather({"subtitles": reader.subtitles(video), "jobs": reader.jobs(video)}, READ_PATIENCE)
    subtitles, jobs = outcomes["subtitles"], outcomes["jobs"]
    if (video_state := video_state_from(subtitles, jobs)).complete:
        return video_state
    error = next((outcome.error for outcome in (subtitles, jobs) if isinstance(outcome, Failed)), None)
    if isinstance(error, ParentTokenRefused):
        raise ParentTokenHeld(error.operation, error.status, error.message)
    if isinstance(error, errors.BadToken | errors.RateLimited | errors.Missing):
        raise error
    raise errors.Unreachable(CREATE, error.status if error else None, error.message if error else "", sent=False)


def _claim(cell: PlannedCell, order: Order, video_state: VideoState) -> bool:
    """Claim the cell for its write. False where it may not be made any more (the reason is kept), or another batch makes it."""
    reason = rules.rejection_reason(order, video_state, cell.lang)
    if reason is not None:
        update(cell, Status.PLANNED, status=Status.DROPPED, reason=reason)
        return False
    now = timezone.now()
    earlier = [job.id for job in rules.matching(video_state.jobs or (), cell.kind, cell.lang)]
    try:
        with transaction.atomic():
            is_claimed = update(cell, Status.PLANNED, status=Status.SENDING, sending_at=now, earlier=earlier, reason="")
    except IntegrityError:  # another batch is sending it
        update(cell, Status.PLANNED, status=Status.HELD)
        return False
    just_sent = PlannedCell.objects.filter(video_id=cell.video_id, work=cell.work, sending_at__gt=now - HIDDEN)
    if is_claimed and just_sent.exclude(pk=cell.pk).exclude(status__in=rules.NOT_SENT | rules.ENDED).exists():
        update(cell, Status.SENDING, status=Status.HELD, sending_at=None)
        return False
    return is_claimed


def _call_as_parent(account: Account, call: Callable[[Platform], Iterable[Job]]) -> Iterable[Job]:
    """A call with the parent's token [5]: where that is refused or lost, it is not the person's own that must be renewed."""
    try:
        return call(clients.platform_for(account.parent or account))
    except Unreadable as lost:
        if account.parent is None:
            raise
        raise ParentTokenHeld(CREATE) from lost
    except errors.BadToken as refused:
        if account.parent is None:
            raise
        raise ParentTokenHeld(refused.operation, refused.status, refused.message) from refused


def _keep(write: Write, jobs: Iterable[Job]) -> None:
    """Save the jobs. A cell without one stays unconfirmed until the next read of its video."""
    job_list = list(jobs)
    for cell in cells_of(write).filter(status__in=(Status.SENDING, Status.UNCONFIRMED, Status.MISSING)):
        job = rules.newest(
            candidate
            for candidate in rules.matching(job_list, cell.kind, cell.lang)
            if candidate.id not in cell.earlier
        )
        if job is not None:
            update(cell, cell.status, status=job.status or Status.QUEUE, job_id=job.id)
        elif cell.kind == CellKind.EXTRA:
            update(cell, cell.status, status=Status.WAITING)
        else:
            update(cell, Status.SENDING, status=Status.UNCONFIRMED)


def _settle(write: Write) -> Found | Absence:
    """Whether the video has a new job since the call. Extra languages alone are no proof."""
    jobs = tuple(_call_as_parent(write.owner, lambda platform: platform.ai_workflow.jobs(write.subject)))
    cells = list(cells_of(write).exclude(sending_at=None))
    if write.reason == RESTORED:  # which jobs were there before, nobody noted
        since = write.created_at - CLOCKS_DIFFER
        jobs = tuple(job for job in jobs if job.created_at is None or job.created_at >= since)
    proving = [cell for cell in cells if cell.kind != CellKind.EXTRA] or cells
    for cell in proving:
        if any(job.id not in cell.earlier for job in rules.matching(jobs, cell.kind, cell.lang)):
            return Found(jobs)
    late = write.ended_at is None or timezone.now() - write.ended_at <= rules.GRACE
    return UNKNOWN if late else ABSENT


@receiver(restored)
def claim_restored(**_signal: object) -> None:
    """Mark cells whose write may have been sent after the backup as sent without an answer."""
    for write in Write.objects.filter(operation=CREATE, state=State.HELD):
        for cell in cells_of(write).filter(status=Status.PLANNED):
            with contextlib.suppress(IntegrityError), transaction.atomic():  # else the work is another cell's
                update(cell, Status.PLANNED, status=Status.SENDING, sending_at=write.created_at, reason="")


def _changed(write: Write) -> None:
    """Update the cells from their write, and release the next video."""
    if write.state == State.SENDING or (write.state == State.HELD and not write.attempt):
        return
    cells = list(cells_of(write))
    if write.state == State.HELD:
        _end(cells, Status.PLANNED, write)
    elif write.state == State.UNCONFIRMED:
        for cell in cells:
            update(cell, Status.SENDING, status=Status.UNCONFIRMED, sending_at=write.ended_at or timezone.now())
    elif write.state == State.REFUSED:
        missing = write.reason in LOST
        _end(cells, Status.MISSING if missing else Status.REFUSED, write)
    if write.state != State.HELD:
        silent = write.state == State.UNCONFIRMED and write.reason == errors.Unreachable.__name__
        release_next(Batch.objects.get(pk=write.request["batch"]), after=PAUSE if silent else timedelta())


def _end(cells: Iterable[PlannedCell], status: Status, write: Write) -> None:
    """End the cells of the write in `status` and save the error."""
    kind = ParentTokenRefused.__name__ if write.reason == ParentTokenHeld.__name__ else write.reason
    reason = "" if write.reason in LOST else f"{kind}|{write.message}"[:500]
    for cell in cells:
        if cell.status in {Status.PLANNED, Status.SENDING, Status.UNCONFIRMED}:
            update(cell, cell.status, status=status, reason=reason, sending_at=None)


def update(cell: PlannedCell, expected: str, **changes: object) -> bool:
    """Change the cell if its status is still `expected`; False otherwise."""
    if not PlannedCell.objects.filter(pk=cell.pk, status=expected).update(**changes):
        return False
    for name, value in changes.items():
        setattr(cell, name, value)
    return True


register(
    Operation(CREATE, _send, keep=_keep, settle=_settle, changed=_changed, waits=True, longest_reads=READ_PATIENCE)
)


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
