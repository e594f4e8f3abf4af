"""Tables as files that can be trusted: raw numbers, ISO dates, and text that no spreadsheet mistakes for a formula."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.http import HttpResponse

from dashboard.shared.text import fold

csv.field_size_limit(5_000_000)  # as large as a file may be: the standard limit would refuse a long text of our own

Cell = str | int | float | None

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""How a text begins that is read as a formula: the wide forms count too, because some spreadsheets fold them. With apostrophes
before it, it is guarded like one, so that `read_text` knows which apostrophe is ours."""

MARK: Final = "\ufeff"
"""Tells spreadsheets that the file is UTF-8; every CSV reader that knows Unicode skips it."""


def neutral(text: str) -> str:
    """A text cell that stays text. Only texts are touched: -4.5 given as a number remains a number."""
    return f"'{text}" if _FORMULA.match(text) else text


def read_text(cell: str) -> str:
    """The text of a cell of a file that comes back: without the apostrophe of `neutral`, and otherwise as it is."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def decode(content: bytes) -> str:
    """The text of a file: UTF-8, or the UTF-16 of Excel's "Unicode text", without their mark. Raises `UnicodeDecodeError`."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf16 else "utf-8-sig")


def read_rows(text: str, *, strict: bool = False) -> Iterator[list[str]]:
    """The rows of a table with commas, semicolons or tabs: whichever its first line has most of. Raises `csv.Error`."""
    text = text.removeprefix(MARK)
    head = re.split(r"[\r\n]", text, maxsplit=1)[0]
    return csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=strict)


def fold_heading(cell: str) -> str:
    """The name of a column without regard to case, accents, spaces around it and the width of its letters."""
    return " ".join(fold(cell.replace(MARK, "")).split())


def number(value: float) -> str:
    """A number as every program reads it: no grouping, a point for decimals, no exponent."""
    if isinstance(value, int) or (value.is_integer() and -1e15 < value < 1e15):
        return str(int(value))
    return f"{value:.10f}".rstrip("0").rstrip(".")


def written(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The whole file as text, with CRLF line ends as RFC 4180 asks. None becomes an empty cell."""
    target = io.StringIO()
    target.write(MARK)
    writer = csv.writer(target)
    writer.writerow([neutral(head) for head in heads])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return target.getvalue()


def _cell(value: Cell) -> Cell:
    """What Python's writer writes as it is: it leaves out None, and has one way to write a whole number."""
    if isinstance(value, float):
        return number(value)
    return neutral(value) if isinstance(value, str) else value


def file_name(content: str, period: str = "", extension: str = "csv") -> str:
    """`referrers_2026-08-01_2026-08-31_vs_…_America-Sao_Paulo.csv`: plain letters, so that every system keeps it."""
    plain = unicodedata.normalize("NFKD", content).encode("ascii", "ignore").decode()
    word = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60] or "table"
    return f"{word}_{period}.{extension}" if period else f"{word}.{extension}"


def download(text: str | bytes, name: str, content_type: str = "text/csv") -> HttpResponse:
    """A file to be saved under `name` (made by `file_name`)."""
    kind = content_type if isinstance(text, bytes) else f"{content_type}; charset=utf-8"
    return HttpResponse(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
