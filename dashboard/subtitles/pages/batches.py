"""Batches: the dry run, progress, the list of jobs and history."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Page
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from dashboard.platform_api.vocabulary import JobType
from dashboard.shared.dry_run import DryRun
from dashboard.shared.refusals import Explained
from dashboard.subtitles import messages, tracking
from dashboard.subtitles.forms import SHORT
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.coverage import LanguageColumn, page_of
from dashboard.subtitles.pages.jobs import JobView
from dashboard.subtitles.pages.tabs import Tabs
from dashboard.subtitles.rules import RejectionReason
from dashboard.subtitles.tracking import BatchTally
from dashboard.upstream.credits import BalancePart


@dataclass(frozen=True, slots=True)
class BatchHead:
    """templates/subtitles/_batch_head.html: what a batch is and how far it has come."""

    id: str
    key: str
    href: str
    title: str
    told: str
    ended: int
    sent: int
    progress: str
    rest: str
    waiting: bool


@dataclass(frozen=True, slots=True)
class LiveCell:
    """One cell of a batch's table; `id` is that of its live part."""

    id: str
    look: str
    shape: str
    word: str
    href: str
    named: str


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One video of a batch's table; None where the batch has no such cell."""

    named: str
    title: str
    cells: tuple[LiveCell | None, ...]


@dataclass(frozen=True, slots=True)
class BatchGroup:
    """A batch with its rows."""

    head: BatchHead
    jobs: tuple[JobView, ...]
    more: str


def head(batch: Batch, cells: Iterable[PlannedCell], actor: str) -> BatchHead:
    """What a batch is, in one line, and its progress."""
    planned = list(cells)
    count = tracking.tally(cell.status for cell in planned)
    langs = list(dict.fromkeys(cell.lang for cell in planned))
    label = batch.label or _titles(list(dict.fromkeys(cell.title for cell in planned)))
    title = _("%(label)s to %(languages)s") % {"label": label, "languages": messages.listed(langs)}
    sent = batch.sent_at or batch.created_at
    return BatchHead(
        id=f"batch-{batch.pk}",
        key=str(batch.pk),
        href=reverse("subtitles:batch", args=[batch.pk]),
        title=title,
        told=messages.sent_when(sent, batch.actor, batch.actor == actor, messages.tier(batch.tier)),
        ended=count.ended,
        sent=count.sent,
        progress=_("%(ended)s of %(sent)s ended") % {"ended": count.ended, "sent": count.sent},
        rest=rest(count),
        waiting=count.planned > 0,
    )


def _titles(titles: list[str]) -> str:
    """The first title, and how many more there are."""
    if len(titles) < 2:
        return "".join(titles)
    more = len(titles) - 1
    words = ngettext("%(title)s and %(count)s more", "%(title)s and %(count)s more", more)
    return words % {"title": titles[0], "count": more}


def rest(count: BatchTally) -> str:
    """What has not left, and what is not certain."""
    parts = []
    if count.doubtful:
        parts.append(
            ngettext("%(count)s not confirmed", "%(count)s not confirmed", count.doubtful) % {"count": count.doubtful}
        )
    if count.unsent:
        parts.append(ngettext("%(count)s not sent", "%(count)s not sent", count.unsent) % {"count": count.unsent})
    if count.planned:
        parts.append(
            ngettext("%(count)s still to send", "%(count)s still to send", count.planned) % {"count": count.planned}
        )
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class DryVideo:
    """What leaves for one video: the jobs in words, and the call as it will be made."""

    title: str
    languages: str
    count: int
    request: DryRun


@dataclass(frozen=True, slots=True)
class DroppedCell:
    """A cell that will not be sent, and why."""

    title: str
    language: str
    reason: str


@dataclass(frozen=True, slots=True)
class DryRunPage:
    """templates/subtitles/check.html."""

    tabs: Tabs
    key: str
    title: str
    order: str
    tier: str
    videos: tuple[DryVideo, ...]
    dropped: tuple[DroppedCell, ...]
    send_words: str
    count: int
    change: str
    credits: str
    balance: BalancePart | None
    parent: str
    trouble: Explained | None


def order_sentence(batch: Batch) -> str:
    """What is made out of what."""
    values = {"source": messages.language_with_code(batch.from_lang)}
    if batch.type == JobType.TRANSCRIPTION:
        return _("Transcription, source language: %(source)s") % values
    return _("Translation, source language: %(source)s") % values


def tier_sentence(batch: Batch) -> str:
    """On which tier it is made."""
    return _("Tier %(tier)s") % {"tier": messages.tier(batch.tier)}


