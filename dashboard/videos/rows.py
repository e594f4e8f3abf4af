"""The rows of the list: what is known of each video, and what is not known yet said so."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final
from urllib.parse import quote

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared import csv, formats
from dashboard.shared.addresses import address
from dashboard.shared.charts.figures import Change, build_change
from dashboard.shared.entries import Entry
from dashboard.videos import catalog as facts
from dashboard.videos import query
from dashboard.videos.catalog import Catalog, CommentCounts, Counted, list_order
from dashboard.videos.labels import SPELLED, VALUES
from dashboard.videos.library import ListView
from dashboard.videos.query import FilterName, list_missing
from dashboard.videos.rules import COLUMNS, VideoColumn

MOST_FIELDS = 2
COUNTED_DAYS: Final = 28
"""Whole days in UTC that plays and views are counted in."""
SHAPES: Final[dict[str, str]] = {
    VideoStatus.DRAFT: "draft",
    VideoStatus.CONVERTING: "running",
    VideoStatus.CONVERTED: "finished",
    VideoStatus.FAILED: "error",
    VideoStatus.DELETING: "expired",
}
STATUSES: Final = {status.value: VALUES[FilterName.STATUS, word] for word, status in query.STATUSES.items()}
"""What each status is called, as a msgid."""
LABELS: Final[dict[VideoColumn, str]] = {
    VideoColumn.SUBTITLES: gettext_noop("Subtitles"),
    VideoColumn.PLAYS: gettext_noop("Plays, 28 days"),
    VideoColumn.VIEWS: gettext_noop("Views, 28 days"),
    VideoColumn.TRAFFIC: gettext_noop("Traffic, 28 days"),
    VideoColumn.COMMENTS: gettext_noop("Comments"),
    VideoColumn.QUIZ: gettext_noop("Quiz"),
    VideoColumn.CHAT: gettext_noop("Chat"),
    VideoColumn.FIELDS: gettext_noop("Custom fields"),
    VideoColumn.STATUS: gettext_noop("Status"),
    VideoColumn.CREATED: gettext_noop("Created"),
    VideoColumn.UPDATED: gettext_noop("Changed"),
    VideoColumn.SIZE: gettext_noop("Size"),
    VideoColumn.ID: gettext_noop("Id"),
}


def status_label(status: str) -> str:
    """A video's status as a word; one that nobody knows as it came."""
    return _(STATUSES[status]) if status in STATUSES else status or _("Unknown")


def status_shape(status: str) -> str:
    """The shape of a status; `unknown` for what nobody knows."""
    return SHAPES.get(status, "unknown")


@dataclass(frozen=True)
class Cell:
    """One cell: words, muted where there is nothing, with a shape where they are a state. `label` heads it on a phone."""

    column: str
    label: str
    words: str = ""
    is_muted: bool = False
    is_number: bool = False
    shape: str = ""
    change: Change | None = None
    languages: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Languages that the query says are missing: shown as such."""
    title: str = ""
    is_minor: bool = False
    """Whether it says of a usual column that there is nothing, or nothing known, and nobody asked: a phone leaves it out."""
    why: str = ""
    """The page that splits the change."""


@dataclass(frozen=True)
class VideoRow:
    """One video of the list, with the cells of its columns as HTML."""

    entry: Entry
    folder: str
    cells: Sequence[SafeString]

    @property
    def is_ready(self) -> bool:
        """Whether it can be watched: its state is not said then."""
        return self.entry.status == VideoStatus.CONVERTED

    @property
    def status(self) -> str:
        return status_label(self.entry.status)

    @property
    def shape(self) -> str:
        return status_shape(self.entry.status)


def build_rows(view: ListView) -> list[VideoRow]:
    """The page's rows with the chosen columns. Of hundreds of cells most say the same: those are built and drawn once."""
    missing, minor = list_missing(view.query), frozenset(COLUMNS) - list_asked(view)
    draw = cache(_draw_cell)

    @cache
    def draw_value(column: VideoColumn, value: Any, video_id: str) -> SafeString:
        cell = _build_cell(column, value, missing, video_id)
        return draw(replace(cell, is_minor=True) if cell.is_muted and column in minor else cell)

    columns = [(column, _find_values(view.catalog, column), column in _COUNTS) for column in view.state.columns]
    rows = []
    for position in view.positions:
        entry = view.catalog.entries[position]
        cells = [draw_value(column, find(position), entry.id if counts else "") for column, find, counts in columns]
        shelf = view.catalog.shelf_by_id.get(entry.folder_id)
        rows.append(VideoRow(entry, shelf.name if shelf else "", cells))
    return rows


