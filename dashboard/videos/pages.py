"""View models of the library templates."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import LANGUAGES, VideoStatus
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.entries import ROOT, Entry, Shelf
from dashboard.videos.gap_pages import GapProgress, build_gap_progress
from dashboard.videos.library import LibraryView
from dashboard.videos.rules import PER_PAGE, SORTED_BY, LibraryQuery, VideoColumn, VideoSort, ViewMode

SELECT_FOLDERS = 100
"""With more folders than this a list to choose from is no help: the page leads to the tree instead."""
SPELLED = {code.lower(): code for code in LANGUAGES}
SHAPES: dict[str, str] = {
    VideoStatus.DRAFT: "draft",
    VideoStatus.CONVERTING: "running",
    VideoStatus.CONVERTED: "finished",
    VideoStatus.FAILED: "error",
    VideoStatus.DELETING: "expired",
}


def status_label(status: str) -> str:
    """A video's status as a word; one that nobody knows as it came."""
    known: dict[str, str] = {
        VideoStatus.DRAFT: _("Draft"),
        VideoStatus.CONVERTING: _("Converting"),
        VideoStatus.CONVERTED: _("Ready"),
        VideoStatus.FAILED: _("Failed"),
        VideoStatus.DELETING: _("In the trash"),
    }
    return known.get(status, status or _("Unknown"))


def status_shape(status: str) -> str:
    """The shape of a status; `unknown` for what nobody knows."""
    return SHAPES.get(status, "unknown")


@dataclass(frozen=True)
class Languages:
    """The subtitles of one row. `known` False: not looked up yet."""

    video_id: str
    known: bool
    codes: str
    names: str


def build_languages(video_id: str, codes: frozenset[str] | None) -> Languages:
    """Codes as the platform spells them, and their names for a title."""
    spelled = sorted(SPELLED.get(code, code) for code in codes or ())
    return Languages(
        video_id, codes is not None, ", ".join(spelled), ", ".join(formats.language_name(code) for code in spelled)
    )


@dataclass(frozen=True)
class VideoRow:
    """One video, as a card and as a row."""

    id: str
    address: str
    title: str
    thumbnail: str
    length: str
    status: str
    shape: str
    ready: bool
    languages: Languages
    folder: str
    folder_address: str
    created: str
    updated: str
    size: str


@dataclass(frozen=True)
class FilterOption:
    """One entry of a select or of the columns."""

    value: str
    words: str
    selected: bool


@dataclass(frozen=True)
class ColumnHead:
    """One column of the table: its word, and how its link would sort ("" where it cannot)."""

    name: str
    words: str
    address: str
    sorted: str
    """ascending, descending, or none."""
    number: bool = False


@dataclass(frozen=True)
class ActiveFilter:
    """One filter in force, with the address without it."""

    words: str
    without: str


@dataclass(frozen=True)
class VideosPage:
    """templates/videos/videos.html and its part _library.html."""

    query: LibraryQuery
    here: str
    rows: tuple[VideoRow, ...]
    heads: tuple[ColumnHead, ...]
    columns: tuple[FilterOption, ...]
    visible_columns: frozenset[str]
    statuses: tuple[FilterOption, ...]
    folders: tuple[FilterOption, ...]
    folder_tree: str
    languages: tuple[FilterOption, ...]
    sorts: tuple[FilterOption, ...]
    chips: tuple[ActiveFilter, ...]
    count: str
    range: str
    previous: str
    following: str
    pages: str
    grid: str
    table: str
    is_table: bool
    late: str
    look_up: str
    look_up_plain: str
    gap_progress: GapProgress | None
    """Of a search for gaps."""
    empty_library: bool
    clear: str
    planner: str
    funnels: str
    folders_failed: bool
    trouble: str
    """Why there is no list, and what to do."""
    answer: str
    """What came, where it cannot be read."""


