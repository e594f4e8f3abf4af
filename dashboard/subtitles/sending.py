"""Sending a batch: one request a video, never the same twice, and nothing believed that was not read.

Each video is read anew, its cells are claimed in the database (a second submit finds nothing left to claim) and locked in
the cache (a second tab with another plan finds them taken), sent, and when the answer was not a clear yes, read again.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from math import inf
from typing import Final

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.activity import recorder
from dashboard.platform_api import errors
from dashboard.platform_api.records import Job
from dashboard.shared import fan_out
from dashboard.shared.fan_out import Failed, Ready
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import rules, tracking
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.reading import ParentTokenRefused, Reader
from dashboard.subtitles.rules import Known, Order
from dashboard.subtitles.tracking import Kind, Status

BUDGET: Final = 8.0
"""Seconds of sending in one request; what is left is sent by the next one, which the page makes by itself."""
LOCK_SECONDS: Final = 90
"""How long a video and language stay locked after a sending: until its job is surely visible."""
READ_PATIENCE: Final = 20.0
UNSENT_KEPT: Final = timedelta(days=1)
"""How long a plan that was never sent is kept."""

STOPS: Final = (errors.RateLimited, errors.BadToken, ParentTokenRefused)
"""Refusals that hold for every other video too."""


def order_of(batch: Batch, cells: Iterable[PlannedCell]) -> Order:
    """What a batch asks for, with the languages of these cells."""
    langs = dict.fromkeys(cell.lang for cell in cells if cell.kind != Kind.TRANSCRIPTION)
    return Order(batch.type, batch.tier, batch.from_lang, tuple(langs))


def send(request: OwnerRequest, batch: Batch) -> None:
    """Send what is planned, video by video, until it is done, the budget is used up, or the platform asks to stop.

    Raises `BadToken` when the platform refuses the account's own token; what was not sent stays planned.
    """
    deadline = time.monotonic() + BUDGET
    sender = Sender(request, batch, Reader(request, give_up=inf))
    for cells in _by_video(batch.cells.filter(status=Status.PLANNED)):
        if not sender.video(cells) or time.monotonic() > deadline:
            return


def _by_video(cells: Iterable[PlannedCell]) -> Iterator[list[PlannedCell]]:
    found = sorted(cells, key=lambda cell: cell.position)
    order = {video: index for index, video in enumerate(dict.fromkeys(cell.video_id for cell in found))}
    found.sort(key=lambda cell: order[cell.video_id])
    for _video, mine in groupby(found, key=lambda cell: cell.video_id):
        yield list(mine)


@dataclass(frozen=True)
class Sender:
    """Sends one batch for one request."""

    request: OwnerRequest
    batch: Batch
    reader: Reader

    def video(self, planned: list[PlannedCell]) -> bool:
        """Send the planned cells of one video; False when nothing more should be sent now."""
        known = self._read(planned)
        if known is None:
            return False
        order = order_of(self.batch, planned)
        cells = self._still_wanted(order, planned, known)
        claimed = [cell for cell in cells if self._claim(cell, known)]
        claimed = self._with_transcription(order, claimed)
        return self._post(order, claimed) if claimed else True

    def _read(self, planned: list[PlannedCell]) -> Known | None:
        """The video as it is at this moment; None, with the reason kept, when that cannot be known."""
        video = planned[0].video_id
        self.reader.forget(video)
        outcomes = fan_out.gather(
            READ_PATIENCE, subtitles=self.reader.subtitles(video), jobs=self.reader.jobs_now(video)
        )
        subtitles, jobs = outcomes["subtitles"], outcomes["jobs"]
        if isinstance(subtitles, Ready) and isinstance(jobs, Ready):
            return Known(subtitles.value, jobs.value)
        failed = next((one.error for one in (subtitles, jobs) if isinstance(one, Failed)), None)
        error = failed or errors.Unreachable("ai_workflow.jobs", sent=False)
        if isinstance(error, errors.BadToken):
            raise error
        if isinstance(error, errors.Missing):
            self._end(planned, Status.REFUSED, error)
            return Known(frozenset(), ())
        self._end(planned, Status.PLANNED, error)
        return None

    def _still_wanted(self, order: Order, planned: list[PlannedCell], known: Known) -> list[PlannedCell]:
        """The cells that may still be made; the others are dropped with their reason."""
        wanted = []
        for cell in planned:
            if cell.status != Status.PLANNED:
                continue
            reason = rules.verdict(order, known, cell.lang)
            if reason is None:
                wanted.append(cell)
            else:
                _update(cell, Status.PLANNED, status=Status.DROPPED, reason=reason)
        return wanted

    def _claim(self, cell: PlannedCell, known: Known) -> bool:
        """Take the cell for this sending; False when it is somebody else's."""
        earlier = [job.id for job in tracking.matching(known.jobs or (), cell.kind, cell.lang)]
        try:
            with transaction.atomic():
                now = timezone.now()
                mine = _update(cell, Status.PLANNED, status=Status.SENDING, sending_at=now, earlier=earlier, reason="")
        except IntegrityError:
            _update(cell, Status.PLANNED, status=Status.HELD)
            return False
        if mine and not cache.add(lock_of(cell), str(self.batch.pk), LOCK_SECONDS):
            _update(cell, Status.SENDING, status=Status.HELD, sending_at=None)
            return False
        return mine

    def _with_transcription(self, order: Order, claimed: list[PlannedCell]) -> list[PlannedCell]:
        """Extra languages leave only with the transcription they hang on."""
        if not order.transcribes or any(cell.kind == Kind.TRANSCRIPTION for cell in claimed):
            return claimed
        for cell in claimed:
            self._release(cell)
            _update(
                cell, Status.SENDING, status=Status.DROPPED, reason=rules.Reason.NEEDS_TRANSCRIPTION, sending_at=None
            )
        return []

    def _post(self, order: Order, cells: list[PlannedCell]) -> bool:
        video, langs = cells[0].video_id, [cell.lang for cell in cells]
        Batch.objects.filter(pk=self.batch.pk, sent_at=None).update(sent_at=timezone.now())
        body = rules.bodies(order, [(video, lang) for lang in langs])[video]
        create = self.reader.as_parent(lambda platform: platform.ai_workflow.create(body))
        label = f"{cells[0].title}: {', '.join(langs)}"
        try:
            with recorder.recorded(self.request, "ai_workflow.create", target=video, label=label, after=body):
                jobs = create()
        except errors.PlatformError as error:
            return self._refused(cells, error)
        finally:
            self.reader.forget(video)
        if not self._accept(cells, jobs):
            self._reconcile(cells)
        return True

    def _accept(self, cells: list[PlannedCell], jobs: Iterable[Job]) -> bool:
        """Note the jobs of the answer; False when a cell has none in it."""
        found = list(jobs)
        complete = True
        for cell in cells:
            job = rules.newest(
                one for one in tracking.matching(found, cell.kind, cell.lang) if one.id not in cell.earlier
            )
            if job is not None:
                _update(cell, Status.SENDING, status=job.status or Status.QUEUE, job_id=job.id)
            elif cell.kind == Kind.EXTRA:
                _update(cell, Status.SENDING, status=Status.WAITING)
            else:
                complete = False
        return complete

    def _refused(self, cells: list[PlannedCell], error: errors.PlatformError) -> bool:
        """Not a clear yes. What was certainly not received stays planned; the rest is read before anything is said."""
        never_left = isinstance(error, errors.Unreachable) and not error.sent
        if never_left or isinstance(error, STOPS):
            self._end(cells, Status.PLANNED, error)
            if isinstance(error, errors.BadToken):
                raise error
            return False
        self._reconcile(cells)
        if not recorder.ambiguous(error):
            self._end(cells, Status.REFUSED, error)
        return not isinstance(error, errors.Unreachable)

    def _reconcile(self, cells: list[PlannedCell]) -> None:
        """Read the video's jobs: what is there was accepted; what is not is not confirmed."""
        outcome = fan_out.gather(READ_PATIENCE, jobs=self.reader.jobs_now(cells[0].video_id))["jobs"]
        jobs = outcome.value if isinstance(outcome, Ready) else ()
        if any(cell.kind == Kind.TRANSCRIPTION for cell in cells) and not _shows(jobs, cells):
            jobs = ()  # extra languages prove nothing without their transcription
        if jobs:
            self._accept(cells, jobs)
        for cell in cells:
            _update(cell, Status.SENDING, status=Status.UNCONFIRMED)

    def _end(self, cells: list[PlannedCell], status: Status, error: errors.PlatformError) -> None:
        """Cells that are still ours end in `status` with the error kept, and are free again for others."""
        kept = f"{type(error).__name__}|{error.message}"[:500]
        for cell in cells:
            if cell.status in {Status.PLANNED, Status.SENDING, Status.UNCONFIRMED}:
                self._release(cell)
                _update(cell, cell.status, status=status, reason=kept, sending_at=None)

    def _release(self, cell: PlannedCell) -> None:
        if cache.get(lock_of(cell)) == str(self.batch.pk):
            cache.delete(lock_of(cell))


def _shows(jobs: Iterable[Job], cells: list[PlannedCell]) -> bool:
    main = next(cell for cell in cells if cell.kind == Kind.TRANSCRIPTION)
    return any(job.id not in main.earlier for job in tracking.matching(jobs, main.kind, main.lang))


def lock_of(cell: PlannedCell) -> str:
    """The lock of what a cell occupies: a video and its transcription, or a video and a language."""
    return f"subtitles:sending:{cell.video_id}:{cell.work}"


def _update(cell: PlannedCell, expected: str, **changes: object) -> bool:
    """Change the cell only while it is as expected; False when somebody else was there before."""
    if not PlannedCell.objects.filter(pk=cell.pk, status=expected).update(**changes):
        return False
    for name, value in changes.items():
        setattr(cell, name, value)
    return True
