"""What a custom field may be (sections 2.6, 4.6), and what a line of a file does to the fields of its video."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dashboard.platform_api.videos import CustomField
from dashboard.platform_api.vocabulary import FIELD_KEY, FIELD_KEY_MAX, FIELD_VALUE_MAX
from dashboard.shared.csv import decode, fold_heading, read_rows, read_text
from dashboard.shared.text import parse_uuid

LINES_MAX = 50_000
BYTES_MAX = 10 * 1024 * 1024
COLUMNS = ("video_id", "key", "value")
"""Columns that a file needs. `new_key` may stand beside them; others are left alone."""


class FieldProblem(StrEnum):
    """Why a key, a value or a line cannot be sent."""

    KEY_EMPTY = "key_empty"
    KEY_LONG = "key_long"
    KEY_CHARACTERS = "key_characters"
    KEY_TAKEN = "key_taken"
    VALUE_EMPTY = "value_empty"
    VALUE_LONG = "value_long"
    NO_VIDEO_ID = "no_video_id"
    NO_VIDEO = "no_video"
    NO_FIELD = "no_field"
    TWICE = "twice"
    CHANGED_SINCE = "changed_since"


class FileProblem(StrEnum):
    """Why a file cannot be read at all."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    NOT_TEXT = "not_text"
    COLUMNS = "columns"
    COLUMN_TWICE = "column_twice"


class Unreadable(ValueError):
    """A file that cannot be read; `args[0]` is its `FileProblem`, `args[1]` the name of the column that is there twice."""


def key_problem(key: str) -> FieldProblem | None:
    """1 to 200 letters and digits."""
    if not key:
        return FieldProblem.KEY_EMPTY
    if len(key) > FIELD_KEY_MAX:
        return FieldProblem.KEY_LONG
    return None if FIELD_KEY.fullmatch(key) else FieldProblem.KEY_CHARACTERS


def value_problem(value: str) -> FieldProblem | None:
    """1 to 500 characters, and not only spaces: the platform takes no empty value."""
    if not value.strip():
        return FieldProblem.VALUE_EMPTY
    return FieldProblem.VALUE_LONG if len(value) > FIELD_VALUE_MAX else None


def is_taken(key: str, field_id: str, fields: Iterable[CustomField]) -> bool:
    """Whether another field of the video has this key."""
    return any(field.key == key and field.id != field_id for field in fields)


@dataclass(frozen=True)
class FileLine:
    """One line of a file as it was written, and what is wrong with it before anything was compared."""

    number: int
    video_id: str
    key: str
    new_key: str
    value: str
    problem: FieldProblem | None


def parse_lines(content: bytes) -> Iterator[FileLine]:
    """The lines of a CSV file: comma, semicolon or tab, UTF-8. Raises `Unreadable`, also while lines are taken."""
    if len(content) > BYTES_MAX:
        raise Unreadable(FileProblem.TOO_LARGE)
    try:
        text = decode(content)
    except UnicodeDecodeError:
        raise Unreadable(FileProblem.NOT_TEXT) from None
    if "\0" in text:  # UTF-16 without its mark, or no text at all; no database of ours could store it
        raise Unreadable(FileProblem.NOT_TEXT)
    try:
        yield from _parse_rows(read_rows(text))
    except csv.Error:
        raise Unreadable(FileProblem.NOT_TEXT) from None


def _parse_rows(rows: Iterator[list[str]]) -> Iterator[FileLine]:
    names = [fold_heading(name) for name in next(rows, [])]
    if not names:
        raise Unreadable(FileProblem.EMPTY)
    if any(column not in names for column in COLUMNS):
        raise Unreadable(FileProblem.COLUMNS)
    if twice := next((column for column in (*COLUMNS, "new_key") if names.count(column) > 1), ""):
        raise Unreadable(FileProblem.COLUMN_TWICE, twice)
    keys: set[tuple[str, str]] = set()
    count = 0
    for number, cells in enumerate(rows, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        count += 1
        if count > LINES_MAX:
            raise Unreadable(FileProblem.TOO_LONG)
        line = _parse_line(number, dict(zip(names, cells, strict=False)), keys)
        keys.add((line.video_id, line.key))
        yield line
    if not count:
        raise Unreadable(FileProblem.EMPTY)


def _parse_line(number: int, cells: Mapping[str, str], earlier_keys: set[tuple[str, str]]) -> FileLine:
    plain = {name: read_text(cell) for name, cell in cells.items()}
    video_id, key = plain.get("video_id", "").strip().lower(), plain.get("key", "").strip()
    new_key, value = plain.get("new_key", "").strip(), plain.get("value", "")
    problem = _find_line_problem(video_id, key, new_key, value)
    if problem is None and (video_id, key) in earlier_keys:
        problem = FieldProblem.TWICE
    return FileLine(
        number, video_id[:64], key=key, new_key="" if new_key == key else new_key, value=value, problem=problem
    )


def _find_line_problem(video_id: str, key: str, new_key: str, value: str) -> FieldProblem | None:
    if not parse_uuid(video_id):
        return FieldProblem.NO_VIDEO_ID
    if not key:
        return FieldProblem.KEY_EMPTY
    return (key_problem(new_key) if new_key else None) or value_problem(value)


@dataclass(frozen=True)
class LineComparison:
    """What a line does: nothing (`field` as it is), a change of `field`, or a problem."""

    field: CustomField | None
    changes: bool
    problem: FieldProblem | None


def compare_line(
    key: str, new_key: str, value: str, fields: tuple[CustomField, ...], expected: str = ""
) -> LineComparison:
    """Compare a line with the fields that its video has. With `expected`, another value there stays as it is."""
    field = next((candidate for candidate in fields if candidate.key == key), None)
    if field is None:
        return LineComparison(None, False, FieldProblem.NO_FIELD)
    if new_key and is_taken(new_key, field.id, fields):
        return LineComparison(field, False, FieldProblem.KEY_TAKEN)
    is_same_value = field.value.replace("\r\n", "\n") == value.replace("\r\n", "\n")  # as spreadsheets save line ends
    changes = not is_same_value or (new_key or key) != key
    if changes and expected and field.value != expected:
        return LineComparison(field, False, FieldProblem.CHANGED_SINCE)
    return LineComparison(field, changes, None)