def build_videos_page(query: LibraryQuery, library: LibraryView, pause: CallError | None = None) -> VideosPage:
    """The library as `query` selects it; of a late `library` only the filters. `pause`: why the worker waits."""
    names = {shelf.id: shelf.name for shelf in library.folders}
    rows = tuple(_build_row(entry, names, library.languages.get(entry.id)) for entry in library.entries)
    unknown = [row.id for row in rows if not row.languages.known] if _shows_languages(query) else []
    return VideosPage(
        query=query,
        here=address("videos:videos", **query.params(page=query.page)),
        rows=rows,
        heads=_build_heads(query),
        columns=tuple(
            FilterOption(column.value, column_labels(column), column in query.columns) for column in VideoColumn
        ),
        visible_columns=frozenset(column.value for column in query.columns),
        statuses=_list_statuses(query),
        folders=_list_folder_options(query, library.folders),
        folder_tree=address("folders:folders"),
        languages=_list_language_options(query),
        sorts=tuple(FilterOption(sort.value, words_, sort is query.sort) for sort, words_ in sort_labels().items()),
        chips=_list_active_filters(query, names),
        count=_format_count(library),
        range=_format_range(query, library),
        previous=address("videos:videos", **query.params(page=query.page - 1)) if query.page > 1 else "",
        following=address("videos:videos", **query.params(page=query.page + 1)) if library.more else "",
        pages=_format_pages(query, library),
        grid=address("videos:videos", **query.params(view=ViewMode.GRID, page=query.page)),
        table=address("videos:videos", **query.params(view=ViewMode.TABLE, page=query.page)),
        is_table=query.view is ViewMode.TABLE,
        late=address("videos:videos", **query.params(page=query.page), wait="1") if library.late else "",
        look_up=address("videos:languages", video=unknown),
        look_up_plain=address("videos:videos", **query.params(page=query.page, languages=True)) if unknown else "",
        gap_progress=_build_gap_progress(query, library, pause),
        empty_library=not rows and not query.narrowed and not library.late and not library.error,
        clear=address("videos:videos", view=query.view.value if query.view is ViewMode.TABLE else ""),
        planner=address("subtitles:subtitles"),
        funnels=address("funnels:funnels"),
        folders_failed=library.folders_failed,
        trouble=_format_error(library),
        answer=refusals.explain(library.error, reading=True).answer if library.error else "",
    )


def _format_error(library: LibraryView) -> str:
    if not library.error:
        return ""
    explained = refusals.explain(library.error, reading=True)
    return explained.whole


def _shows_languages(query: LibraryQuery) -> bool:
    return query.view is ViewMode.GRID or VideoColumn.LANGUAGES in query.columns


def _build_row(entry: Entry, folders: Mapping[str, str], languages: frozenset[str] | None) -> VideoRow:
    return VideoRow(
        id=entry.id,
        address=video_address(entry.id),
        title=entry.title or entry.id,
        thumbnail=entry.thumbnail,
        length=formats.clock(entry.length) if entry.length else "",
        status=status_label(entry.status),
        shape=status_shape(entry.status),
        ready=entry.status == VideoStatus.CONVERTED,
        languages=build_languages(entry.id, languages),
        folder=folders.get(entry.folder_id, entry.folder_id),
        folder_address=address("folders:folders", folder=entry.folder_id) if entry.folder_id else "",
        created=_format_day(entry.created),
        updated=_format_day(entry.updated),
        size=formats.file_size(entry.size) if entry.size else "",
    )


def _format_day(seconds: float | None) -> str:
    return formats.day(datetime.fromtimestamp(seconds, UTC)) if seconds else ""


def column_labels(column: VideoColumn) -> str:
    """The head of a column."""
    return {
        VideoColumn.STATUS: _("Status"),
        VideoColumn.LANGUAGES: _("Subtitles"),
        VideoColumn.FOLDER: _("Folder"),
        VideoColumn.LENGTH: _("Length"),
        VideoColumn.CREATED: _("Created"),
        VideoColumn.UPDATED: _("Changed"),
        VideoColumn.SIZE: _("Size"),
        VideoColumn.ID: _("Id"),
    }[column]


def sort_labels() -> dict[VideoSort, str]:
    """The orders as people choose them."""
    return {
        VideoSort.LISTED: _("Platform order"),
        VideoSort.TITLE: _("Title, A to Z"),
        VideoSort.TITLE_DOWN: _("Title, Z to A"),
        VideoSort.CREATED_DOWN: _("Newest first"),
        VideoSort.CREATED: _("Oldest first"),
        VideoSort.LENGTH_DOWN: _("Longest first"),
        VideoSort.LENGTH: _("Shortest first"),
        VideoSort.SIZE_DOWN: _("Largest first"),
        VideoSort.SIZE: _("Smallest first"),
    }


