"""Batches that were sent: their heads, their groups in lists, and templates/subtitles/batch.html."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import JobType
from dashboard.subtitles import messages, tracking
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.coverage import LanguageColumn, cell_id, page_of
from dashboard.subtitles.pages.jobs import JobView, again, cell_row, explain_reason
from dashboard.subtitles.pages.tabs import AccountContext, Tabs, parent_sentence, tabs
from dashboard.subtitles.tracking import BatchTally, Status


@dataclass(frozen=True, slots=True)
class BatchHead:
    """`head` of templates/subtitles/_batch.html: what a batch is and how far it has come."""

    id: str
    key: str
    href: str
    title: str
    summary: str
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


def build_head(batch: Batch, cells: Iterable[PlannedCell], actor: str) -> BatchHead:
    """What a batch is, in one line, and its progress."""
    planned = list(cells)
    count = tracking.tally(cell.status for cell in planned)
    langs = list(dict.fromkeys(cell.lang for cell in planned))
    label = batch.label or _titles(list(dict.fromkeys(cell.title for cell in planned)))
    title = _("%(label)s to %(languages)s") % {"label": label, "languages": messages.format_languages(langs)}
    sent = batch.sent_at or batch.created_at
    return BatchHead(
        id=f"batch-{batch.pk}",
        key=str(batch.pk),
        href=reverse("subtitles:batch", args=[batch.pk]),
        title=title,
        summary=messages.sent_when(sent, batch.actor, batch.actor == actor, messages.tier(batch.tier)),
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
    """How many cells are not confirmed, not sent, and still to send."""
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


GROUP_ROWS: Final = 8
"""Rows of a batch in a list of batches; open cells are always shown."""


def build_group(batch: Batch, cells: Sequence[PlannedCell], actor: str) -> BatchGroup:
    """A batch with its open cells first, and as many others as `GROUP_ROWS` leaves room for."""
    rows = sorted(cells, key=lambda cell: (not tracking.is_open(cell.status), cell.position))
    most = max(GROUP_ROWS, sum(tracking.is_open(cell.status) for cell in cells))
    more = all_jobs(len(rows)) if len(rows) > most else ""
    return BatchGroup(build_head(batch, cells, actor), tuple(cell_row(cell, batch) for cell in rows[:most]), more)


def order_sentence(batch: Batch) -> str:
    """The type and the source language of a batch."""
    values = {"source": messages.language_with_code(batch.from_lang)}
    if batch.type == JobType.TRANSCRIPTION:
        return _("Transcription, source language: %(source)s") % values
    return _("Translation, source language: %(source)s") % values


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


@dataclass(frozen=True, slots=True)
class BatchData:
    """A batch that was sent, with its cells. `waits`: some of its writes have not ended."""

    batch: Batch
    cells: tuple[PlannedCell, ...]
    waits: bool


def build_batch_page(data: BatchData, account: AccountContext) -> BatchPage:
    """The progress of a batch."""
    columns, rows = batch_table(data.cells)
    planned = [cell for cell in data.cells if cell.status == Status.PLANNED]
    retry = [cell for cell in data.cells if cell.status in tracking.AGAIN]
    return BatchPage(
        tabs=tabs("jobs", account.open_jobs),
        head=build_head(data.batch, data.cells, account.actor),
        order=order_sentence(data.batch),
        columns=columns,
        rows=rows,
        sprite=messages.sprite(),
        jobs=tuple(cell_row(cell, data.batch) for cell in data.cells),
        to_send=len(planned),
        waits=data.waits,
        send_trouble=explain_reason(next((cell.reason for cell in planned if cell.reason), "")),
        doubtful=doubtful_sentence(tracking.tally(cell.status for cell in data.cells).doubtful),
        again=again(retry, data.batch) if retry else "",
        again_words=again_words(len(retry)),
        parent=parent_sentence(account.parent),
        key=str(data.batch.pk),
    )


def doubtful_sentence(count: int) -> str:
    """How many jobs are not confirmed; "" for none."""
    if not count:
        return ""
    sentence = ngettext(
        "The platform didn't answer for %(count)s job. We keep checking automatically, and nothing is sent twice.",
        "The platform didn't answer for %(count)s jobs. We keep checking automatically, and nothing is sent twice.",
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


def live_cell(cell: PlannedCell, named: str = "") -> LiveCell:
    """A cell of a batch as it stands."""
    look, shape = messages.find_look(cell.status)
    word = messages.status_word(cell.status)
    return LiveCell(cell_id(cell.video_id, cell.lang), look, shape, word, page_of(cell.video_id, cell.lang), named)
