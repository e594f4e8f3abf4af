"""Polling: which cells a page watches, what changed since it last asked, and the response.

A page names the cells that it watches in the address of its poll, by video: `table=<video>~fr~q~de~r` for cells of its table,
`list=<video>~es~w` for those that only a list of jobs shows. After each language stands the code of the status that the page
shows (`CODES`). A poll during which nothing changed reads no cell of the database and is answered with 204.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity import recorder
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import JobStatus, JobType
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.subtitles import messages, models, rules
from dashboard.subtitles.jobs import JobView, build_head, cell_row, upstream_row
from dashboard.subtitles.models import PlannedCell
from dashboard.subtitles.queries import JOBS_SECONDS, PACE, SubtitleReader, video_state_of
from dashboard.subtitles.rules import CellKey, Status, VideoState
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Query

CODES: Final[dict[str, str]] = {
    Status.QUEUE: "q",
    Status.RUNNING: "r",
    Status.WAITING: "w",
    Status.UNCONFIRMED: "u",
    Status.SENDING: "s",
    Status.PLANNED: "p",
}
SENT_CODES: Final = frozenset(CODES[status] for status in models.SENT)
RECORDED_CODES: Final = SENT_CODES | {CODES[Status.PLANNED]}
"""Statuses that only our own record knows: sent without a job on the platform yet, or waiting to be sent."""
PLACES: Final = {"table": True, "list": False, "at": True}
"""Whether the cells of a parameter are in the page's table. `at` is what pages opened before an update still send."""
MOST: Final = rules.MOST_VIDEOS


@dataclass(frozen=True, slots=True)
class WatchedCell:
    """One cell that a page watches; `code` is of the status that the page shows. `in_table`: it is in the page's table."""

    video_id: str
    lang: str
    code: str
    in_table: bool = True


def get_code(status: str) -> str:
    """The code of an open status; empty for one that has ended. Statuses without a name count as running."""
    return CODES.get(status) or (CODES[Status.RUNNING] if rules.is_open(status) else "")


def format_watched(watched: Iterable[WatchedCell]) -> list[tuple[str, str]]:
    """The watched cells as pairs of a query, by place and video."""
    by_place: dict[tuple[str, str], list[str]] = {}
    for cell in watched:
        by_place.setdefault(("table" if cell.in_table else "list", cell.video_id), []).extend((cell.lang, cell.code))
    return [(place, "~".join((video, *parts))) for (place, video), parts in by_place.items()]


def parse_watched(query: QueryDict) -> tuple[WatchedCell, ...]:
    """The watched cells of a query; malformed ones are left out."""
    watched = []
    for place, in_table in PLACES.items():
        for value in query.getlist(place)[:MOST]:
            video, *parts = value.split("~")
            pairs = zip(parts[::2], parts[1::2], strict=False)
            watched += [
                WatchedCell(video, lang, code.lower(), in_table) for lang, code in pairs if video and lang and code
            ]
    return tuple(watched)


def build_poll_address(path: str, watched: Sequence[WatchedCell], **about: str | Iterable[str]) -> str:
    """The address of the next poll; empty when no cell is left to watch."""
    if not watched:
        return ""
    pairs = [
        (name, item) for name, value in about.items() for item in ([value] if isinstance(value, str) else value) if item
    ]
    return f"{path}?{urlencode([*pairs, *format_watched(watched)])}"


def watch_cells(cells: Iterable[PlannedCell], *, in_table: bool) -> tuple[WatchedCell, ...]:
    """Watch the open cells of batches, and those that wait to be sent."""
    return tuple(
        WatchedCell(cell.video_id, cell.lang, get_code(cell.status), in_table)
        for cell in cells
        if rules.is_open(cell.status) or (cell.status == Status.PLANNED and cell.batch.sent_at)
    )


def watch_table(
    cells: Iterable[CellKey], video_states: Mapping[str, VideoState], sent_cells: Mapping[CellKey, PlannedCell]
) -> tuple[WatchedCell, ...]:
    """Watch the cells of the planner's table that are under way, whoever sent them."""
    watched = []
    for video, lang in cells:
        job = rules.decisive(video_states[video].jobs or (), lang)
        status = job.status if job else sent_cells[video, lang].status if (video, lang) in sent_cells else ""
        if code := status and get_code(status):
            watched.append(WatchedCell(video, lang, code))
    return tuple(watched)


def watch_jobs(video_states: Mapping[str, VideoState]) -> tuple[WatchedCell, ...]:
    """Watch the subtitle jobs that are under way on the platform, in a list of jobs."""
    cells: dict[CellKey, WatchedCell] = {}
    for video, video_state in video_states.items():
        for job in video_state.jobs or ():
            lang = rules.language_of(job)
            if job.type in set(JobType) and rules.active(job) and lang:
                cells[video, lang] = WatchedCell(video, lang, get_code(job.status), in_table=False)
    return tuple(cells.values())


