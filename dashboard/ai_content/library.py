"""The list of videos with their AI content by language, and its gaps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import library as rows
from dashboard.ai_content import messages, sync
from dashboard.ai_content.sync import LEGACY, list_languages
from dashboard.platform_api.errors import Unreachable
from dashboard.platform_api.videos import Video
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.entries import Entry, Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import explain
from dashboard.upstream import facts, library, reads
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

PER_PAGE = 20
KINDS = ("ebook", "mindmap", "quiz")
Gaps = tuple[bool, bool] | None
"""Whether a video has gaps, and whether it has nothing at all; None where the platform's API does not say."""
GAPS, NONE = "gaps", "none"
"""Values of the filter in the address."""


@dataclass(frozen=True)
class LibraryFilter:
    """The filter: page, part of the title, and all ("") or those with gaps or without AI content."""

    page: int
    title: str
    show: str


@dataclass(frozen=True)
class GapCounts:
    """Counts of videos with that title: all, those read, and of the read those with gaps and without AI content."""

    videos: int
    known: int
    gaps: int
    empty: int

    @property
    def is_all(self) -> bool:
        """Whether every video was read."""
        return self.known == self.videos


@dataclass(frozen=True)
class LibraryList:
    """One page of the list. `total` and `pages` may be unknown; `counts` where the whole list is known."""

    entries: Sequence[Entry]
    total: int | None
    pages: int | None
    counts: GapCounts | None


@dataclass(frozen=True)
class ResourceMark:
    """One resource in one language: there or not."""

    name: str
    there: bool


@dataclass(frozen=True)
class LanguageCell:
    """One language of one video. `address` is "" for a language code that has no address: it is not linked."""

    language: str
    address: str
    marks: tuple[ResourceMark, ...]
    other: str
    draft: bool
    full: bool
    there: bool = True
    """Whether there is content in this language."""


@dataclass(frozen=True)
class VideoRow:
    """One video."""

    id: str
    key: str
    title: str
    length: str
    address: str
    cells: tuple[LanguageCell, ...]
    also: tuple[LanguageCell, ...]
    """Languages that have no column on this page."""
    note: str
    """What the platform does not report about its AI content."""
    trouble: str
    fetch: str
    """Address that the row is loaded from, when its read was late."""
    gaps: int
    empty: bool


@dataclass(frozen=True)
class LanguageColumn:
    """A language as a column head."""

    word: str
    name: str
    lang: str


@dataclass(frozen=True)
class FilterChip:
    """A filter."""

    words: str
    count: str
    """"" where it is not known."""
    address: str
    current: bool


@dataclass(frozen=True)
class LibraryPage:
    """templates/ai_content/ai_content.html."""

    rows: tuple[VideoRow, ...]
    columns: tuple[LanguageColumn, ...]
    chips: tuple[FilterChip, ...]
    title: str
    range: str
    progress: str
    """How many videos the counts are of, where not all."""
    previous: str
    next: str
    trouble: str
    next_step: str


def build_empty_page(sentence: str, next_step: str) -> LibraryPage:
    """Build the page when the videos cannot be listed."""
    return LibraryPage(
        (), (), chips=(), title="", range="", progress="", previous="", next="", trouble=sentence, next_step=next_step
    )


def build_library_page(
    listed: LibraryList, details: Mapping[str, Outcome], drafts: set[tuple[str, str]], scope: LibraryFilter
) -> LibraryPage:
    """Build the page. `details` are the videos by id, `drafts` pairs of video and language with unsent drafts."""
    columns = _list_columns([outcome.value for outcome in details.values() if isinstance(outcome, Ready)])
    rows = [build_row(entry, details.get(entry.id), columns, drafts) for entry in listed.entries]
    last = scope.page >= listed.pages if listed.pages is not None else len(listed.entries) < PER_PAGE
    return LibraryPage(
        rows=tuple(row for row in rows if _is_listed(row, scope.show)),
        columns=columns,
        chips=_build_chips(listed, scope),
        title=scope.title,
        range=_format_range((scope.page - 1) * PER_PAGE + 1, len(listed.entries), listed.total),
        progress=_format_progress(listed, scope),
        previous=_build_address(scope.page - 1, scope.title, scope.show) if scope.page > 1 else "",
        next="" if last else _build_address(scope.page + 1, scope.title, scope.show),
        trouble="",
        next_step="",
    )


def _is_listed(row: VideoRow, show: str) -> bool:
    """Whether a row passes the filter; one that was not read yet does, and one that is not wholly told."""
    if row.fetch or row.trouble or row.note or not show:
        return True
    return bool(row.gaps) if show == GAPS else row.empty


def _format_progress(listed: LibraryList, scope: LibraryFilter) -> str:
    counts = listed.counts
    if counts is None or counts.is_all:
        return ""
    sentence = ngettext(
        "AI content was checked for %(known)s of %(count)s video.",
        "AI content was checked for %(known)s of %(count)s videos.",
        counts.videos,
    ) % {"known": formats.number(counts.known), "count": formats.number(counts.videos)}
    return f"{sentence} {_('The other videos are at the end of the list.')}" if scope.show else sentence


def _list_columns(videos: Iterable[Video]) -> tuple[LanguageColumn, ...]:
    words = dict.fromkeys(word for video in videos for word in list_languages(video))
    ordered = sorted(words, key=lambda word: word == LEGACY)
    return tuple(
        LanguageColumn(word, messages.get_language_name(word), "" if word == LEGACY else word) for word in ordered
    )


