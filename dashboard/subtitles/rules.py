"""What may be made, and why not: the rules of 4.1, 7 and 8 of the specification, as pure functions.

A cell is one video in one language. `stand` says how it stands on the platform, `verdict` whether an order may make it,
`plan` which cells of a choice will be made, `bodies` what is sent for them. Languages are compared without case, because
the platform does not write them in one case.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from dashboard.platform_api.records import Job
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
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
FRESH: Final = timedelta(hours=12)
"""A finished job younger than this is shown as done now, older ones as subtitles that the video simply has."""


class State(StrEnum):
    """How a cell stands."""

    NONE = "none"
    EXISTS = "exists"
    QUEUE = "queue"
    RUNNING = "running"
    FINISHED = "finished"
    ERROR = "error"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


UNDER_WAY: Final = frozenset({State.QUEUE, State.RUNNING})
ENDED_WITHOUT: Final = frozenset({State.ERROR, State.SKIPPED})


class Reason(StrEnum):
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
class Problem:
    """A rule that an order breaks, with the field it belongs to."""

    field: str
    reason: Reason


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
class Known:
    """What is known about a video: its subtitles' languages and its jobs; None where they could not be read.

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


NOTHING_KNOWN: Final = Known(None, None)


def known_from_jobs(jobs: tuple[Job, ...]) -> Known:
    """What the jobs of a video tell where the platform does not list its subtitles."""
    finished = (language_of(job) for job in jobs if job.type in set(JobType) and job.status == JobStatus.FINISHED)
    return Known(languages_of(finished), jobs, untold=True)


def languages_of(codes: Iterable[str]) -> frozenset[str]:
    """The codes as `Known.subtitles` holds them."""
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
class Stand:
    """How a cell stands, and the job that says so where there is one."""

    state: State
    job: Job | None = None


def stand(known: Known, lang: str, now: datetime) -> Stand:
    """How the video stands in this language. Without a reading of subtitles and jobs, `UNKNOWN`, never `NONE`."""
    last = decisive(known.jobs or (), lang)
    if last is not None and active(last):
        return Stand(State.QUEUE if last.status == JobStatus.QUEUE else State.RUNNING, last)
    if lang.lower() in known.sending and not known.has(lang):
        return Stand(State.QUEUE)
    if known.has(lang):
        is_finished = last is not None and last.status == JobStatus.FINISHED and last.created_at is not None
        fresh = is_finished and last is not None and last.created_at is not None and now - last.created_at < FRESH
        return Stand(State.FINISHED if fresh else State.EXISTS, last)
    if not known.complete:
        return Stand(State.UNKNOWN)
    if last is not None and last.status in (JobStatus.ERROR, JobStatus.SKIPPED):
        return Stand(State(last.status.lower()), last)
    return Stand(State.UNKNOWN if known.untold else State.NONE, last)


def problems(order: Order, videos: int) -> tuple[Problem, ...]:
    """What is wrong with the order before any video is looked at, field by field [4.1, 7, 8]."""
    broken = []
    if order.tier not in set(Tier):
        broken.append(Problem("tier", Reason.TIER_REQUIRED))
    source = _source_problem(order)
    if source:
        broken.append(Problem("from_lang", source))
    if any(lang not in LANGUAGES for lang in order.to):
        broken.append(Problem("to_lang", Reason.LANGUAGE_UNKNOWN))
    elif not order.transcribes and not order.to:
        broken.append(Problem("to_lang", Reason.TARGET_REQUIRED))
    if videos < 1:
        broken.append(Problem("video", Reason.VIDEO_REQUIRED))
    elif videos > MOST_VIDEOS:
        broken.append(Problem("video", Reason.TOO_MANY_VIDEOS))
    return tuple(broken)


def _source_problem(order: Order) -> Reason | None:
    if not order.from_lang:
        return Reason.SOURCE_REQUIRED
    if order.from_lang == AUTO_LANGUAGE:
        if not order.transcribes:
            return Reason.AUTO_IS_FOR_TRANSCRIPTION
        return None if order.tier in TIERS_WITH_AUTO else Reason.AUTO_NOT_ON_ESSENTIAL
    if order.from_lang not in LANGUAGES:
        return Reason.LANGUAGE_UNKNOWN
    if order.tier == Tier.ESSENTIAL and order.from_lang not in ESSENTIAL_LANGUAGES:
        return Reason.SOURCE_NOT_ON_ESSENTIAL
    return None


def verdict(order: Order, known: Known, lang: str) -> Reason | None:
    """Why this order may not make subtitles in `lang` for this video; None when it may [4.1 rules 2 to 4]."""
    if not known.complete:
        return Reason.TARGET_EXISTS if known.has(lang) and lang != order.from_lang else Reason.NOT_CHECKED
    return _transcription(order, known, lang) if order.transcribes else _translation(order, known, lang)


