"""Tables as files that can be trusted: raw numbers, ISO dates, and text that no spreadsheet mistakes for a formula."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from django.http import HttpResponse

Cell = str | int | float | None

FORMULA_STARTS: Final = frozenset("=+-@\t\r\n＝＋－＠")
"""The letters with which a text must begin to be read as a formula. The wide forms count too: some spreadsheets fold them."""

MARK: Final = "\ufeff"
"""Tells spreadsheets that the file is UTF-8; every CSV reader that knows Unicode skips it."""


def neutral(text: str) -> str:
    """A text cell that stays text. Only texts are touched: -4.5 given as a number remains a number."""
    return f"'{text}" if text[:1] in FORMULA_STARTS else text


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
