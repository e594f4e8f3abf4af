"""Which subtitles may be made, and why not: the rules of 4.1, 7 and 8 of the specification, as pure functions.

A cell is one video in one language. `cell_state` returns its state on the platform, `rejection_reason` why an order may not
make it, `plan` which cells of a choice will be made, `bodies` what is sent for them. Languages are compared without case,
because the platform spells them in more than one way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import (
    AUTO_LANGUAGE,
    ESSENTIAL_LANGUAGES,
    JOB_FINAL,
    LANGUAGES,
    TIERS_WITH_AUTO,
    JobStatus,
    JobType,
    Tier,
)

MOST_VIDEOS: Final = 50
"""Videos of one plan: our own limit, so that one page stays light and one sending stays watchable."""
SHORT: Final = 8
"""Characters of a video's id that stand for it in addresses: enough among fifty, and a short address."""
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
FRESH: Final = timedelta(hours=12)
"""A finished job younger than this is shown as done now, older ones as subtitles that the video simply has."""


class CellState(StrEnum):
    """State of a cell."""

    NONE = "none"
    EXISTS = "exists"
    QUEUE = "queue"
    RUNNING = "running"
    FINISHED = "finished"
    ERROR = "error"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


UNDER_WAY: Final = frozenset({CellState.QUEUE, CellState.RUNNING})
ENDED_WITHOUT: Final = frozenset({CellState.ERROR, CellState.SKIPPED})


class RejectionReason(StrEnum):
    """Why something may not be made. The first group belongs to a field of the order, the second to a cell."""

    TIER_REQUIRED = "tier_required"
    SOURCE_REQUIRED = "source_required"
    TARGET_REQUIRED = "target_required"
    LANGUAGE_UNKNOWN = "language_unknown"
    AUTO_IS_FOR_TRANSCRIPTION = "auto_is_for_transcription"
    AUTO_NOT_ON_ESSENTIAL = "auto_not_on_essential"
    SOURCE_NOT_ON_ESSENTIAL = "source_not_on_essential"
    VIDEO_REQUIRED = "video_required"
    TOO_MANY_VIDEOS = "too_many_videos"

    NOT_CHECKED = "not_checked"
    IS_SOURCE = "is_source"
    SOURCE_MISSING = "source_missing"
    SOURCE_UNDER_WAY = "source_under_way"
    SOURCE_EXISTS = "source_exists"
    TARGET_EXISTS = "target_exists"
    TRANSCRIPTION_RUNNING = "transcription_running"
    TRANSLATION_RUNNING = "translation_running"
    NEEDS_TRANSCRIPTION = "needs_transcription"


@dataclass(frozen=True, slots=True)
class OrderProblem:
    """A rule that an order breaks, with the field it belongs to."""

    field: str
    reason: RejectionReason


@dataclass(frozen=True, slots=True)
class Order:
    """What to make: `to` are the target languages of a translation, or the extra languages of a transcription."""

    type: str
    tier: str
    from_lang: str
    to: tuple[str, ...] = ()

    @property
    def transcribes(self) -> bool:
        return self.type == JobType.TRANSCRIPTION


@dataclass(frozen=True, slots=True)
class VideoState:
    """State of a video: its subtitles' languages and its jobs; None where they could not be read.

    `untold`: the platform does not list subtitles; `subtitles` are those that its jobs have made, and there may be others.
    `sending` are the languages, and `transcribing` says whether there is a transcription, that Reelroom has sent and the
    platform does not show yet.
    """

    subtitles: frozenset[str] | None
    jobs: tuple[Job, ...] | None
    sending: frozenset[str] = frozenset()
    transcribing: bool = False
    untold: bool = False

    def has(self, lang: str) -> bool:
        """Whether subtitles in this language exist, as far as is known."""
        return lang.lower() in (self.subtitles or ())

    @property
    def complete(self) -> bool:
        return self.subtitles is not None and self.jobs is not None


