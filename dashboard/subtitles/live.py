"""Watching what is under way: which cells a page waits for, what changed since it last asked, and keeping that.

A page names what it waits for in the address of its poll: `at=<video>~fr~q~de~r`, a language and a letter for its state. An
unchanged poll is answered without touching the cells in the database. A capital letter stands for a cell in a table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet

from dashboard.platform_api.vocabulary import JobType
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import rules, tracking
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.queries import JOBS_SECONDS, PACE, SubtitleReader, video_state_of
from dashboard.subtitles.rules import CellKey, VideoState
from dashboard.subtitles.tracking import CellKind, ParentCell, Status
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Query

LETTERS: Final[dict[str, str]] = {
    Status.QUEUE: "q",
    Status.RUNNING: "r",
    Status.WAITING: "w",
    Status.UNCONFIRMED: "u",
    Status.SENDING: "s",
    Status.PLANNED: "p",
}
SENT_BY_US: Final = frozenset("wus")
"""States of what was sent and the platform shows no job for yet."""
OURS: Final = SENT_BY_US | {"p"}
"""States that only our own record knows: those, and what still waits to be sent."""
MOST: Final = rules.MOST_VIDEOS


@dataclass(frozen=True, slots=True)
class WatchedCell:
    """One cell that a page waits for, and how the page last saw it. `in_table`: it has a place in the page's table."""

    video_id: str
    lang: str
    letter: str
    in_table: bool = True


def letter(status: str) -> str:
    """The letter of an open state; empty for one that has ended. Unnamed states count as running."""
    code = LETTERS.get(status)
    return code if code else ("r" if tracking.is_open(status) else "")


def written(watched: Iterable[WatchedCell]) -> list[tuple[str, str]]:
    """The watched cells as query pairs, by video."""
    by_video: dict[str, list[str]] = {}
    for cell in watched:
        mark = cell.letter.upper() if cell.in_table else cell.letter
        by_video.setdefault(cell.video_id, []).extend((cell.lang, mark))
    return [("at", "~".join((video, *parts))) for video, parts in by_video.items()]


def read(values: Sequence[str]) -> tuple[WatchedCell, ...]:
    """The watched cells of an address; whatever is malformed in it is left out."""
    cells = []
    for value in values[:MOST]:
        video, *parts = value.split("~")
        pairs = zip(parts[::2], parts[1::2], strict=False)
        cells += [
            WatchedCell(video, lang, mark.lower(), mark.isupper()) for lang, mark in pairs if video and lang and mark
        ]
    return tuple(cells)


def address(path: str, watched: Sequence[WatchedCell], **about: str | Iterable[str]) -> str:
    """The address of the next poll; empty when there is nothing left to wait for."""
    if not watched:
        return ""
    pairs = [
        (name, item) for name, value in about.items() for item in ([value] if isinstance(value, str) else value) if item
    ]
    return f"{path}?{urlencode([*pairs, *written(watched)])}"


def of_cells(cells: Iterable[PlannedCell], *, in_table: bool) -> tuple[WatchedCell, ...]:
    """The open cells of batches, and those that wait to be sent, to be watched."""
    return tuple(
        WatchedCell(cell.video_id, cell.lang, letter(cell.status), in_table)
        for cell in cells
        if tracking.is_open(cell.status) or (cell.status == Status.PLANNED and cell.batch.sent_at)
    )


def of_table(
    cells: Iterable[CellKey], video_states: Mapping[str, VideoState], ours: Mapping[CellKey, PlannedCell]
) -> tuple[WatchedCell, ...]:
    """The cells of the planner's table that are being made, whoever sent them, to be watched."""
    cells_in_table = []
    for video, lang in cells:
        job = rules.decisive(video_states[video].jobs or (), lang)
        status = job.status if job else ours[video, lang].status if (video, lang) in ours else ""
        if mark := status and letter(status):
            cells_in_table.append(WatchedCell(video, lang, mark))
    return tuple(cells_in_table)


def of_jobs(video_states: Mapping[str, VideoState]) -> tuple[WatchedCell, ...]:
    """The subtitle jobs that are under way on the platform, to be watched in a list of jobs."""
    cells: dict[CellKey, WatchedCell] = {}
    for video, video_state in video_states.items():
        for job in video_state.jobs or ():
            lang = rules.language_of(job)
            if job.type in set(JobType) and rules.active(job) and lang:
                cells[video, lang] = WatchedCell(video, lang, letter(job.status), in_table=False)
    return tuple(cells.values())


def merged(*groups: Iterable[WatchedCell]) -> tuple[WatchedCell, ...]:
    """Several groups as one: of the same cell the first one counts, and it is in the table if any of them is."""
    cells: dict[tuple[str, str], WatchedCell] = {}
    for one in (cell for group in groups for cell in group):
        first = cells.setdefault((one.video_id, one.lang), one)
        if one.in_table and not first.in_table:
            cells[one.video_id, one.lang] = replace(first, in_table=True)
    return tuple(cells.values())


@dataclass(frozen=True)
class Look:
    """One look at what is watched: what is known by video, and whether the platform could not say."""

    video_states: dict[str, VideoState]
    failed: bool


