"""The quiz as CSV: one row per question, two columns per alternative.

    id, question, answer 1, correct 1, answer 2, correct 2, …

Spreadsheets take a text that begins with = + - @ for a formula: such a text leaves with an apostrophe before it, and
comes back without. Questions that a row cannot say (broken ones, and those that would be an empty row) stay where they are.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from typing import Final, TypeAlias

from dashboard.ai_content.exchange import Unusable, portable
from dashboard.ai_content.rules.package import JSON
from dashboard.ai_content.rules.pairing import by_key, pair
from dashboard.ai_content.rules.quiz import Option, TypedOption, browser_text, edited, reading

csv.field_size_limit(5_000_000)  # as large as a file may be: the standard limit would refuse a long text of our own
YES: Final = frozenset(
    ("1", "true", "yes", "x", "y", "sim", "s", "sí", "si", "correct", "✓", "verdadeiro", "verdadero")
)
NO: Final = frozenset(("", "0", "false", "no", "n", "não", "nao", "falso", "wrong"))
ROWS_MOST: Final = 5000
FAR: Final = 1 << 30
"""A column beyond every line."""
Row: TypeAlias = tuple[str, str, list[tuple[str, bool]]]
"""Id, text, and the alternatives with whether they are correct."""
_FORMULA: Final = re.compile(r"^'*[=+\-@\t\r\n＝＋－＠]")


def written(questions: Sequence[JSON]) -> str:
    """CSV text, with a byte order mark so that spreadsheets read it as UTF-8."""
    rows = [_row(question) for question in questions if _has_row(question)]
    width = max((len(row) // 2 - 1 for row in rows), default=2) or 1
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out)
    writer.writerow(["id", "question", *(f"{n} {i}" for i in range(1, width + 1) for n in ("answer", "correct"))])
    writer.writerows(rows)
    return out.getvalue()


def _row(question: JSON) -> list[str]:
    shown = reading(question)
    cells = [_identifier(question), shown.text]
    for option in shown.options:
        cells += [option.text, "1" if option.correct else "0"]
    return [_safe(cell) for cell in cells]


def _has_row(question: JSON) -> bool:
    """Whether a row says everything that the form of this question does."""
    return not reading(question).broken and any(cell.strip() for cell in _row(question))


def _identifier(question: JSON) -> str:
    given = question.get("id") if isinstance(question, dict) else None
    return "" if given is None else str(given)


def _safe(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def merged(text: str, questions: Sequence[JSON]) -> list[JSON]:
    """The questions of a CSV: those that are there already keep what the file cannot say.

    Raises `Unusable`: no_rows, no_question_column, no_answer_columns, not_yes_or_no, too_many_rows, not_csv.
    """
    if portable(text).removeprefix("\ufeff") == portable(written(questions)).removeprefix("\ufeff"):
        return list(questions)
    ids: dict[str, list[JSON]] = {}
    for question in questions:
        if isinstance(question, dict) and question.get("id") is not None:
            ids.setdefault(portable(_identifier(question)).strip(), []).append(question["id"])
    imported = [_question(row, ids) for row in _rows(text)]
    sound = [question for question in questions if _has_row(question)]
    partner = {new: old for old, new in pair(sound, imported, by_key("enunciate")) if new is not None}
    behind: dict[int, list[JSON]] = {}
    at = -1
    for question in questions:
        if _has_row(question):
            at += 1
        else:
            behind.setdefault(at, []).append(question)
    result = behind.pop(-1, [])
    for place, question in enumerate(imported):
        old = partner.get(place)
        result.append(question if old is None else _onto(sound[old], question))
        result += [] if old is None else behind.pop(old, [])
    return result + [question for rest in behind.values() for question in rest]


def _onto(existing: JSON, imported: JSON) -> JSON:
    new, old = reading(imported), reading(existing)
    pairs = {place: at for at, place in pair(_texts(old.options), _texts(new.options), str) if place is not None}
    options = []
    for place, each in enumerate(new.options):
        at = pairs.get(place)
        options.append(
            TypedOption(at, each.text if at is None else _kept(old.options[at].text, each.text), each.correct)
        )
    return edited(existing, _kept(old.text, new.text), options)


def _kept(before: str, imported: str) -> str:
    """The text that is there, where the file says the same as far as a file can."""
    return before if portable(before) == portable(imported) else browser_text(imported)


def _texts(options: Sequence[Option]) -> list[JSON]:
    return [portable(option.text) for option in options]


def _question(row: Row, ids: Mapping[str, list[JSON]]) -> JSON:
    """An id that the quiz does not have names nothing: the platform gives a new one [4.3]."""
    given, text, options = row
    question: dict[str, JSON] = {"id": ids[given].pop(0)} if ids.get(given) else {}
    return question | {"enunciate": text, "options": [{"text": t, "correct": correct} for t, correct in options]}


def _rows(text: str) -> list[Row]:
    text = text.removeprefix("\ufeff")
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        lines = list(islice(reader, ROWS_MOST + 1))
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
            found.append((_plain(_cell(line, at_id)).strip(), _plain(_cell(line, at_question)), kept))
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