def _draw_cell(cell: Cell) -> SafeString:
    return render_to_string("videos/_cell.html", {"cell": cell})


def list_asked(view: ListView) -> frozenset[str]:
    """The columns that the query is about, or the list is sorted by."""
    named = {_ASKED.get(term.name, term.name) for term in view.query.terms}
    has = {value.text.lower() for term in view.query.terms if term.name == FilterName.HAS for value in term.values}
    return frozenset({*named, *has, view.state.sort.key.value})


def _find_values(catalog: Catalog, column: VideoColumn) -> Callable[[int], Any]:
    """What a column tells of the video at a position; None where it is not known."""
    if column in _ENTRY:
        read, entries = attrgetter(_ENTRY[column][0]), catalog.entries
        return lambda position: read(entries[position])
    names = {VideoColumn.SUBTITLES: facts.LANGUAGES, **{fact: name for fact, (name, _build) in _FACTS.items()}}
    return catalog.column(names.get(column, column.value)).__getitem__


def _build_cell(column: VideoColumn, value: Any, missing: tuple[str, ...], video_id: str) -> Cell:
    """`video_id`: of a count, whose change the cell leads to."""
    if column is VideoColumn.SUBTITLES:
        return _build_languages(value, missing)
    if column in _COUNTS:
        cell = _build_count(column, value)
        return replace(cell, why=_build_why_address(column, video_id)) if cell.change else cell
    if column in _ENTRY:
        return _cell(column, *_ENTRY[column][1](value))
    unknown = _("None known") if column == VideoColumn.COMMENTS else _("Unknown")
    return _cell(column, *(_FACTS[column][1](value) if value is not None else (unknown, True)))


def column_label(column: VideoColumn) -> str:
    """The head of a column."""
    return _(LABELS[column])


def _cell(column: VideoColumn, words: str, is_muted: bool = False, shape: str = "") -> Cell:
    is_number = column in (VideoColumn.TRAFFIC, VideoColumn.SIZE)
    return Cell(column.value, column_label(column), words=words, is_muted=is_muted, is_number=is_number, shape=shape)


def _build_languages(codes: frozenset[str] | None, missing: tuple[str, ...]) -> Cell:
    label = column_label(VideoColumn.SUBTITLES)
    if codes is None:
        return Cell("subtitles", label, _("Unknown"), is_muted=True)
    spelled = tuple(sorted(SPELLED.get(code, code) for code in codes))
    lacking = tuple(SPELLED.get(code, code) for code in missing if code not in codes)
    words = "" if spelled or lacking else _("No subtitles")
    names = ", ".join(formats.language_name(code) for code in spelled)
    return Cell("subtitles", label, words, bool(words), languages=spelled, missing=lacking, title=names)


def _build_count(column: VideoColumn, count: Counted | None) -> Cell:
    label = column_label(column)
    if count is None:
        return Cell(column.value, label, _("Unknown"), is_muted=True, is_number=True)
    return Cell(column.value, label, formats.number(count.now), is_number=True, change=_build_change(count))


def _build_why_address(column: VideoColumn, video_id: str) -> str:
    """The page that splits the change of a video's plays or views, in the days of the column."""
    end = datetime.now(UTC).date() - timedelta(days=1)
    return f"{_why_page(end)}&metric={column.value}&video={quote(video_id)}"


@lru_cache(maxsize=4)
def _why_page(end: date) -> str:
    start = end - timedelta(days=COUNTED_DAYS - 1)
    return address("analytics:why", "browsers", start=start.isoformat(), end=end.isoformat(), zone="UTC")


def _build_change(count: Counted) -> Change | None:
    """In percent of the 28 days before; None where there was nothing either time."""
    return Change(_("No data before")) if count.before is None else build_change(count.now, count.before)


def _build_comments(counts: CommentCounts) -> tuple[str, bool, str]:
    if counts.open:
        words = ngettext("%(count)s open", "%(count)s open", counts.open) % {"count": formats.number(counts.open)}
        return words, False, "open"
    return (_("None open"), True, "") if counts.is_complete else (_("None known"), True, "")