UNREAD_VIDEO: Final = VideoState(None, None)


def video_state_from_jobs(jobs: tuple[Job, ...]) -> VideoState:
    """What the jobs of a video tell where the platform does not list its subtitles."""
    finished = (language_of(job) for job in jobs if job.type in set(JobType) and job.status == JobStatus.FINISHED)
    return VideoState(languages_of(finished), jobs, untold=True)


def languages_of(codes: Iterable[str]) -> frozenset[str]:
    """The codes as `VideoState.subtitles` holds them."""
    return frozenset(code.lower() for code in codes)


def spelled(lang: str) -> str:
    """The code in the specification's spelling (`pt-br` as pt-BR); unknown ones as they came."""
    return _SPELLED.get(lang.lower(), lang)


_SPELLED: Final = {code.lower(): code for code in (*LANGUAGES, AUTO_LANGUAGE)}


def language_of(job: Job) -> str:
    """The language a job brings: of a transcription its source, `auto` when it is to be detected."""
    return spelled(job.from_lang if job.type == JobType.TRANSCRIPTION else job.to_lang or "")


def active(job: Job) -> bool:
    """Whether a job has not ended. A state the specification does not name counts as under way: sending again is worse."""
    return job.status not in JOB_FINAL


def newest(jobs: Iterable[Job]) -> Job | None:
    """The job that was created last."""
    return max(
        jobs, key=lambda job: (job.created_at is not None, job.created_at and job.created_at.timestamp()), default=None
    )


def subtitle_jobs(jobs: Iterable[Job], lang: str) -> list[Job]:
    """The jobs that bring subtitles in this language; other kinds of work are left out."""
    code = lang.lower()
    return [job for job in jobs if job.type in set(JobType) and language_of(job).lower() == code]


def decisive(jobs: Iterable[Job], lang: str) -> Job | None:
    """The job that says how a language stands: one that is under way, else the one that was created last."""
    candidates = subtitle_jobs(jobs, lang)
    return newest(job for job in candidates if active(job)) or newest(candidates)


@dataclass(frozen=True, slots=True)
class StateWithJob:
    """State of a cell, and the job that decides it, if any."""

    state: CellState
    job: Job | None = None


def cell_state(video_state: VideoState, lang: str, now: datetime) -> StateWithJob:
    """State of a video in one language. `UNKNOWN`, never `NONE`, where subtitles and jobs were not read."""
    last = decisive(video_state.jobs or (), lang)
    if last is not None and active(last):
        return StateWithJob(CellState.QUEUE if last.status == JobStatus.QUEUE else CellState.RUNNING, last)
    if lang.lower() in video_state.sending and not video_state.has(lang):
        return StateWithJob(CellState.QUEUE)
    if video_state.has(lang):
        is_finished = last is not None and last.status == JobStatus.FINISHED and last.created_at is not None
        fresh = is_finished and last is not None and last.created_at is not None and now - last.created_at < FRESH
        return StateWithJob(CellState.FINISHED if fresh else CellState.EXISTS, last)
    if not video_state.complete:
        return StateWithJob(CellState.UNKNOWN)
    if last is not None and last.status in (JobStatus.ERROR, JobStatus.SKIPPED):
        return StateWithJob(CellState(last.status.lower()), last)
    return StateWithJob(CellState.UNKNOWN if video_state.untold else CellState.NONE, last)


def problems(order: Order, videos: int) -> tuple[OrderProblem, ...]:
    """What is wrong with the order before any video is looked at, field by field [4.1, 7, 8]."""
    broken = []
    if order.tier not in set(Tier):
        broken.append(OrderProblem("tier", RejectionReason.TIER_REQUIRED))
    source = _source_problem(order)
    if source:
        broken.append(OrderProblem("from_lang", source))
    if any(lang not in LANGUAGES for lang in order.to):
        broken.append(OrderProblem("to_lang", RejectionReason.LANGUAGE_UNKNOWN))
    elif not order.transcribes and not order.to:
        broken.append(OrderProblem("to_lang", RejectionReason.TARGET_REQUIRED))
    if videos < 1:
        broken.append(OrderProblem("video", RejectionReason.VIDEO_REQUIRED))
    elif videos > MOST_VIDEOS:
        broken.append(OrderProblem("video", RejectionReason.TOO_MANY_VIDEOS))
    return tuple(broken)