def look(reader: SubtitleReader, watched: Sequence[WatchedCell]) -> Look:
    """Read the jobs of the watched videos, each less often the more there are; subtitles only where jobs cannot tell."""
    videos = list(dict.fromkeys(cell.video_id for cell in watched))
    seconds = max(JOBS_SECONDS, len(videos) * PACE)
    reads: dict[str, Query[Any]] = {f"jobs {video}": reader.jobs(video, seconds) for video in videos}
    for video in {cell.video_id for cell in watched if cell.letter in SENT_BY_US}:
        reads[f"subtitles {video}"] = reader.subtitles(video)
    outcomes = reader.gather(reads)
    video_states = {video: video_state_of(outcomes, video)[0] for video in videos}
    return Look(video_states, any(isinstance(outcome, Failed) for outcome in outcomes.values()))


def now_at(cell: WatchedCell, video_state: VideoState) -> str:
    """The letter of a watched cell now, as far as the platform's jobs tell; unread, as it was."""
    if video_state.jobs is None or cell.letter in OURS:
        return cell.letter
    job = rules.decisive(video_state.jobs, cell.lang)
    return letter(job.status) if job else cell.letter


def open_cells(request: OwnerRequest, videos: Iterable[str] | None = None) -> "QuerySet[PlannedCell]":
    """This account's cells that the platform may still change, of these videos or of all."""
    settled = [status.value for status in tracking.NOT_SENT | tracking.ENDED]
    cells = PlannedCell.objects.select_related("batch").filter(batch__account=request.account)
    cells = cells.exclude(status__in=settled)
    return cells if videos is None else cells.filter(video_id__in=list(videos))


def with_ours(video_states: Mapping[str, VideoState], cells: Iterable[PlannedCell]) -> dict[str, VideoState]:
    """What is known of each video, with what was sent and the platform does not show yet."""
    states = dict(video_states)
    for cell in cells:
        state = states.get(cell.video_id)
        if state is not None and letter(cell.status) in SENT_BY_US:
            transcribes = state.transcribing or cell.kind == CellKind.TRANSCRIPTION
            states[cell.video_id] = replace(
                state, sending=state.sending | {cell.lang.lower()}, transcribing=transcribes
            )
    return states


def newest_cells(request: OwnerRequest, videos: Iterable[str]) -> dict[tuple[str, str], PlannedCell]:
    """The cell that was sent last, or waits to be sent, for each language of these videos."""
    newest: dict[tuple[str, str], PlannedCell] = {}
    waits = Q(status=Status.PLANNED, batch__sent_at__isnull=False)
    sent = PlannedCell.objects.select_related("batch").filter(
        waits | Q(sending_at__isnull=False), batch__account=request.account, video_id__in=list(videos)
    )
    for cell in sent.order_by(F("sending_at").desc(nulls_first=True), "-pk"):
        newest.setdefault((cell.video_id, cell.lang), cell)
    return newest


def observe(cells: Iterable[PlannedCell], video_states: Mapping[str, VideoState], now: datetime) -> list[PlannedCell]:
    """Bring open cells to what is known, keep it, and return those that changed (with their new state)."""
    ordered = sorted(cells, key=lambda cell: cell.kind != CellKind.TRANSCRIPTION)
    changed = []
    for cell in ordered:
        if cell.video_id not in video_states:
            continue
        parent = _parent(cell, ordered) if cell.kind == CellKind.EXTRA else None
        became = tracking.outcome(cell.as_sent(), video_states[cell.video_id], now, parent)
        if (became.status != cell.status or became.job_id != cell.job_id) and _keep(cell, became, now):
            changed.append(cell)
    return changed


def _parent(cell: PlannedCell, read_already: Iterable[PlannedCell]) -> ParentCell | None:
    same = (other for other in read_already if other.batch_id == cell.batch_id and other.video_id == cell.video_id)
    main = next((other for other in same if other.kind == CellKind.TRANSCRIPTION), None)
    if main is None:
        main = PlannedCell.objects.filter(
            batch_id=cell.batch_id, video_id=cell.video_id, kind=CellKind.TRANSCRIPTION
        ).first()
    return ParentCell(main.status, main.ended_at) if main else None


def _keep(cell: PlannedCell, became: tracking.CellOutcome, now: datetime) -> bool:
    changes: dict[str, object] = {"status": became.status, "job_id": became.job_id or cell.job_id}
    if became.status == Status.RUNNING and cell.status == Status.QUEUE:
        changes["started_at"] = now
    if not tracking.is_open(became.status):
        changes["ended_at"] = now
    if became.status in (Status.ERROR, Status.SKIPPED):
        platform_reason = became.job.metadata.get("reason") if became.job else Status.WAITING.value
        changes["reason"] = platform_reason[:500] if isinstance(platform_reason, str) else ""
    if not PlannedCell.objects.filter(pk=cell.pk, status=cell.status).update(**changes):
        return False
    for name, value in changes.items():
        setattr(cell, name, value)
    return True


def batches_of(request: OwnerRequest) -> "QuerySet[Batch]":
    """This account's batches that were sent, the newest first."""
    return Batch.objects.filter(account=request.account, sent_at__isnull=False).order_by("-sent_at", "-created_at")