def dry_title(count: int) -> str:
    """The heading of the dry run."""
    if not count:
        return _("Nothing left to send")
    return ngettext("Send %(count)s job?", "Send %(count)s jobs?", count) % {"count": count}


def send_words(count: int) -> str:
    """The words of the button that sends."""
    return ngettext("Send %(count)s job", "Send %(count)s jobs", count) % {"count": count}


def dropped(title: str, lang: str, reason: RejectionReason) -> DroppedCell:
    """A cell of the plan that may not be made any more."""
    return DroppedCell(title, messages.language(lang), messages.reason(reason))


@dataclass(frozen=True, slots=True)
class BatchPage:
    """templates/subtitles/batch.html."""

    tabs: Tabs
    head: BatchHead
    order: str
    columns: tuple[LanguageColumn, ...]
    rows: tuple[BatchRow, ...]
    sprite: str
    jobs: tuple[JobView, ...]
    to_send: int
    waits: bool
    send_trouble: str
    doubtful: str
    again: str
    again_words: str
    parent: str
    key: str


def doubtful_sentence(count: int) -> str:
    """What is not certain, and what happens about it; empty when everything is."""
    if not count:
        return ""
    sentence = ngettext(
        "The answer for %(count)s job did not arrive. Reelroom reads until it is certain, and sends nothing twice.",
        "The answers for %(count)s jobs did not arrive. Reelroom reads until it is certain, and sends nothing twice.",
        count,
    )
    return sentence % {"count": count}


def again_words(count: int) -> str:
    """The words of the link that plans what did not work out."""
    return ngettext("Plan %(count)s job again", "Plan %(count)s jobs again", count) % {"count": count}


def all_jobs(count: int) -> str:
    """The words of the link to a whole batch."""
    return ngettext("All %(count)s job", "All %(count)s jobs", count) % {"count": count}


def batch_table(cells: Iterable[PlannedCell]) -> tuple[tuple[LanguageColumn, ...], tuple[BatchRow, ...]]:
    """The table of a batch: its videos and its languages."""
    planned = list(cells)
    langs = list(dict.fromkeys(cell.lang for cell in planned))
    heads = tuple(LanguageColumn(lang, messages.language(lang), f"c{index}") for index, lang in enumerate(langs))
    by_video: dict[str, dict[str, PlannedCell]] = {}
    for cell in planned:
        by_video.setdefault(cell.video_id, {})[cell.lang] = cell
    rows = []
    for index, (_video, video_cells) in enumerate(by_video.items()):
        title = next(iter(video_cells.values())).title
        views = tuple(
            live_cell(video_cells[h.code], f"r{index} {h.named}") if h.code in video_cells else None for h in heads
        )
        rows.append(BatchRow(f"r{index}", title, views))
    return heads, tuple(rows)


def cell_id(video_id: str, lang: str) -> str:
    """The id of a cell's live part."""
    return f"s-{video_id[:SHORT]}-{lang}"


def live_cell(cell: PlannedCell, named: str = "") -> LiveCell:
    """A cell of a batch as it stands."""
    look, shape = messages.look(cell.status)
    word = messages.status_word(cell.status)
    return LiveCell(cell_id(cell.video_id, cell.lang), look, shape, word, page_of(cell.video_id, cell.lang), named)


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


JOB_FILTER_LABELS: Final[dict[str, Any]] = {
    "": pgettext_lazy("subtitles", "All"),
    "queue": pgettext_lazy("subtitles", "In queue"),
    "running": pgettext_lazy("subtitles", "Running"),
    "finished": pgettext_lazy("subtitles", "Finished"),
    "error": pgettext_lazy("subtitles", "Error"),
    "skipped": pgettext_lazy("subtitles", "Skipped"),
}


def jobs_view(
    tabs: Tabs,
    groups: tuple[BatchGroup, ...],
    counts: Iterable[tuple[str, int]],
    total: int,
    status_filter: str,
    page: Page[PlannedCell],
) -> JobsPage:
    """The list of jobs with its filters and pages."""
    chips = tuple(
        JobFilter(str(JOB_FILTER_LABELS[word]), count, f"?job={word}" if word else "?", word == status_filter)
        for word, count in [("", total), *counts]
    )
    values = {"first": page.start_index(), "last": page.end_index(), "total": page.paginator.count}
    return JobsPage(
        tabs=tabs,
        groups=groups,
        chips=chips,
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


def history_view(tabs: Tabs, heads: tuple[BatchHead, ...], page: Page[Batch]) -> HistoryPage:
    """The batches of one page."""
    previous = _page_address(page.previous_page_number()) if page.has_previous() else ""
    return HistoryPage(tabs, heads, previous, _page_address(page.next_page_number()) if page.has_next() else "")


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