def _build_quiz(resources: tuple[tuple[str, str], ...]) -> tuple[str, bool]:
    langs = [SPELLED.get(lang.lower(), lang) for kind, lang in resources if kind == "quiz"]
    return (", ".join(filter(None, langs)) or _("Yes"), False) if langs else (_("No quiz"), True)


def _build_chat(states: tuple[str, ...]) -> tuple[str, bool]:
    return (_("Shown"), False) if "shown" in states else (_("Hidden"), True)


def _build_fields(fields: tuple[tuple[str, str], ...]) -> tuple[str, bool]:
    return formats.named([f"{key}: {value}" for key, value in fields], MOST_FIELDS) or _("None"), not fields


def _format_day(seconds: float | None) -> tuple[str, bool]:
    return (formats.day(day_of(seconds)), False) if seconds else (_("Unknown"), True)


def day_of(seconds: float) -> date:
    """The day of a moment in the zone of the page, as the filter created: takes it."""
    return datetime.fromtimestamp(seconds, timezone.get_current_timezone()).date()


_ASKED: Final[dict[str, str]] = {
    FilterName.MISSING: "subtitles",
    FilterName.LANGUAGE: "subtitles",
    FilterName.FIELD: "fields",
}
"""The column that a filter of another name is about."""
_COUNTS: Final = (VideoColumn.PLAYS, VideoColumn.VIEWS)
_FACTS: Final[Mapping[VideoColumn, tuple[str, Callable[[Any], tuple[Any, ...]]]]] = {
    VideoColumn.TRAFFIC: (facts.TRAFFIC, lambda size: (formats.file_size(size),)),
    VideoColumn.COMMENTS: (facts.COMMENTS, _build_comments),
    VideoColumn.QUIZ: (facts.RESOURCES, _build_quiz),
    VideoColumn.CHAT: (facts.CHAT, _build_chat),
    VideoColumn.FIELDS: (facts.FIELDS, _build_fields),
}
_ENTRY: Final[Mapping[VideoColumn, tuple[str, Callable[[Any], tuple[Any, ...]]]]] = {
    VideoColumn.STATUS: ("status", lambda status: (status_label(status), False, status_shape(status))),
    VideoColumn.CREATED: ("created", _format_day),
    VideoColumn.UPDATED: ("updated", _format_day),
    VideoColumn.SIZE: ("size", lambda size: (formats.file_size(size),) if size else (_("Unknown"), True)),
    VideoColumn.ID: ("id", lambda video_id: (video_id,)),
}


_IN_FILE: Final[dict[VideoColumn, Callable[[Any], csv.Cell]]] = {
    VideoColumn.SUBTITLES: lambda codes: " ".join(sorted(codes)),
    VideoColumn.PLAYS: lambda count: count.now,
    VideoColumn.VIEWS: lambda count: count.now,
    VideoColumn.TRAFFIC: lambda size: size,
    VideoColumn.COMMENTS: lambda counts: counts.open,
    VideoColumn.QUIZ: lambda pairs: " ".join(lang for kind, lang in pairs if kind == "quiz"),
    VideoColumn.CHAT: lambda states: "shown" if "shown" in states else "hidden",
    VideoColumn.FIELDS: lambda pairs: "; ".join(f"{key}={value}" for key, value in pairs),
    VideoColumn.STATUS: lambda status: status_label(status),
    VideoColumn.CREATED: lambda seconds: day_of(seconds).isoformat() if seconds else "",
    VideoColumn.UPDATED: lambda seconds: day_of(seconds).isoformat() if seconds else "",
    VideoColumn.SIZE: lambda size: size,
}
"""The columns in a file; the id is always there."""


def write_list(view: ListView) -> str:
    """The whole list as a file. What is not known is an empty cell."""
    columns = [column for column in view.state.columns if column in _IN_FILE]
    heads = [_("Id"), _("Title"), _("Folder"), _("Length, seconds"), *map(column_label, columns)]
    return csv.written(heads, _list_lines(view, columns))


def _list_lines(view: ListView, columns: Sequence[VideoColumn]) -> Iterator[list[csv.Cell]]:
    catalog = view.catalog
    writers = [(_find_values(catalog, column), _IN_FILE[column]) for column in columns]
    for position in catalog.list_positions(view.match.true, list_order(catalog, view.state.sort)):
        entry = catalog.entries[position]
        shelf = catalog.shelf_by_id.get(entry.folder_id)
        cells = [None if (value := find(position)) is None else write(value) for find, write in writers]
        yield [entry.id, entry.title, shelf.name if shelf else "", entry.length, *cells]
