"""A chart as a picture of its own: title, finding, period, axes and legend in one SVG file."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from dashboard.shared.charts import paths, shapes
from dashboard.shared.charts.plot import Plot
from dashboard.shared.charts.shapes import EDGE, INK, INK_2, INK_3, PAPER, Shape, escaped, in_file

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
    at = f'x="{shapes.plain(x)}" y="{shapes.plain(y)}"'
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
    parts.append(f'<g transform="translate(0 {shapes.plain(head)})">{body}</g>')
    parts.append(text(EDGE_SPACE, total - 20, words.foot, size=13, fill=INK_3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{shapes.plain(total)}" '
        f'viewBox="0 0 {WIDTH} {shapes.plain(total)}" role="img" font-family="{FACE}">'
        f"<title>{escaped(words.title)}</title><desc>{escaped(words.sentence)}</desc>"
        f'<rect width="{WIDTH}" height="{shapes.plain(total)}" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )


def stretched(content: Sequence[Shape], x: float, y: float, width: float, height: float, box: tuple[int, int]) -> str:
    """A drawing of `box` units, stretched into a rectangle of the sheet."""
    place = f'x="{shapes.plain(x)}" y="{shapes.plain(y)}" width="{shapes.plain(width)}" height="{shapes.plain(height)}"'
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
    parts.append(stretched(plot.shapes, left, top, width, height, (paths.WIDTH, paths.HEIGHT)))
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
