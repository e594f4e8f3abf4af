"""The library view: which videos have which AI content in which languages, and where the gaps are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import messages, sync
from dashboard.ai_content.pages import languages_of
from dashboard.platform_api.records import Video
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.entries import Entry
from dashboard.shared.refusals import explain
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready

PER_PAGE = 20
GAPS, NONE = "gaps", "none"
"""What the list may be narrowed to, in its address."""
KINDS = ("ebook", "mindmap", "quiz")


@dataclass(frozen=True)
class Shown:
    """Which videos: page, a part of the title, and all ("") or those with gaps or without AI content."""

    page: int
    title: str
    show: str


@dataclass(frozen=True)
class Counts:
    """Of everything with that title: how many videos, of how many it is known, and how many of those have gaps or nothing."""

    videos: int
    known: int
    gaps: int
    empty: int

    @property
    def is_all(self) -> bool:
        """Whether nothing is left to look at."""
        return self.known == self.videos


@dataclass(frozen=True)
class Listed:
    """One page. `total` and `pages` where they are known, `counts` where the whole list is."""

    entries: Sequence[Entry]
    total: int | None
    pages: int | None
    counts: Counts | None


@dataclass(frozen=True)
class Mark:
    """One resource in one language: there or not."""

    name: str
    there: bool


@dataclass(frozen=True)
class Cell:
    """One language of one video. `address` is "" for a language that no address can hold: it is shown without a link."""

    language: str
    address: str
    marks: tuple[Mark, ...]
    other: str
    draft: bool
    full: bool
    there: bool = True
    """There is something in this language."""


@dataclass(frozen=True)
class Row:
    """One video."""

    id: str
    key: str
    title: str
    length: str
    address: str
    cells: tuple[Cell, ...]
    also: tuple[Cell, ...]
    """Languages that have no column on this page."""
    note: str
    """What is not told of its AI content."""
    trouble: str
    fetch: str
    """Where the row gets itself, when it was late."""
    gaps: int
    empty: bool


@dataclass(frozen=True)
class Column:
    """A language as a column head."""

    word: str
    name: str
    lang: str


@dataclass(frozen=True)
class Chip:
    """A filter."""

    words: str
    count: str
    """"" where it is not known."""
    address: str
    current: bool


@dataclass(frozen=True)
class Library:
    """templates/ai_content/ai_content.html."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    chips: tuple[Chip, ...]
    title: str
    range: str
    looked: str
    """How much of the library a search for gaps knows, where that is not all."""
    previous: str
    next: str
    trouble: str
    next_step: str


def without_list(sentence: str, next_step: str) -> Library:
    """The page when the videos cannot be listed."""
    return Library((), (), (), "", "", "", "", "", sentence, next_step)


def library(listed: Listed, details: Mapping[str, Outcome], drafts: set[tuple[str, str]], shown: Shown) -> Library:
    """The whole page. `details` are the videos by id, `drafts` pairs of video and language with unsent work."""
    columns = _columns([outcome.value for outcome in details.values() if isinstance(outcome, Ready)])
    rows = [row_of(one, details.get(one.id), columns, drafts) for one in listed.entries]
    last = shown.page >= listed.pages if listed.pages is not None else len(listed.entries) < PER_PAGE
    return Library(
        rows=tuple(row for row in rows if _belongs(row, shown.show)),
        columns=columns,
        chips=_chips(listed, shown),
        title=shown.title,
        range=_range((shown.page - 1) * PER_PAGE + 1, len(listed.entries), listed.total),
        looked=_looked(listed, shown),
        previous=_address(shown.page - 1, shown.title, shown.show) if shown.page > 1 else "",
        next="" if last else _address(shown.page + 1, shown.title, shown.show),
        trouble="",
        next_step="",
    )


def _belongs(row: Row, show: str) -> bool:
    """Whether a row is what is shown; one that was not read yet may be."""
    if row.fetch or row.trouble or not show:
        return True
    return bool(row.gaps) if show == GAPS else row.empty


def _looked(listed: Listed, shown: Shown) -> str:
    counts = listed.counts
    if not shown.show or counts is None or counts.is_all:
        return ""
    said = ngettext(
        "The AI content of %(known)s of %(count)s video has been looked up.",
        "The AI content of %(known)s of %(count)s videos has been looked up.",
        counts.videos,
    ) % {"known": formats.number(counts.known), "count": formats.number(counts.videos)}
    return f"{said} {_('The others are listed last.')}"


