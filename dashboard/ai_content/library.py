"""The list of videos with their AI content by language, and its gaps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import versions
from dashboard.ai_content.pages import get_block_name, get_language_name
from dashboard.ai_content.versions import LEGACY, list_languages
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
class LanguageCell:
    """One language of one video. `address` is "" for a language code that has no address: it is not linked."""

    language: str
    address: str
    marks: tuple[tuple[str, bool], ...]
    """Name of each resource, and whether it is there."""
    other: str
    draft: bool
    full: bool


@dataclass(frozen=True)
class VideoRow:
    """One video. Its `cells` are None where it has nothing in the language of a column."""

    video: Video | Entry
    address: str
    cells: tuple[LanguageCell | None, ...]
    also: tuple[LanguageCell, ...]
    """Languages that have no column on this page."""
    note: str
    """What the platform does not report about its AI content."""
    trouble: str
    fetch: str
    """Address that the row is loaded from, when its read was late."""
    gaps: int
    empty: bool


def build_library(
    listed: LibraryList, details: Mapping[str, Outcome], drafts: set[tuple[str, str]], scope: LibraryFilter
) -> dict[str, Any]:
    """What templates/ai_content/ai_content.html shows.

    `details` are the videos by id, `drafts` pairs of video and language with unsent drafts.
    """
    words = _list_words([outcome.value for outcome in details.values() if isinstance(outcome, Ready)])
    rows = [build_row(entry, details.get(entry.id), words, drafts) for entry in listed.entries]
    last = scope.page >= listed.pages if listed.pages is not None else len(listed.entries) < PER_PAGE
    return {
        "rows": [row for row in rows if _is_listed(row, scope.show)],
        "columns": [(word, get_language_name(word)) for word in words],
        "chips": _list_chips(listed, scope),
        "scope": scope,
        "range": _format_range((scope.page - 1) * PER_PAGE + 1, len(listed.entries), listed.total),
        "progress": _format_progress(listed, scope),
        "previous": _build_address(scope, scope.page - 1) if scope.page > 1 else "",
        "next": "" if last else _build_address(scope, scope.page + 1),
    }


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


def _list_words(videos: Iterable[Video]) -> list[str]:
    """The languages of these videos, the legacy file last."""
    words = dict.fromkeys(word for video in videos for word in list_languages(video))
    return sorted(words, key=lambda word: word == LEGACY)


def build_row(
    video: Video | Entry, outcome: Outcome | None, words: Sequence[str], drafts: set[tuple[str, str]]
) -> VideoRow:
    """Build the row of one video; `words` are the languages of the columns."""
    trouble, fetch = "", ""
    full: Video | None = None
    if isinstance(outcome, Ready):
        full = outcome.value
    elif isinstance(outcome, Failed):
        trouble = explain(outcome.error).sentence
    elif isinstance(outcome, Late):
        fetch = address("ai_content:row", video.id, langs=",".join(words))
    cells = {word: _build_cell(full, word, drafts) for word in list_languages(full)} if full is not None else {}
    note = format_note(full) if full is not None else ""
    return VideoRow(
        video=video,
        address=address("ai_content:video", video.id),
        cells=tuple(cells.get(word) for word in words),
        also=tuple(cell for word, cell in cells.items() if word not in words),
        note=note,
        trouble=trouble,
        fetch=fetch,
        gaps=sum(1 for cell in cells.values() if not cell.full),
        empty=not cells and not trouble and not fetch and not note,
    )


def format_note(video: Video) -> str:
    """Format what the platform does not report about a video's AI content; "" where it reports everything."""
    if not video.are_ai_resources_told:
        return _("The platform does not report which AI content exists.")
    kinds = dict.fromkeys(get_block_name(each.kind) for each in video.ai_resources if not each.lang)
    if not kinds:
        return ""
    return _("Language unknown: %(kinds)s") % {"kinds": ", ".join(kinds)}


def _build_cell(video: Video, word: str, drafts: set[tuple[str, str]]) -> LanguageCell:
    if word == LEGACY:
        there, other = set(KINDS), ""
        marks: tuple[tuple[str, bool], ...] = ()
    else:
        there = {each.kind for each in video.ai_resources if each.lang == word}
        other = ", ".join(sorted(there.difference(KINDS, {""})) + [_("contents unknown")] * ("" in there))
        marks = tuple((get_block_name(kind), kind in there) for kind in KINDS if kind in there or "" not in there)
    return LanguageCell(
        language=get_language_name(word),
        address=address("ai_content:language", video.id, word),
        marks=marks,
        other=other,
        draft=(video.id, "" if word == LEGACY else word) in drafts,
        full="" in there or there >= set(KINDS),
    )


def _list_chips(listed: LibraryList, scope: LibraryFilter) -> list[tuple[str, str, str, str]]:
    """The filters: value, name, count ("" where it is not known), and address."""
    counts = listed.counts
    everything = counts.videos if counts else listed.total if not scope.show else None
    kinds = (
        ("", _("All"), formats.number(everything) if everything is not None else ""),
        (GAPS, _("With gaps"), formats.at_least(counts.gaps, is_all=counts.is_all) if counts else ""),
        (NONE, _("Without AI content"), formats.at_least(counts.empty, is_all=counts.is_all) if counts else ""),
    )
    return [(key, name, count, _build_address(replace(scope, show=key), 1)) for key, name, count in kinds]


def _build_address(scope: LibraryFilter, page: int) -> str:
    return address("ai_content:ai_content", title=scope.title, show=scope.show, page=page if page > 1 else None)


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
    row = build_row(video, Ready(video), (), set())
    return (row.gaps > 0, row.empty) if video.are_ai_resources_told else None


def _build_query(video_id: str) -> Query[Gaps]:
    return Query(
        lambda platform: _find_gaps(platform.videos.get(video_id)), versions.LIBRARY_SECONDS, shape="lacks AI content"
    )


CONTENT: Final = Fact("ai_content", "videos.get", _build_query)


def load_list(request: OwnerRequest, scope: LibraryFilter) -> LibraryList:
    """Load one page of the list. Raises a `PlatformError`."""
    reader, selection = reads.of(request), Wanted(title=scope.title)
    if scope.show in (GAPS, NONE):
        return _load_filtered(reader, selection, scope)
    query = library.page_of(selection, scope.page, PER_PAGE, versions.LIST_SECONDS)
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
    start = (scope.page - 1) * PER_PAGE
    pages = -(-len(matches) // PER_PAGE)
    return LibraryList(matches[start : start + PER_PAGE], len(matches), pages, _count_gaps(known, entries))


def _count_gaps(known: Mapping[str, Gaps], entries: Sequence[Entry]) -> GapCounts:
    of_these = [gaps for entry in entries if (gaps := known.get(entry.id))]
    return GapCounts(
        videos=len(entries),
        known=len(of_these),
        gaps=sum(has_gaps for has_gaps, _is_empty in of_these),
        empty=sum(is_empty for _has_gaps, is_empty in of_these),
    )