def _translation(order: Order, known: Known, lang: str) -> Reason | None:
    if lang.lower() == order.from_lang.lower():
        return Reason.IS_SOURCE
    if known.has(lang):
        return Reason.TARGET_EXISTS
    if _under_way(known, lang):
        return Reason.TRANSLATION_RUNNING
    if not known.has(order.from_lang) and not known.untold:
        arriving = _under_way(known, order.from_lang) or _transcribing(known, AUTO_LANGUAGE)
        return Reason.SOURCE_UNDER_WAY if arriving else Reason.SOURCE_MISSING
    return None


def _transcription(order: Order, known: Known, lang: str) -> Reason | None:
    if lang.lower() == order.from_lang.lower():
        if known.has(lang):
            return Reason.SOURCE_EXISTS
        if _transcribing(known):
            return Reason.TRANSCRIPTION_RUNNING
        return Reason.TRANSLATION_RUNNING if _under_way(known, lang) else None
    if known.has(lang):
        return Reason.TARGET_EXISTS
    if _under_way(known, lang):
        return Reason.TRANSLATION_RUNNING
    return None if _transcription(order, known, order.from_lang) is None else Reason.NEEDS_TRANSCRIPTION


def _under_way(known: Known, lang: str) -> bool:
    return lang.lower() in known.sending or any(active(job) for job in subtitle_jobs(known.jobs or (), lang))


def _transcribing(known: Known, lang: str = "") -> bool:
    if known.transcribing and not lang:
        return True
    running = (job for job in known.jobs or () if job.type == JobType.TRANSCRIPTION and active(job))
    return any(not lang or language_of(job) == lang for job in running)


Cell = tuple[str, str]
"""A video's id and a language."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose: whole videos, cells taken out of them, and single cells beside them."""

    videos: tuple[str, ...] = ()
    left_out: frozenset[Cell] = frozenset()
    also: frozenset[Cell] = frozenset()


def languages_in_order(order: Order) -> tuple[str, ...]:
    """The languages an order makes for a video, the source of a transcription first, none twice."""
    languages = (order.from_lang, *order.to) if order.transcribes else order.to
    source = None if order.transcribes else order.from_lang.lower()
    return tuple(dict.fromkeys(lang for lang in languages if lang and lang.lower() != source))


def has_gap(known: Known, order: Order) -> bool:
    """Whether the video lacks a wanted language; without wanted languages, whether it lacks the source."""
    languages = languages_in_order(order) or (order.from_lang,)
    return any(lang != AUTO_LANGUAGE and not known.has(lang) for lang in languages)


def plan(order: Order, choice: Choice, known: Mapping[str, Known], now: datetime) -> tuple[Cell, ...]:
    """The cells that will be made, in the order of the videos and of their languages.

    A cell that ended in an error or was skipped is made again only when it was chosen itself. An extra language brings
    the transcription it hangs on with it, and goes when that is left out.
    """
    languages = languages_in_order(order)
    whole_videos = set(choice.videos)
    videos = dict.fromkeys((*choice.videos, *(video for video, _ in sorted(choice.also))))
    cells: list[Cell] = []
    for video in videos:
        state = known.get(video, NOTHING_KNOWN)
        extra = tuple(lang for other, lang in sorted(choice.also) if other == video)
        video_cells = [
            (video, lang)
            for lang in dict.fromkeys((*languages, *extra))
            if _wanted(choice, (video, lang), video in whole_videos, stand(state, lang, now).state)
            and verdict(order, state, lang) is None
        ]
        cells += _with_its_transcription(order, choice, video, video_cells, state) if order.transcribes else video_cells
    return tuple(cells)


def _wanted(choice: Choice, cell: Cell, is_whole: bool, state: State) -> bool:
    if cell in choice.also:
        return True
    return is_whole and cell not in choice.left_out and state not in ENDED_WITHOUT


def _with_its_transcription(order: Order, choice: Choice, video: str, cells: list[Cell], known: Known) -> list[Cell]:
    source = (video, order.from_lang)
    if not cells or source in cells:
        return cells
    ruled_out = source in choice.left_out or verdict(order, known, order.from_lang) is not None
    return [] if ruled_out else [source, *cells]


def bodies(order: Order, cells: Iterable[Cell]) -> dict[str, dict[str, Any] | list[dict[str, Any]]]:
    """What is sent, by video: one object for a transcription, an array for translations [4.1 rules 1 and 2]."""
    by_video: dict[str, list[str]] = {}
    for video, lang in cells:
        by_video.setdefault(video, []).append(lang)
    return {video: _body(order, video, langs) for video, langs in by_video.items()}


def _body(order: Order, video: str, langs: list[str]) -> dict[str, Any] | list[dict[str, Any]]:
    shared = {"type": order.type, "video_id": video, "from_lang": order.from_lang}
    if not order.transcribes:
        return [{**shared, "to_lang": lang, "tier": order.tier} for lang in langs]
    extra = [{"lang": lang} for lang in langs if lang != order.from_lang]
    return {**shared, "tier": order.tier} | ({"additional_langs": extra} if extra else {})