def _source_problem(order: Order) -> RejectionReason | None:
    if not order.from_lang:
        return RejectionReason.SOURCE_REQUIRED
    if order.from_lang == AUTO_LANGUAGE:
        if not order.transcribes:
            return RejectionReason.AUTO_IS_FOR_TRANSCRIPTION
        return None if order.tier in TIERS_WITH_AUTO else RejectionReason.AUTO_NOT_ON_ESSENTIAL
    if order.from_lang not in LANGUAGES:
        return RejectionReason.LANGUAGE_UNKNOWN
    if order.tier == Tier.ESSENTIAL and order.from_lang not in ESSENTIAL_LANGUAGES:
        return RejectionReason.SOURCE_NOT_ON_ESSENTIAL
    return None


def rejection_reason(order: Order, video_state: VideoState, lang: str) -> RejectionReason | None:
    """Why this order may not make subtitles in `lang` for this video; None when it may [4.1 rules 2 to 4]."""
    if not video_state.complete:
        return (
            RejectionReason.TARGET_EXISTS
            if video_state.has(lang) and lang != order.from_lang
            else RejectionReason.NOT_CHECKED
        )
    return _transcription(order, video_state, lang) if order.transcribes else _translation(order, video_state, lang)


def _translation(order: Order, video_state: VideoState, lang: str) -> RejectionReason | None:
    if lang.lower() == order.from_lang.lower():
        return RejectionReason.IS_SOURCE
    if video_state.has(lang):
        return RejectionReason.TARGET_EXISTS
    if _under_way(video_state, lang):
        return RejectionReason.TRANSLATION_RUNNING
    if not video_state.has(order.from_lang) and not video_state.untold:
        arriving = _under_way(video_state, order.from_lang) or _transcribing(video_state, AUTO_LANGUAGE)
        return RejectionReason.SOURCE_UNDER_WAY if arriving else RejectionReason.SOURCE_MISSING
    return None


def _transcription(order: Order, video_state: VideoState, lang: str) -> RejectionReason | None:
    if lang.lower() == order.from_lang.lower():
        if video_state.has(lang):
            return RejectionReason.SOURCE_EXISTS
        if _transcribing(video_state):
            return RejectionReason.TRANSCRIPTION_RUNNING
        return RejectionReason.TRANSLATION_RUNNING if _under_way(video_state, lang) else None
    if video_state.has(lang):
        return RejectionReason.TARGET_EXISTS
    if _under_way(video_state, lang):
        return RejectionReason.TRANSLATION_RUNNING
    return None if _transcription(order, video_state, order.from_lang) is None else RejectionReason.NEEDS_TRANSCRIPTION


def _under_way(video_state: VideoState, lang: str) -> bool:
    return lang.lower() in video_state.sending or any(
        active(job) for job in subtitle_jobs(video_state.jobs or (), lang)
    )


def _transcribing(video_state: VideoState, lang: str = "") -> bool:
    if video_state.transcribing and not lang:
        return True
    running = (job for job in video_state.jobs or () if job.type == JobType.TRANSCRIPTION and active(job))
    return any(not lang or language_of(job) == lang for job in running)


CellKey = tuple[str, str]
"""A video's id and a language."""


@dataclass(frozen=True, slots=True)
class CellChoice:
    """What a person chose: whole videos, cells taken out of them, and single cells beside them."""

    videos: tuple[str, ...] = ()
    left_out: frozenset[CellKey] = frozenset()
    also: frozenset[CellKey] = frozenset()

    @property
    def has_single_cells(self) -> bool:
        """Whether cells were ticked or unticked one by one. A run cannot keep that: it knows videos and languages alone."""
        return bool(self.left_out or self.also)