def build_row(
    video: Video | Entry, outcome: Outcome | None, columns: Sequence[LanguageColumn], drafts: set[tuple[str, str]]
) -> VideoRow:
    """Build the row of one video."""
    trouble, fetch = "", ""
    full: Video | None = None
    if isinstance(outcome, Ready):
        full = outcome.value
    elif isinstance(outcome, Failed):
        trouble = explain(outcome.error).sentence
    elif isinstance(outcome, Late):
        fetch = address("ai_content:row", video.id, langs=",".join(column.word for column in columns))
    cells = {word: _build_cell(full, word, drafts) for word in list_languages(full)} if full is not None else {}
    listed = tuple(
        cells.pop(c.word, LanguageCell(c.name, "", marks=(), other="", draft=False, full=False, there=False))
        for c in columns
    )
    everything = [cell for cell in (*listed, *cells.values()) if cell.there]
    note = format_note(full) if full is not None else ""
    return VideoRow(
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


def format_note(video: Video) -> str:
    """Format what the platform does not report about a video's AI content; "" where it reports everything."""
    if not video.are_ai_resources_told:
        return _("The platform does not report which AI content exists.")
    kinds = dict.fromkeys(messages.get_block_name(each.kind) for each in video.ai_resources if not each.lang)
    if not kinds:
        return ""
    return _("Language unknown: %(kinds)s") % {"kinds": ", ".join(kinds)}


def _build_cell(video: Video, word: str, drafts: set[tuple[str, str]]) -> LanguageCell:
    if word == LEGACY:
        there, other = set(KINDS), ""
        marks: tuple[ResourceMark, ...] = ()
    else:
        there = {each.kind for each in video.ai_resources if each.lang == word}
        other = ", ".join(sorted(there.difference(KINDS, {""})) + [_("contents unknown")] * ("" in there))
        marks = tuple(
            ResourceMark(messages.get_block_name(kind), kind in there)
            for kind in KINDS
            if kind in there or "" not in there
        )
    return LanguageCell(
        language=messages.get_language_name(word),
        address=address("ai_content:language", video.id, word),
        marks=marks,
        other=other,
        draft=(video.id, "" if word == LEGACY else word) in drafts,
        full="" in there or there >= set(KINDS),
    )


def _build_chips(listed: LibraryList, scope: LibraryFilter) -> tuple[FilterChip, ...]:
    counts = listed.counts
    everything = counts.videos if counts else listed.total if not scope.show else None
    kinds = (
        ("", _("All"), formats.number(everything) if everything is not None else ""),
        (GAPS, _("With gaps"), formats.at_least(counts.gaps, is_all=counts.is_all) if counts else ""),
        (NONE, _("Without AI content"), formats.at_least(counts.empty, is_all=counts.is_all) if counts else ""),
    )
    return tuple(
        FilterChip(name, count, _build_address(1, scope.title, key), key == scope.show) for key, name, count in kinds
    )


def _build_address(page: int, title: str, show: str) -> str:
    query = {key: value for key, value in (("title", title), ("show", show), ("page", page)) if value not in ("", 1)}
    return reverse("ai_content:ai_content") + (f"?{urlencode(query)}" if query else "")


def _format_range(first: int, count: int, total: int | None) -> str:
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


def _find_gaps(video: Video) -> Gaps:
    row = rows.build_row(video, Ready(video), (), set())
    return (row.gaps > 0, row.empty) if video.are_ai_resources_told else None


def _build_query(video_id: str) -> Query[Gaps]:
    return Query(
        lambda platform: _find_gaps(platform.videos.get(video_id)), sync.LIBRARY_SECONDS, shape="lacks AI content"
    )


CONTENT: Final = Fact("ai_content", "videos.get", _build_query)


def load_list(request: OwnerRequest, scope: LibraryFilter) -> LibraryList:
    """Load one page of the list. Raises a `PlatformError`."""
    reader, selection = reads.of(request), Wanted(title=scope.title)
    if scope.show in (GAPS, NONE):
        return _load_filtered(reader, selection, scope)
    query = library.page_of(selection, scope.page, rows.PER_PAGE, sync.LIST_SECONDS)
    entries, total, pages = library.value_of(Ready(reader.get(query)))
    everything = library.known_entries(reader, selection)
    return LibraryList(
        entries, total, pages, _count_gaps(facts.known(reader, CONTENT), everything) if everything is not None else None
    )


def _load_filtered(reader: Reads, selection: Wanted, scope: LibraryFilter) -> LibraryList:
    """Load one page of the videos with gaps, and after them of those that were not read yet."""
    first = library.read_first(reader, selection, library.waiting())["first"]
    if isinstance(first, Late):
        raise Unreachable("videos.list")
    entries = library.read_rest(reader, selection, first)
    known = facts.known(reader, CONTENT)
    place = (GAPS, NONE).index(scope.show)
    matches = [entry for entry in entries if (gaps := known.get(entry.id)) and gaps[place]]
    matches += [entry for entry in entries if known.get(entry.id) is None]
    start = (scope.page - 1) * rows.PER_PAGE
    pages = -(-len(matches) // rows.PER_PAGE)
    return LibraryList(matches[start : start + rows.PER_PAGE], len(matches), pages, _count_gaps(known, entries))


def _count_gaps(known: Mapping[str, Gaps], entries: Sequence[Entry]) -> GapCounts:
    of_these = [gaps for entry in entries if (gaps := known.get(entry.id))]
    return GapCounts(
        videos=len(entries),
        known=len(of_these),
        gaps=sum(has_gaps for has_gaps, _is_empty in of_these),
        empty=sum(is_empty for _has_gaps, is_empty in of_these),
    )
