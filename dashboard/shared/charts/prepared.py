"""What every chart can do: be a table, a file, a sentence and a picture of its own, from the same rows."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import compress
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from dashboard.shared import csv
from dashboard.shared.charts import drawing
from dashboard.shared.charts.drawing import EDGE, INK, INK_2, INK_3, PAPER, Shape, escaped, in_file
from dashboard.shared.charts.plot import Plot

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


WIDTH = 1200
EDGE_SPACE = 40
LETTERS = 120
"""How many letters of 15 px fit into a line."""

LEGEND_LINE = 22
"""The height of one line of the legend."""

FACE = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Liberation Sans, Arial, sans-serif"


@dataclass(frozen=True)
class Words:
    """What a sheet says around its drawing. `foot` names period, comparison and zone."""

    title: str
    note: str
    sentence: str
    foot: str


def text(
    x: float, y: float, words: str, *, size: int = 14, fill: str = INK_2, anchor: str = "start", bold: bool = False
) -> str:
    """A line of text. `anchor` is start, middle or end."""
    weight = ' font-weight="600"' if bold else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    at = f'x="{drawing.plain(x)}" y="{drawing.plain(y)}"'
    return f'<text {at} font-size="{size}" fill="{fill}"{weight}{place}>{escaped(words)}</text>'


def sheet(words: Words, body: str, height: float) -> str:
    """A whole file around `body`, which is drawn below the title and is `height` high."""
    lines = wrap(words.sentence, LETTERS)
    head = 84 + 20 * len(lines)
    parts = [text(EDGE_SPACE, 46, words.title, size=22, fill=INK, bold=True)]
    parts += [text(EDGE_SPACE, 72 + 20 * index, line, size=15) for index, line in enumerate(lines)]
    if words.note:
        parts.append(text(EDGE_SPACE, 72 + 20 * len(lines), words.note, size=13, fill=INK_3))
        head += 20
    total = head + height + 48
    parts.append(f'<g transform="translate(0 {drawing.plain(head)})">{body}</g>')
    parts.append(text(EDGE_SPACE, total - 20, words.foot, size=13, fill=INK_3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{drawing.plain(total)}" '
        f'viewBox="0 0 {WIDTH} {drawing.plain(total)}" role="img" font-family="{FACE}">'
        f"<title>{escaped(words.title)}</title><desc>{escaped(words.sentence)}</desc>"
        f'<rect width="{WIDTH}" height="{drawing.plain(total)}" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )


def stretched(content: Sequence[Shape], x: float, y: float, width: float, height: float, box: tuple[int, int]) -> str:
    """A drawing of `box` units, stretched into a rectangle of the sheet."""
    place = (
        f'x="{drawing.plain(x)}" y="{drawing.plain(y)}" width="{drawing.plain(width)}" height="{drawing.plain(height)}"'
    )
    return (
        f'<svg {place} viewBox="0 0 {box[0]} {box[1]}" preserveAspectRatio="none" overflow="visible">'
        f"{in_file(content)}</svg>"
    )


def plot_sheet(words: Words, plot: Plot) -> str:
    """A sheet around a plot."""
    left, height = 96.0, 340.0
    width = WIDTH - left - EDGE_SPACE
    legend, lines = _legend(plot, left)
    top = 24.0 + LEGEND_LINE * lines
    parts = [legend]
    gap = height / max(len(plot.y) - 1, 1)
    parts += [
        text(left - 12, top + gap * index + 4, label, size=12, fill=INK_3, anchor="end")
        for index, label in enumerate(plot.y)
    ]
    parts.append(stretched(plot.shapes, left, top, width, height, (drawing.WIDTH, drawing.HEIGHT)))
    for index, tick in enumerate(plot.x):
        at = left + width * float(tick.at.rstrip("%")) / 100
        anchor = "start" if index == 0 else "end" if index == len(plot.x) - 1 else "middle"
        parts.append(text(at, top + height + 20, tick.text, size=12, fill=INK_3, anchor=anchor))
    for flag in plot.flags:
        at = left + width * float(flag.at.rstrip("%")) / 100
        parts.append(
            text(
                at - 6 if flag.before else at + 6,
                top - 5,
                flag.text,
                size=12,
                anchor="end" if flag.before else "start",
            )
        )
    return sheet(words, "".join(parts), top + height + 40)


def _legend(plot: Plot, left: float) -> tuple[str, int]:
    """The legend, and on how many lines: a name is never cut, and only one that is longer than the sheet leaves it."""
    parts, x, y = [], left, 0
    for key in plot.legend:
        length = 56 + 7 * len(key.text)
        if x > left and x + length > WIDTH - EDGE_SPACE:
            x, y = left, y + LEGEND_LINE
        if key.kind == "hatch":
            parts.append(f'<path d="M{x + 2:.0f} {y + 24}l8-8m0 8 8-8m0 8 6-6" stroke="{EDGE}" fill="none"/>')
        elif key.kind == "gap":
            parts.append(in_file([Shape("path", key.look, (("d", f"M{x:.0f} {y + 14}h24v12h-24Z"),))]))
        else:
            parts.append(in_file([Shape("path", key.look, (("d", f"M{x:.0f} {y + 20}h24"),))]))
        parts.append(text(x + 32, y + 25, key.text, size=13))
        x += length
    return "".join(parts), y // LEGEND_LINE + 1
