"""Figures whose names stand apart from them, as rows with names: columns of one length, and rows without keys.

{"labels": ["Chrome"], "values": [3]}                               columns by name
{"labels": ["Chrome"], "datasets": [{"label": "plays", "data": [3]}]}   columns with names of their own
{"columns": ["browser", "plays"], "rows": [["Chrome", 3]]}          rows with their names before them
[["Chrome", 3]]                                                     rows of a label and its numbers
"""

import re
from collections.abc import Iterator
from typing import Final

from dashboard.platform_api.values import JSON, first, mapping, number, sequence, text

_NAMES: Final = ("columns", "headers", "header", "fields")
_SETS: Final = ("datasets", "series")
_LABELS: Final = ("labels", "label", "names", "name", "categories", "keys", "x")
_NUMBERS: Final = ("values", "value", "data", "counts", "y")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")


def as_rows(value: JSON, metric: str) -> JSON:
    """A list of objects, where `value` is figures with their names apart; else `value`. `metric` names nameless numbers."""
    if isinstance(value, list):
        return _of_rows(value, (), metric)
    source = mapping(value)
    names = sequence(first(source, *_NAMES))
    if names and isinstance(source.get("rows"), list):
        return _of_rows(sequence(source["rows"]), tuple(map(_name, names)), metric)
    columns = dict(_columns(source, metric))
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or not lengths - {0} or not _is_named(columns):
        return value
    rows: list[JSON] = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return {"data": rows, **{key: inner for key, inner in source.items() if number(inner) is not None}}


def _columns(source: dict[str, JSON], metric: str) -> Iterator[tuple[str, list[JSON]]]:
    """The columns of an object by name; of datasets, each by its own."""
    for key, inner in source.items():
        column = sequence(inner)
        if key in _SETS and all(isinstance(entry, dict) for entry in column):
            for entry in map(mapping, column):
                yield text(first(entry, "label", "name")) or metric, sequence(first(entry, *_NUMBERS))
        elif column and not any(isinstance(cell, list | dict) for cell in column):
            is_dates = all(_DATE.fullmatch(text(cell)) for cell in column)
            name = "label" if key in _LABELS else metric if key in _NUMBERS else key
            yield "date" if is_dates else name, column


def _is_named(columns: dict[str, list[JSON]]) -> bool:
    """Whether one column names the rows, and the others count something."""
    numeric = [all(cell is None or number(cell) is not None for cell in column) for column in columns.values()]
    return any(numeric) and (not all(numeric) or "label" in columns or "date" in columns)


def _of_rows(rows: list[JSON], names: tuple[str, ...], metric: str) -> list[JSON]:
    """Rows without keys as objects; where no names stand before them, the first row may have them."""
    if not rows or not all(isinstance(row, list) and row for row in rows):
        return rows
    cells = [sequence(row) for row in rows]
    if not names and all(isinstance(cell, str) and number(cell) is None for cell in cells[0]) and len(cells) > 1:
        names, cells = tuple(map(text, cells[0])), cells[1:]
    names = names or tuple(_guessed(cells, at, metric) for at in range(len(cells[0])))
    if any(len(row) != len(names) for row in cells):
        return rows
    return [dict(zip(names, row, strict=True)) for row in cells]


def _guessed(rows: list[list[JSON]], at: int, metric: str) -> str:
    """What a column without a name is: a date, a label, or the numbers."""
    column = [row[at] if at < len(row) else None for row in rows]
    if all(_DATE.fullmatch(text(cell)) for cell in column):
        return "date"
    if any(number(cell) is None for cell in column):
        return "label" if at < 2 else f"label {at}"
    return metric if at < 2 else f"{metric} {at}"


def _name(value: JSON) -> str:
    return text(value) or text(first(mapping(value), "name", "label", "title", "key"))