def merge_watched(*groups: Iterable[WatchedCell]) -> tuple[WatchedCell, ...]:
    """Merge groups: the first entry of a cell wins, and it is in the table if any entry is."""
    cells: dict[CellKey, WatchedCell] = {}
    for cell in chain.from_iterable(groups):
        first = cells.setdefault(_key_of(cell), cell)
        if cell.in_table and not first.in_table:
            cells[_key_of(cell)] = replace(first, in_table=True)
    return tuple(cells.values())


@dataclass(frozen=True)
class PollReading:
    """What polling the watched cells read: the states of their videos, and whether a read failed."""

    video_states: dict[str, VideoState]
    failed: bool


def read_watched(reader: SubtitleReader, watched: Sequence[WatchedCell]) -> PollReading:
    """Read the jobs of the watched videos, less often the more there are, and subtitles where jobs are not enough."""
    videos = list(dict.fromkeys(cell.video_id for cell in watched))
    seconds = max(JOBS_SECONDS, len(videos) * PACE)
    reads: dict[str, Query[Any]] = {f"jobs {video}": reader.jobs(video, seconds) for video in videos}
    for video in {cell.video_id for cell in watched if cell.code in SENT_CODES}:
        reads[f"subtitles {video}"] = reader.subtitles(video)
    outcomes = reader.gather(reads)
    video_states = {video: video_state_of(outcomes, video)[0] for video in videos}
    return PollReading(video_states, any(isinstance(outcome, Failed) for outcome in outcomes.values()))


def current_code(cell: WatchedCell, video_state: VideoState) -> str:
    """The code of a watched cell by the platform's jobs; the one that the page shows where they were not read."""
    if video_state.jobs is None or cell.code in RECORDED_CODES:
        return cell.code
    job = rules.decisive(video_state.jobs, cell.lang)
    return get_code(job.status) if job else cell.code


@dataclass(frozen=True)
class CellChange:
    """A watched cell whose status differs from what the page shows: its status now, its record and its title if known."""

    watched: WatchedCell
    status: str
    cell: PlannedCell | None
    title: str

    @property
    def ended(self) -> bool:
        return not get_code(self.status)

    @property
    def state(self) -> messages.StateView:
        return messages.view_state(self.status)

    @property
    def element_id(self) -> str:
        return models.cell_id(self.watched.video_id, self.watched.lang)


def announce(ended: Sequence[CellChange]) -> str:
    """One sentence for everything that ended; nothing for what only went on."""
    if len(ended) == 1:
        return _announce_one(ended[0])
    counts = Counter(change.status for change in ended)
    parts = []
    if count := counts[JobStatus.FINISHED]:
        parts.append(ngettext("%(count)s job finished", "%(count)s jobs finished", count) % {"count": count})
    if count := counts[JobStatus.ERROR]:
        parts.append(ngettext("%(count)s ended in an error", "%(count)s ended in an error", count) % {"count": count})
    if count := counts[JobStatus.SKIPPED]:
        parts.append(ngettext("%(count)s was skipped", "%(count)s were skipped", count) % {"count": count})
    if count := sum(number for status, number in counts.items() if status not in set(JobStatus)):
        parts.append(ngettext("%(count)s was not found", "%(count)s were not found", count) % {"count": count})
    return ", ".join(parts)


def _announce_one(ended: CellChange) -> str:
    values = {"language": messages.language(ended.watched.lang), "title": ended.title}
    if ended.status == JobStatus.FINISHED:
        return _("%(language)s finished for %(title)s") % values
    if ended.status == JobStatus.ERROR:
        return _("%(language)s ended in an error for %(title)s") % values
    if ended.status == JobStatus.SKIPPED:
        return _("%(language)s was skipped for %(title)s") % values
    return _("%(language)s: no job found for %(title)s") % values