def languages_in_order(order: Order) -> tuple[str, ...]:
    """The languages an order makes for a video, the source of a transcription first, none twice."""
    languages = (order.from_lang, *order.to) if order.transcribes else order.to
    source = None if order.transcribes else order.from_lang.lower()
    return tuple(dict.fromkeys(lang for lang in languages if lang and lang.lower() != source))


def gap_languages(order: Order) -> tuple[str, ...]:
    """The languages that gaps are counted in: those that are wanted, else the source; none that is yet to be detected."""
    languages = languages_in_order(order) or (order.from_lang,)
    return tuple(lang for lang in languages if lang and lang != AUTO_LANGUAGE)


def has_gap(video_state: VideoState, order: Order) -> bool:
    """Whether the video lacks a wanted language; without wanted languages, whether it lacks the source."""
    languages = languages_in_order(order) or (order.from_lang,)
    return any(lang != AUTO_LANGUAGE and not video_state.has(lang) for lang in languages)


def plan(
    order: Order, choice: CellChoice, video_states: Mapping[str, VideoState], now: datetime
) -> tuple[CellKey, ...]:
    """The cells that will be made, in the order of the videos and of their languages.

    A cell that ended in an error or was skipped is made again only when it was chosen itself. An extra language brings
    the transcription it hangs on with it, and goes when that is left out.
    """
    languages = languages_in_order(order)
    whole_videos = set(choice.videos)
    videos = dict.fromkeys((*choice.videos, *(video for video, _ in sorted(choice.also))))
    cells: list[CellKey] = []
    for video in videos:
        state = video_states.get(video, UNREAD_VIDEO)
        extra = tuple(lang for other, lang in sorted(choice.also) if other == video)
        video_cells = [
            (video, lang)
            for lang in dict.fromkeys((*languages, *extra))
            if _wanted(choice, (video, lang), video in whole_videos, cell_state(state, lang, now).state)
            and rejection_reason(order, state, lang) is None
        ]
        cells += _with_its_transcription(order, choice, video, video_cells, state) if order.transcribes else video_cells
    return tuple(cells)


def _wanted(choice: CellChoice, cell: CellKey, is_whole: bool, state: CellState) -> bool:
    if cell in choice.also:
        return True
    return is_whole and cell not in choice.left_out and state not in ENDED_WITHOUT


def _with_its_transcription(
    order: Order, choice: CellChoice, video: str, cells: list[CellKey], video_state: VideoState
) -> list[CellKey]:
    source = (video, order.from_lang)
    if not cells or source in cells:
        return cells
    ruled_out = source in choice.left_out or rejection_reason(order, video_state, order.from_lang) is not None
    return [] if ruled_out else [source, *cells]


def bodies(order: Order, cells: Iterable[CellKey]) -> dict[str, dict[str, Any] | list[dict[str, Any]]]:
    """What is sent, by video: one object for a transcription, an array for translations [4.1 rules 1 and 2]."""
    by_video: dict[str, list[str]] = {}
    for video, lang in cells:
        by_video.setdefault(video, []).append(lang)
    return {video: body(order, video, langs) for video, langs in by_video.items()}


def body(order: Order, video: str, langs: Sequence[str]) -> dict[str, Any] | list[dict[str, Any]]:
    """What is sent to make these languages of one video."""
    shared = {"type": order.type, "video_id": video, "from_lang": order.from_lang}
    if not order.transcribes:
        return [{**shared, "to_lang": lang, "tier": order.tier} for lang in langs]
    extra = [{"lang": lang} for lang in langs if lang != order.from_lang]
    return {**shared, "tier": order.tier} | ({"additional_langs": extra} if extra else {})


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