def _columns(videos: Iterable[Video]) -> tuple[Column, ...]:
    found = dict.fromkeys(word for video in videos for word in languages_of(video))
    ordered = sorted(found, key=lambda word: word == sync.LEGACY)
    return tuple(Column(word, messages.language(word), "" if word == sync.LEGACY else word) for word in ordered)


def row_of(
    video: Video | Entry, outcome: Outcome | None, columns: Sequence[Column], drafts: set[tuple[str, str]]
) -> Row:
    """One video, with what is known of it."""
    trouble, fetch = "", ""
    full: Video | None = None
    if isinstance(outcome, Ready):
        full = outcome.value
    elif isinstance(outcome, Failed):
        trouble = explain(outcome.error).sentence
    elif isinstance(outcome, Late):
        fetch = address("ai_content:row", video.id, langs=",".join(column.word for column in columns))
    cells = {word: _cell(full, word, drafts) for word in languages_of(full)} if full is not None else {}
    listed = tuple(cells.pop(c.word, Cell(c.name, "", (), "", False, False, there=False)) for c in columns)
    everything = [cell for cell in (*listed, *cells.values()) if cell.there]
    note = note_of(full) if full is not None else ""
    return Row(
        id=video.id,
        key=f"video-{video.id}",
        title=video.title or video.id,
        length=formats.clock(video.length) if video.length is not None else "",
        address=address("ai_content:video", video.id),
        cells=listed,
        also=tuple(cells.values()),
        note=note,
        trouble=trouble,
        fetch=fetch,
        gaps=sum(1 for cell in everything if not cell.full),
        empty=not everything and not trouble and not fetch and not note,
    )


def note_of(video: Video) -> str:
    """What the platform does not tell of a video's AI content; "" for nothing."""
    if not video.are_ai_resources_told:
        return _("The platform does not tell which AI content there is.")
    kinds = dict.fromkeys(messages.block_name(each.kind) for each in video.ai_resources if not each.lang)
    if not kinds:
        return ""
    return _("Language unknown: %(kinds)s") % {"kinds": ", ".join(kinds)}


def _cell(video: Video, word: str, drafts: set[tuple[str, str]]) -> Cell:
    if word == sync.LEGACY:
        there, other = set(KINDS), ""
        marks: tuple[Mark, ...] = ()
    else:
        there = {each.kind for each in video.ai_resources if each.lang == word}
        other = ", ".join(sorted(there.difference(KINDS, {""})) + [_("contents unknown")] * ("" in there))
        marks = tuple(
            Mark(messages.block_name(kind), kind in there) for kind in KINDS if kind in there or "" not in there
        )
    return Cell(
        language=messages.language(word),
        address=address("ai_content:language", video.id, word),
        marks=marks,
        other=other,
        draft=(video.id, "" if word == sync.LEGACY else word) in drafts,
        full="" in there or there >= set(KINDS),
    )


def _chips(listed: Listed, shown: Shown) -> tuple[Chip, ...]:
    counts = listed.counts
    everything = counts.videos if counts else listed.total if not shown.show else None
    kinds = (
        ("", _("All"), formats.number(everything) if everything is not None else ""),
        (GAPS, _("With gaps"), formats.at_least(counts.gaps, is_all=counts.is_all) if counts else ""),
        (NONE, _("Without AI content"), formats.at_least(counts.empty, is_all=counts.is_all) if counts else ""),
    )
    return tuple(Chip(name, count, _address(1, shown.title, key), key == shown.show) for key, name, count in kinds)


def _address(page: int, title: str, show: str) -> str:
    query = {key: value for key, value in (("title", title), ("show", show), ("page", page)) if value not in ("", 1)}
    return reverse("ai_content:ai_content") + (f"?{urlencode(query)}" if query else "")


def _range(first: int, count: int, total: int | None) -> str:
    if not count:
        return ""
    values = {
        "first": formats.number(first),
        "last": formats.number(first + count - 1),
        "total": formats.number(total or 0),
    }
    if total is None:
        return _("Videos %(first)s to %(last)s") % values
    return _("Videos %(first)s to %(last)s of %(total)s") % values