@dataclass(frozen=True)
class Poll:
    """One poll. `on`: the page that polls. `listed`: how many jobs its list shows, None where it has no list."""

    request: OwnerRequest
    path: str
    watched: tuple[WatchedCell, ...]
    on: str
    batches: tuple[str, ...]
    failed_before: bool
    listed: int | None

    def answer(self) -> HttpResponse:
        """204 without a body, or the parts that changed, with the next poll (none when every job has ended)."""
        reader = SubtitleReader.of(self.request)
        reading = read_watched(reader, self.watched)
        changes = self._changes(reader, reading)
        arrived = self._arrived(reading)
        if not changes and not arrived and reading.failed == self.failed_before:
            return unchanged()
        return render(self.request, "subtitles/_live.html", self._list_parts(reading, changes, arrived))

    def _changes(self, reader: SubtitleReader, reading: PollReading) -> list[CellChange]:
        moved = [
            watched
            for watched in self.watched
            if current_code(watched, reading.video_states[watched.video_id]) != watched.code
        ]
        candidates = moved + [watched for watched in self.watched if watched.code in RECORDED_CODES]
        if not candidates:
            return []
        videos = {watched.video_id for watched in candidates}
        models.update_open_cells(models.list_open_cells(self.request, videos), reading.video_states, timezone.now())
        newest = models.list_newest_cells(self.request, videos)
        changes = []
        for watched in dict.fromkeys(candidates):
            cell = newest.get((watched.video_id, watched.lang))
            status = self._status(watched, cell, reading)
            if get_code(status) != watched.code:
                title = cell.title if cell else _title(reader, watched.video_id)
                changes.append(CellChange(watched, status, cell, title))
        return changes

    def _status(self, watched: WatchedCell, cell: PlannedCell | None, reading: PollReading) -> str:
        """The status of a cell: of the platform's job where there is one, else of our record."""
        job = _job(reading, watched)
        if cell is not None and (watched.code in RECORDED_CODES or job is None or job.id == cell.job_id):
            return cell.status
        return job.status if job is not None else Status.MISSING

    def _arrived(self, reading: PollReading) -> tuple[Job, ...]:
        """Jobs that the list of a video does not show yet, also ended ones: a hidden tab may poll too late to see them run."""
        if self.listed is None:
            return ()
        jobs = (job for video_state in reading.video_states.values() for job in video_state.jobs or ())
        return tuple(sorted(jobs, key=lambda job: job.created_at or rules.LONG_AGO)[self.listed :])

    def _list_parts(
        self, reading: PollReading, changes: list[CellChange], arrived: tuple[Job, ...]
    ) -> dict[str, object]:
        """templates/subtitles/_live.html: everything that changed. `poll` is empty when nothing is left to wait for."""
        codes = {(change.watched.video_id, change.watched.lang): get_code(change.status) for change in changes}
        next_watched = [replace(cell, code=codes.get(_key_of(cell), cell.code)) for cell in self.watched]
        started = watch_jobs(reading.video_states) if arrived else ()
        next_watched = list(merge_watched((cell for cell in next_watched if cell.code), started))
        actor = recorder.actor_of(self.request, self.request.account)
        cells = [change.cell for change in changes if change.cell and str(change.cell.batch_id) in self.batches]
        listed = "" if self.listed is None else str(self.listed + len(arrived))
        failed = "1" if reading.failed else ""
        return {
            "poll": build_poll_address(
                self.path, next_watched, on=self.on, batch=self.batches, failed=failed, jobs=listed
            ),
            "changes": changes,
            "rows": self._list_rows(reading, changes, arrived, cells),
            "new_rows": [upstream_row(job, "") for job in reversed(arrived)],
            "heads": [build_head(batch, batch.cells.all(), actor) for batch in {cell.batch for cell in cells}],
            "on_batch": self.on == "batch",
            "announcement": announce([change for change in changes if change.ended]),
            "open_jobs": models.list_open_cells(self.request).count(),
            "failed": reading.failed,
        }

    def _list_rows(
        self,
        reading: PollReading,
        changes: list[CellChange],
        arrived: tuple[Job, ...],
        cells: Iterable[PlannedCell],
    ) -> list[JobView]:
        if self.on == "video":
            jobs = [(_job(reading, change.watched), change.title) for change in changes]
            return [upstream_row(job, title) for job, title in jobs if job and job not in arrived]
        return [cell_row(cell, cell.batch) for cell in cells]


def parse_poll(request: OwnerRequest, path: str, on: str = "") -> Poll:
    """Parse a poll. `on` is the page that polls, by default the one that the address names."""
    return Poll(
        request=request,
        path=path,
        watched=parse_watched(request.GET),
        on=on or request.GET.get("on", ""),
        batches=tuple(request.GET.getlist("batch")[: rules.MOST_VIDEOS]),
        failed_before=request.GET.get("failed") == "1",
        listed=_listed(request.GET.get("jobs", "")),
    )


def _listed(jobs: str) -> int | None:
    """How many jobs the list on the page shows; None where there is no list."""
    return int(jobs) if jobs.isdecimal() and len(jobs) < 7 else None


def _job(reading: PollReading, cell: WatchedCell) -> Job | None:
    return rules.decisive(reading.video_states[cell.video_id].jobs or (), cell.lang)


def _key_of(cell: WatchedCell) -> CellKey:
    return cell.video_id, cell.lang


def _title(reader: SubtitleReader, video_id: str) -> str:
    """The title of a video that is in no batch; its id where that cannot be read."""
    try:
        return reader.reads.get(reader.video(video_id)).title
    except CallError:
        return video_id
