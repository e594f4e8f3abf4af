"""The quiz as CSV: one row per question, two columns per alternative.

    id, question, answer 1, correct 1, answer 2, correct 2, …

Spreadsheets take a text that begins with = + - @ for a formula: such a text leaves with an apostrophe before it, and
comes back without.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final, TypeAlias

from dashboard.ai_content.exchange import Unusable
from dashboard.ai_content.rules.package import JSON
from dashboard.ai_content.rules.pairing import by_key, pair
from dashboard.ai_content.rules.quiz import TypedOption, edited, reading

YES: Final = frozenset(
    ("1", "true", "yes", "x", "y", "sim", "s", "sí", "si", "correct", "✓", "verdadeiro", "verdadero")
)
NO: Final = frozenset(("", "0", "false", "no", "n", "não", "nao", "falso", "wrong"))
ROWS_MOST: Final = 5000
FAR: Final = 1 << 30
"""A column beyond every line."""
Row: TypeAlias = tuple[str, str, list[tuple[str, bool]]]
"""Id, text, and the alternatives with whether they are correct."""
_FORMULA: Final = re.compile(r"^'*[=+\-@\t\r]")


def written(questions: Sequence[JSON]) -> str:
    """CSV text, with a byte order mark so that spreadsheets read it as UTF-8. Broken questions are left out."""
    shown = [(question, reading(question)) for question in questions]
    width = max((len(found.options) for _, found in shown), default=2)
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out)
    writer.writerow(["id", "question", *(f"{n} {i}" for i in range(1, width + 1) for n in ("answer", "correct"))])
    for question, found in shown:
        if found.broken:
            continue
        given = question.get("id") if isinstance(question, dict) else None
        row = [_safe(str(given)) if given is not None else "", _safe(found.text)]
        for option in found.options:
            row += [_safe(option.text), "1" if option.correct else "0"]
        writer.writerow(row)
    return out.getvalue()


def _safe(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def merged(text: str, questions: Sequence[JSON]) -> list[JSON]:
    """The questions of a CSV: those that are there already keep what the file cannot say, broken ones stay last.

    Raises `Unusable`: no_rows, no_question_column, no_answer_columns, not_yes_or_no, too_many_rows, not_csv.
    """
    ids = {
        str(question["id"]): question["id"] for question in questions if isinstance(question, dict) and "id" in question
    }
    imported = [_question(row, ids) for row in _rows(text)]
    sound = [question for question in questions if not reading(question).broken]
    partner = {new: old for old, new in pair(sound, imported, by_key("enunciate")) if new is not None}
    result: list[JSON] = []
    for place, question in enumerate(imported):
        old = partner.get(place)
        result.append(question if old is None else _onto(sound[old], question))
    return result + [question for question in questions if reading(question).broken]


def _onto(existing: JSON, imported: JSON) -> JSON:
    new, old = reading(imported), reading(existing)
    pairs = {place: at for at, place in pair(_texts(old.options), _texts(new.options), str) if place is not None}
    options = [TypedOption(pairs.get(place), each.text, each.correct) for place, each in enumerate(new.options)]
    return edited(existing, new.text, options)


def _texts(options: Sequence[object]) -> list[JSON]:
    return [str(getattr(option, "text", "")) for option in options]


def _question(row: "Row", ids: Mapping[str, JSON]) -> JSON:
    """An id that the quiz does not have names nothing: the platform gives a new one [4.3]."""
    given, text, options = row
    question: dict[str, JSON] = {"id": ids[given]} if given in ids else {}
    return question | {"enunciate": text, "options": [{"text": t, "correct": correct} for t, correct in options]}


def _rows(text: str) -> list[Row]:
    text = text.removeprefix("\ufeff")
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except csv.Error as error:
        raise Unusable("not_csv", detail=str(error)) from error
    if len(lines) > ROWS_MOST:
        raise Unusable("too_many_rows", detail=str(ROWS_MOST))
    if len(lines) < 2:
        raise Unusable("no_rows")
    head = [cell.strip().casefold() for cell in lines[0]]
    if "question" not in head:
        raise Unusable("no_question_column", 1)
    answers = _answers(head)
    if not answers:
        raise Unusable("no_answer_columns", 1)
    at_id, at_question = _column(head, "id"), head.index("question")
    found = []
    for number, line in enumerate(lines[1:], start=2):
        if any(cell.strip() for cell in line):
            there = takewhile(lambda answer: min(answer) < len(line), answers)  # noqa: B023  (used up within its turn)
            options = [_answer(line, at, mark, number) for at, mark in there]
            kept = [option for option in options if option is not None]
            found.append((_plain(_cell(line, at_id).strip()), _plain(_cell(line, at_question)), kept))
    return found


def _answers(head: list[str]) -> list[tuple[int, int]]:
    """The columns of the alternatives, each with that of its mark, those that begin first in front; no mark is far out."""
    marks: dict[str, int] = {}
    for at, name in enumerate(head):
        marks.setdefault(name, at)
    named = [(at, marks.get(f"correct {name[7:]}", FAR)) for at, name in enumerate(head) if name.startswith("answer ")]
    return sorted(named, key=min) if all(at < mark for at, mark in named) else named


def _answer(line: list[str], at: int, mark: int, number: int) -> tuple[str, bool] | None:
    text, said = _plain(_cell(line, at)), _cell(line, mark).strip().casefold()
    if said not in YES and said not in NO:
        raise Unusable("not_yes_or_no", number, said)
    return (text, said in YES) if text or said in YES or _cell(line, mark).strip() else None


def _column(head: list[str], name: str) -> int | None:
    return head.index(name) if name in head else None


def _cell(line: list[str], at: int | None) -> str:
    return line[at] if at is not None and at < len(line) else ""


def _delimiter(text: str) -> str:
    """Comma, semicolon or tab: whichever the first line has most of."""
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)
