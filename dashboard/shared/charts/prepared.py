"""What every chart can do: be a table, a file, a sentence and a picture, from the same rows."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import compress
from typing import NamedTuple, TypeAlias

from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from dashboard.shared import csv

_NUMERIC, _NO_CLASS = SafeString(' class="number"'), SafeString("")


@dataclass(frozen=True)
class Column:
    """A column of the table twin and of the file: `title` for people, `head` in the file (the same when empty).

    `file_only`: the table says it in another cell, and only the file needs a column for it.
    """

    title: str
    numeric: bool = False
    head: str = ""
    file_only: bool = False


Raw: TypeAlias = csv.Cell
"""What the file writes into a cell."""


class Cell(NamedTuple):
    """One cell: what the file writes, and what people read."""

    raw: Raw
    text: str


@dataclass(frozen=True)
class Exports:
    """The files beside a chart, which show exactly what the page shows, and the period they cover in words."""

    csv: str
    svg: str
    picture_name: str
    period: str


TWIN_ROWS = 1_200
"""A table twin shows at most about this many rows; the file has all of them."""


class Chart(ABC):
    """A prepared chart. Subclasses are frozen dataclasses of checked numbers."""

    name: str
    """Letters and hyphens: the id of its parts on the page and the beginning of its files."""

    title: str

    foot: str
    """The line below its picture: the days and the zone."""

    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns of table and file, the first one naming the row."""

    @abstractmethod
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """One row per point, in the order of the drawing."""

    @abstractmethod
    def sentence(self) -> str:
        """What the chart says, in one or two sentences."""

    @abstractmethod
    def svg(self) -> str:
        """A picture that stands alone: words, periods and units included."""

    def csv(self) -> str:
        """The rows as a file."""
        return csv.written([column.head or column.title for column in self.columns()], self.file_rows())

    def file_rows(self) -> Iterable[Sequence[Raw]]:
        """What the rows write into a file, which needs none of their words."""
        return ([cell.raw for cell in row] for row in self.rows())

    @cached_property
    def every(self) -> int:
        """The table twin shows every so-many-th row: 1 until there are more rows than anybody reads."""
        return -(-len(self.rows()) // TWIN_ROWS)

    def positions(self) -> Sequence[float]:
        """Where the rows stand across the drawing, from 0 to 1; empty where they stand at equal distances."""
        return ()

    def table_head(self) -> SafeString:
        """The head of the table twin."""
        columns = (column for column in self.columns() if not column.file_only)
        cells = ((_number(column.numeric), column.title) for column in columns)
        return format_html_join("", '<th scope="col"{}>{}</th>', cells)

    def table_body(self) -> SafeString:
        """The rows of the table twin. Written here because a template takes ten times as long over 1,000 rows."""
        numeric = [column.numeric for column in self.columns() if not column.file_only]
        flags = [not column.file_only for column in self.columns()]
        step = self.every or 1
        rows, places = self.rows()[::step], list(self.positions())[::step]
        marks = [f' data-at="{place:.4g}"' for place in places] or [""] * len(rows)
        visible_rows = rows if all(flags) else [tuple(compress(row, flags)) for row in rows]
        return mark_safe("".join(_build_row(row, numeric, mark) for row, mark in zip(visible_rows, marks, strict=True)))  # noqa: S308  (escaped)


def _build_row(row: Sequence[Cell], numeric: Sequence[bool], mark: str) -> str:
    first, *rest = row
    cells = "".join(
        f"<td{_number(is_number)}>{escape(cell.text)}</td>" for cell, is_number in zip(rest, numeric[1:], strict=True)
    )
    return f'<tr{mark}><th scope="row">{escape(first.text)}</th>{cells}</tr>'


def _number(numeric: bool) -> SafeString:
    return _NUMERIC if numeric else _NO_CLASS
