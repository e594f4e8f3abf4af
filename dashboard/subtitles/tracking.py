"""Status of cells that were sent, from the jobs that the platform lists. Pure.

A cell's status changes only when a read confirms it. A call without an answer stays unconfirmed until a read shows its job,
or shows after `GRACE` that there is none; only then can the cell be planned again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import JobStatus, JobType
from dashboard.subtitles.rules import VideoState, language_of, newest

GRACE: Final = timedelta(seconds=60)
"""How long after an answer that never came the platform may still show the job."""
EXTRA_GRACE: Final = timedelta(minutes=10)
"""How long after a transcription its extra languages may still appear."""


class CellKind(StrEnum):
    """What a cell of a batch is. Extra languages hang on the transcription of their video."""

    TRANSCRIPTION = "TRANSCRIPTION"
    TRANSLATION = "TRANSLATION"
    EXTRA = "EXTRA"


class Status(StrEnum):
    """Status of a cell of a batch: the platform's, and ours before and around them.

    A state of the platform that the specification does not name is kept as it came and counts as under way.
    """

    PLANNED = "PLANNED"
    SENDING = "SENDING"
    UNCONFIRMED = "UNCONFIRMED"
    HELD = "HELD"
    """Not sent: another batch was sending the same job."""
    DROPPED = "DROPPED"
    """Not sent: the video had changed since the plan."""
    REFUSED = "REFUSED"
    MISSING = "MISSING"
    """Sent, but the platform shows no job."""
    WAITING = "WAITING"
    """An extra language whose transcription has not ended."""
    QUEUE = "QUEUE"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    ERROR = "ERROR"
    SKIPPED = "SKIPPED"


NOT_SENT: Final = frozenset({Status.PLANNED, Status.HELD, Status.DROPPED, Status.REFUSED, Status.MISSING})
ENDED: Final = frozenset({Status.FINISHED, Status.ERROR, Status.SKIPPED})
AGAIN: Final = frozenset({Status.REFUSED, Status.MISSING, Status.HELD, Status.ERROR, Status.SKIPPED})
"""Statuses whose cells can be planned again."""
DOUBTFUL: Final = frozenset({Status.SENDING, Status.UNCONFIRMED})


def is_open(status: str) -> bool:
    """Whether the platform may still change it."""
    return status not in NOT_SENT | ENDED


def work_of(kind: str, lang: str) -> str:
    """What a cell occupies on a video: one transcription at a time, one translation a language [4.1 rule 4]."""
    return CellKind.TRANSCRIPTION.value if kind == CellKind.TRANSCRIPTION else f"{CellKind.TRANSLATION}:{lang.lower()}"


def matching(jobs: Iterable[Job], kind: str, lang: str) -> list[Job]:
    """The jobs that do what a cell of this kind and language asks for."""
    job_type = JobType.TRANSCRIPTION if kind == CellKind.TRANSCRIPTION else JobType.TRANSLATION
    return [job for job in jobs if job.type == job_type and language_of(job).lower() == lang.lower()]


@dataclass(frozen=True, slots=True)
class SentCell:
    """A cell as it was sent. `earlier`: jobs that did the same before, which are ignored."""

    kind: str
    lang: str
    status: str
    job_id: str
    earlier: frozenset[str]
    sending_at: datetime | None


@dataclass(frozen=True, slots=True)
class ParentCell:
    """The transcription that an extra language needs."""

    status: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """State of a cell: status and job."""

    status: str
    job_id: str = ""
    job: Job | None = None


def cell_outcome(
    cell: SentCell, video_state: VideoState, now: datetime, parent: ParentCell | None = None
) -> CellOutcome:
    """The status of a cell that was sent, from the state of its video. Without a read of its jobs it stays as it was."""
    unchanged = CellOutcome(cell.status, cell.job_id)
    if video_state.jobs is None or not is_open(cell.status):
        return unchanged
    job = next((job for job in video_state.jobs if cell.job_id and job.id == cell.job_id), None) or newest(
        job for job in matching(video_state.jobs, cell.kind, cell.lang) if job.id not in cell.earlier
    )
    if job is not None:
        return CellOutcome(job.status, job.id, job)
    if video_state.has(cell.lang):
        return CellOutcome(Status.FINISHED, cell.job_id)
    if cell.kind == CellKind.EXTRA and parent is not None:
        return CellOutcome(_extra(cell.status, parent, now))
    if cell.status in DOUBTFUL and cell.sending_at is not None:
        return CellOutcome(Status.MISSING if now - cell.sending_at > GRACE else cell.status)
    return unchanged


def _extra(status: str, parent: ParentCell, now: datetime) -> str:
    if parent.status in NOT_SENT:
        return parent.status
    if parent.status in (JobStatus.ERROR, JobStatus.SKIPPED):
        return Status.SKIPPED
    if parent.status == JobStatus.FINISHED and parent.ended_at is not None and now - parent.ended_at > EXTRA_GRACE:
        return Status.MISSING
    return status if parent.status in DOUBTFUL else Status.WAITING


@dataclass(frozen=True, slots=True)
class BatchTally:
    """A batch in numbers: `ended` of `sent` have ended, `unsent` never left."""

    sent: int
    ended: int
    planned: int
    unsent: int
    doubtful: int
    again: int


def tally(statuses: Iterable[str]) -> BatchTally:
    """Count the cells of a batch."""
    listed = list(statuses)
    return BatchTally(
        sent=sum(status not in NOT_SENT for status in listed),
        ended=sum(status in ENDED for status in listed),
        planned=sum(status == Status.PLANNED for status in listed),
        unsent=sum(status in NOT_SENT - {Status.PLANNED} for status in listed),
        doubtful=sum(status in DOUBTFUL for status in listed),
        again=sum(status in AGAIN for status in listed),
    )
