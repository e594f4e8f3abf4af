"""What a poll is answered: nothing when nothing changed, else exactly the pieces that did."""

from dataclasses import dataclass, replace

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import ngettext

from dashboard.activity import recorder
from dashboard.platform_api.errors import PlatformError
from dashboard.platform_api.records import Job
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.subtitles import live, messages, rules
from dashboard.subtitles.live import Look, WatchedCell
from dashboard.subtitles.models import PlannedCell
from dashboard.subtitles.pages import batches as batch_pages
from dashboard.subtitles.pages import live as pages
from dashboard.subtitles.pages.batches import BatchHead, LiveCell
from dashboard.subtitles.pages.coverage import page_of
from dashboard.subtitles.pages.jobs import JobView, cell_row, upstream_row
from dashboard.subtitles.queries import SubtitleReader
from dashboard.subtitles.rules import CellKey
from dashboard.subtitles.tracking import Status


@dataclass(frozen=True)
class CellChange:
    """One watched cell that is not as the page last saw it: its status now, its record and its title where known."""

    watched: WatchedCell
    status: str
    cell: PlannedCell | None
    title: str

    @property
    def ended(self) -> bool:
        return not live.letter(self.status)


@dataclass(frozen=True)
class Poll:
    """One poll: its request, its reader, and what the page was watching."""

    request: OwnerRequest
    path: str
    watched: tuple[WatchedCell, ...]
    on: str
    batches: tuple[str, ...]
    failed_before: bool
    listed: int | None

    def answer(self) -> HttpResponse:
        """204 without a body, or the pieces that changed with the next poll (none when all has ended)."""
        reader = SubtitleReader.of(self.request)
        look = live.look(reader, self.watched)
        changes = self._changes(reader, look)
        arrived = self._arrived(look)
        if not changes and not arrived and look.failed == self.failed_before:
            return unchanged()
        return render(self.request, "subtitles/_live.html", {"live": self._live(look, changes, arrived)})

    def _changes(self, reader: SubtitleReader, look: Look) -> list[CellChange]:
        moved = [
            watched_cell
            for watched_cell in self.watched
            if live.now_at(watched_cell, look.video_states[watched_cell.video_id]) != watched_cell.letter
        ]
        candidates = moved + [watched_cell for watched_cell in self.watched if watched_cell.letter in live.OURS]
        if not candidates:
            return []
        videos = {watched_cell.video_id for watched_cell in candidates}
        live.observe(live.open_cells(self.request, videos), look.video_states, timezone.now())
        cells = live.newest_cells(self.request, videos)
        changes = []
        for watched_cell in dict.fromkeys(candidates):
            cell = cells.get((watched_cell.video_id, watched_cell.lang))
            status = self._status(watched_cell, cell, look)
            if live.letter(status) != watched_cell.letter:
                title = cell.title if cell else _title(reader, watched_cell.video_id)
                changes.append(CellChange(watched_cell, status, cell, title))
        return changes

    def _status(self, watched: WatchedCell, cell: PlannedCell | None, look: Look) -> str:
        """How a cell stands: by the platform's job where there is one, else by our record."""
        job = _job(look, watched)
        if cell is not None and (watched.letter in live.OURS or job is None or job.id == cell.job_id):
            return cell.status
        return job.status if job is not None else Status.MISSING

    def _arrived(self, look: Look) -> tuple[Job, ...]:
        """Jobs that the list of a video does not show yet, ended ones too: a hidden tab sleeps longer than a job runs."""
        if self.listed is None:
            return ()
        jobs = (job for video_state in look.video_states.values() for job in video_state.jobs or ())
        return tuple(sorted(jobs, key=lambda job: job.created_at or rules.LONG_AGO)[self.listed :])

    def _live(self, look: Look, changes: list[CellChange], arrived: tuple[Job, ...]) -> pages.LiveUpdate:
        became = {(change.watched.video_id, change.watched.lang): live.letter(change.status) for change in changes}
        next_watched = [replace(cell, letter=became.get(_cell(cell), cell.letter)) for cell in self.watched]
        began = live.of_jobs(look.video_states) if arrived else ()
        next_watched = list(live.merged((cell for cell in next_watched if cell.letter), began))
        ended = [
            pages.EndedCell(change.title, change.watched.lang, change.status) for change in changes if change.ended
        ]
        failed = "1" if look.failed else ""
        count = live.open_cells(self.request).count()
        return pages.LiveUpdate(
            poll=live.address(
                self.path, next_watched, on=self.on, batch=self.batches, failed=failed, jobs=self._listed(arrived)
            ),
            cells=tuple(_live_cell(change) for change in changes if change.watched.in_table),
            rows=self._rows(look, changes, arrived),
            new_rows=tuple(upstream_row(job, "") for job in reversed(arrived)),
            heads=self._heads(changes),
            on_batch=self.on == "batch",
            announcement=pages.announcement(ended) if ended else "",
            running=ngettext("%(count)s running", "%(count)s running", count) % {"count": count} if count else "",
            trouble=pages.trouble(look.failed),
            sprite=messages.sprite(),
        )

    def _listed(self, arrived: tuple[Job, ...]) -> str:
        return "" if self.listed is None else str(self.listed + len(arrived))

    def _rows(self, look: Look, changes: list[CellChange], arrived: tuple[Job, ...]) -> tuple[JobView, ...]:
        if self.on == "video":
            jobs = [(_job(look, change.watched), change.title) for change in changes]
            return tuple(upstream_row(job, title) for job, title in jobs if job and job not in arrived)
        cells = [
            change.cell for change in changes if change.cell is not None and str(change.cell.batch_id) in self.batches
        ]
        return tuple(cell_row(cell, cell.batch) for cell in cells)

    def _heads(self, changes: list[CellChange]) -> tuple[BatchHead, ...]:
        actor = recorder.actor_of(self.request, self.request.account)
        batches = {
            change.cell.batch
            for change in changes
            if change.cell is not None and str(change.cell.batch_id) in self.batches
        }
        return tuple(batch_pages.head(batch, batch.cells.all(), actor) for batch in batches)


