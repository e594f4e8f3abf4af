"""The list of videos as a file: everything that matches, with the chosen columns."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from dashboard.shared import csv
from dashboard.shared.entries import Entry
from dashboard.videos.library import ListView
from dashboard.videos.query import catalog as facts
from dashboard.videos.query.sorting import list_order
from dashboard.videos.rows import column_label, day_of, status_label
from dashboard.videos.rules import VideoColumn

_OF_ENTRY: Final[dict[VideoColumn, Callable[[Entry], csv.Cell]]] = {
    VideoColumn.STATUS: lambda entry: status_label(entry.status),
    VideoColumn.CREATED: lambda entry: _write_day(entry.created),
    VideoColumn.UPDATED: lambda entry: _write_day(entry.updated),
    VideoColumn.SIZE: lambda entry: entry.size,
}
_OF_FACTS: Final[dict[VideoColumn, tuple[str, Callable[[Any], csv.Cell]]]] = {
    VideoColumn.SUBTITLES: (facts.LANGUAGES, lambda codes: " ".join(sorted(codes))),
    VideoColumn.PLAYS: (facts.PLAYS, lambda count: count.now),
    VideoColumn.VIEWS: (facts.VIEWS, lambda count: count.now),
    VideoColumn.TRAFFIC: (facts.TRAFFIC, lambda size: size),
    VideoColumn.COMMENTS: (facts.COMMENTS, lambda counts: counts.open),
    VideoColumn.QUIZ: (facts.RESOURCES, lambda pairs: " ".join(lang for kind, lang in pairs if kind == "quiz")),
    VideoColumn.CHAT: (facts.CHAT, lambda states: "shown" if "shown" in states else "hidden"),
    VideoColumn.FIELDS: (facts.FIELDS, lambda pairs: "; ".join(f"{key}={value}" for key, value in pairs)),
}


def write_list(view: ListView) -> str:
    """The whole file. What is not known is an empty cell."""
    columns = [column for column in view.state.columns if column is not VideoColumn.ID]
    heads = [_("Id"), _("Title"), _("Folder"), _("Length, seconds"), *map(column_label, columns)]
    return csv.written(heads, _list_lines(view, columns))


def _list_lines(view: ListView, columns: Sequence[VideoColumn]) -> Iterator[list[csv.Cell]]:
    catalog = view.catalog
    for position in catalog.list_positions(view.match.true, list_order(catalog, view.state.sort)):
        entry = catalog.entries[position]
        shelf = catalog.shelf_by_id.get(entry.folder_id)
        cells = [_read_cell(view, column, position) for column in columns]
        yield [entry.id, entry.title, shelf.name if shelf else "", entry.length, *cells]


def _read_cell(view: ListView, column: VideoColumn, position: int) -> csv.Cell:
    if column in _OF_ENTRY:
        return _OF_ENTRY[column](view.catalog.entries[position])
    name, write = _OF_FACTS[column]
    value = view.catalog.column(name)[position]
    return None if value is None else write(value)


def _write_day(seconds: float | None) -> str:
    return day_of(seconds).isoformat() if seconds else ""
