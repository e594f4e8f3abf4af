"""Lists of jobs and batches: templates/subtitles/jobs.html, history.html and video_jobs.html."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Page
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from dashboard.shared.refusals import Explained
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.batches import BatchGroup, BatchHead, build_head
from dashboard.subtitles.pages.jobs import JobView, cell_row
from dashboard.subtitles.pages.tabs import AccountContext, Tabs, tabs
from dashboard.subtitles.tracking import Status


@dataclass(frozen=True, slots=True)
class JobFilter:
    """A filter of the list of jobs."""

    word: str
    count: int
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class JobsPage:
    """templates/subtitles/jobs.html."""

    tabs: Tabs
    groups: tuple[BatchGroup, ...]
    chips: tuple[JobFilter, ...]
    previous: str
    next: str
    range: str
    filtered: bool


JOB_FILTERS: Final[dict[str, tuple[Any, frozenset[str]]]] = {
    "queue": (
        pgettext_lazy("subtitles", "In queue"),
        frozenset({Status.QUEUE, Status.WAITING, Status.SENDING, Status.UNCONFIRMED}),
    ),
    "running": (pgettext_lazy("subtitles", "Running"), frozenset({Status.RUNNING})),
    "finished": (pgettext_lazy("subtitles", "Finished"), frozenset({Status.FINISHED})),
    "error": (pgettext_lazy("subtitles", "Error"), frozenset({Status.ERROR, Status.REFUSED, Status.MISSING})),
    "skipped": (pgettext_lazy("subtitles", "Skipped"), frozenset({Status.SKIPPED, Status.DROPPED, Status.HELD})),
}
"""The filters of the list of jobs by their word in the address: label and statuses."""


@dataclass(frozen=True, slots=True)
class JobsData:
    """One page of the cells that were sent. `cells_by_batch`: all cells of its batches. `counts`: by status, of all cells."""

    page: Page[PlannedCell]
    cells_by_batch: Mapping[Batch, Sequence[PlannedCell]]
    counts: Mapping[str, int]
    status_filter: str


def build_jobs_page(data: JobsData, account: AccountContext) -> JobsPage:
    """The list of jobs with its filters and pages."""
    page, status_filter = data.page, data.status_filter
    counts = [("", pgettext("subtitles", "All"), sum(data.counts.values()))]
    for word, (label, statuses) in JOB_FILTERS.items():
        counts.append((word, str(label), sum(data.counts.get(status, 0) for status in statuses)))
    values = {"first": page.start_index(), "last": page.end_index(), "total": page.paginator.count}
    return JobsPage(
        tabs=tabs("jobs", account.open_jobs),
        groups=tuple(
            BatchGroup(
                build_head(batch, cells, account.actor),
                tuple(cell_row(cell, batch) for cell in page.object_list if cell.batch_id == batch.pk),
                "",
            )
            for batch, cells in data.cells_by_batch.items()
        ),
        chips=tuple(
            JobFilter(label, count, f"?job={word}" if word else "?", word == status_filter)
            for word, label, count in counts
        ),
        previous=_page_address(page.previous_page_number(), status_filter) if page.has_previous() else "",
        next=_page_address(page.next_page_number(), status_filter) if page.has_next() else "",
        range=_("Jobs %(first)s to %(last)s of %(total)s") % values if page.paginator.count else "",
        filtered=bool(status_filter),
    )


def _page_address(number: int, status_filter: str = "") -> str:
    return f"?{urlencode({'job': status_filter, 'page': number} if status_filter else {'page': number})}"


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """templates/subtitles/history.html."""

    tabs: Tabs
    batches: tuple[BatchHead, ...]
    previous: str
    next: str


def build_history_page(page: Page[Batch], account: AccountContext) -> HistoryPage:
    """One page of the batches that were sent."""
    return HistoryPage(
        tabs=tabs("history", account.open_jobs),
        batches=tuple(build_head(batch, batch.cells.all(), account.actor) for batch in page.object_list),
        previous=_page_address(page.previous_page_number()) if page.has_previous() else "",
        next=_page_address(page.next_page_number()) if page.has_next() else "",
    )


@dataclass(frozen=True, slots=True)
class VideoJobsPage:
    """templates/subtitles/video_jobs.html."""

    tabs: Tabs
    video_id: str
    title: str
    jobs: tuple[JobView, ...]
    trouble: Explained | None
    plan: str
    parent: str