def poll(request: OwnerRequest, path: str, on: str = "") -> Poll:
    """The poll that this request is; `on` is the page it stands on, by default the one it names."""
    return Poll(
        request=request,
        path=path,
        watched=live.read(request.GET.getlist("at")),
        on=on or request.GET.get("on", ""),
        batches=tuple(request.GET.getlist("batch")[: rules.MOST_VIDEOS]),
        failed_before=request.GET.get("failed") == "1",
        listed=_listed(request.GET.get("jobs", "")),
    )


def _listed(jobs: str) -> int | None:
    """How many jobs the list on the page shows; None where there is no list."""
    return int(jobs) if jobs.isdecimal() and len(jobs) < 7 else None


def _job(look: Look, cell: WatchedCell) -> Job | None:
    return rules.decisive(look.video_states[cell.video_id].jobs or (), cell.lang)


def _cell(cell: WatchedCell) -> CellKey:
    return cell.video_id, cell.lang


def _live_cell(change: CellChange) -> LiveCell:
    cell = change.watched
    look, shape = messages.look(change.status)
    href = page_of(cell.video_id, cell.lang)
    return LiveCell(
        batch_pages.cell_id(cell.video_id, cell.lang), look, shape, messages.status_word(change.status), href, ""
    )


def _title(reader: SubtitleReader, video_id: str) -> str:
    """The title of a video that is in no batch; its id when that cannot be read now."""
    try:
        return reader.get(reader.video(video_id)).title
    except PlatformError:
        return video_id


def video_jobs_path(video_id: str) -> str:
    """The address of the polled part of one video."""
    return address("subtitles:video_jobs", video_id)