def _build_heads(query: LibraryQuery) -> tuple[ColumnHead, ...]:
    titled = _build_head(query, "title", _("Title"), VideoSort.TITLE)
    columns = (
        _build_head(
            query,
            column.value,
            column_labels(column),
            SORTED_BY.get(column),
            number=column in (VideoColumn.LENGTH, VideoColumn.SIZE),
        )
        for column in query.columns
    )
    return (titled, *columns)


def _build_head(
    query: LibraryQuery, name: str, title: str, sort: VideoSort | None, *, number: bool = False
) -> ColumnHead:
    if sort is None:
        return ColumnHead(name, title, "", "none", number)
    state = "ascending" if query.sort is sort else "descending" if query.sort == f"-{sort}" else "none"
    turned = VideoSort(f"-{sort}") if state == "ascending" else sort
    return ColumnHead(name, title, address("videos:videos", **query.params(sort=turned)), state, number)


def _list_statuses(query: LibraryQuery) -> tuple[FilterOption, ...]:
    values = [status.value for status in VideoStatus]
    if query.status and query.status not in values:
        values.append(query.status)
    return tuple(FilterOption(value, status_label(value), value == query.status) for value in values)


def _list_folder_options(query: LibraryQuery, folders: tuple[Shelf, ...]) -> tuple[FilterOption, ...]:
    """The folders to choose from; only the chosen one where there are too many for a list."""
    listed = folders if len(folders) <= SELECT_FOLDERS else [folder for folder in folders if folder.id == query.folder]
    by_name = sorted(((folder.name, folder.id) for folder in listed), key=lambda pair: pair[0].casefold())
    choices = [FilterOption(folder_id, name, folder_id == query.folder) for name, folder_id in by_name]
    if query.folder not in ("", ROOT) and not any(choice.selected for choice in choices):
        choices.append(FilterOption(query.folder, query.folder, True))
    return (FilterOption(ROOT, _("In no folder"), query.folder == ROOT), *choices)


def _list_language_options(query: LibraryQuery) -> tuple[FilterOption, ...]:
    choices = [FilterOption(code, formats.language_name(code), code == query.missing) for code in LANGUAGES]
    return tuple(sorted(choices, key=lambda choice: choice.words.casefold()))


def _list_active_filters(query: LibraryQuery, folders: Mapping[str, str]) -> tuple[ActiveFilter, ...]:
    filters = []
    if query.q:
        filters.append((_("“%(words)s” in the title") % {"words": query.q}, {"q": ""}))
    if query.folder:
        name = _("In no folder") if query.folder == ROOT else folders.get(query.folder, query.folder)
        filters.append((name, {"folder": ""}))
    if query.status:
        filters.append((status_label(query.status), {"status": ""}))
    if query.missing:
        filters.append(
            (_("No subtitles in %(language)s") % {"language": formats.language_name(query.missing)}, {"missing": ""})
        )
    return tuple(
        ActiveFilter(sentence, address("videos:videos", **query.params(**change))) for sentence, change in filters
    )


def _format_count(library: LibraryView) -> str:
    if library.total is None:
        return ""
    return ngettext("%(count)s video", "%(count)s videos", library.total) % {"count": formats.number(library.total)}


def _format_range(query: LibraryQuery, library: LibraryView) -> str:
    if not library.entries:
        return ""
    first = (query.page - 1) * PER_PAGE + 1
    numbers = {"first": formats.number(first), "last": formats.number(first + len(library.entries) - 1)}
    if library.total is None:
        return _("%(first)s to %(last)s") % numbers
    return _("%(first)s to %(last)s of %(total)s") % {**numbers, "total": formats.number(library.total)}


def _format_pages(query: LibraryQuery, library: LibraryView) -> str:
    if not library.pages:
        return ""
    return _("Page %(page)s of %(pages)s") % {
        "page": formats.number(query.page),
        "pages": formats.number(library.pages),
    }


def _build_gap_progress(query: LibraryQuery, library: LibraryView, pause: CallError | None) -> GapProgress | None:
    if not query.missing or library.late or library.error:
        return None
    return build_gap_progress(query, library.known, library.matching, pause)


def build_language_cells(known: Mapping[str, frozenset[str]], videos: Iterable[str]) -> tuple[Languages, ...]:
    """The cells that a page fetches for itself."""
    return tuple(build_languages(video, known.get(video)) for video in videos)
