"""The quiz as CSV: one row per question, two columns per alternative.

    id, question, explanation, answer 1, correct 1, answer 2, correct 2, …

The explanation has a column where any question has one, and may be left out.
Questions that a row cannot say (broken ones, and those that would be an empty row) stay where they are.
"""

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from typing import Final, TypeAlias

from dashboard.ai_content.exchange import UnusableFile, normalize_portable
from dashboard.ai_content.rules.package import name_by_keys, pair_elements
from dashboard.ai_content.rules.quiz import (
    EXPLANATION,
    QuizOption,
    TypedOption,
    edit_question,
    normalize_line_ends,
    parse_question,
)
from dashboard.platform_api.values import JSON
from dashboard.shared.csv import fold_heading, read_rows, read_text, written

_HEADING: Final = re.compile(r"(\D+?)\s*([0-9]{1,6})?")
_HEADINGS: Final = {
    "id": ("id",),
    "question": ("question", "pergunta", "questao", "pregunta", "enunciado", "enunciate"),
    "explanation": ("explanation", "explicacao", "explicacion"),
    "answer": ("answer", "option", "resposta", "alternativa", "opcao", "respuesta", "opcion"),
    "correct": ("correct", "correta", "correto", "certa", "correcta", "correcto"),
}
"""Each column, and what it is called in our three languages, as `fold_heading` gives it."""
YES: Final = frozenset(
    ("1", "true", "yes", "x", "y", "sim", "s", "sí", "si", "correct", "✓", "verdadeiro", "verdadero")
)
NO: Final = frozenset(("", "0", "false", "no", "n", "não", "nao", "falso", "wrong"))
ROWS_MOST: Final = 5000
FAR: Final = 1 << 30
"""A column beyond every line."""
CsvRow: TypeAlias = tuple[str, str, list[tuple[str, bool]], str | None]
"""Id, text, the alternatives with whether they are correct, and the explanation; None where the file has no column for it."""


def format_csv(questions: Sequence[JSON]) -> str:
    """CSV text, with a byte order mark so that spreadsheets read it as UTF-8."""
    sound = [question for question in questions if _has_row(question)]
    rows = [_build_row(question) for question in sound]
    width = max((len(row) // 2 - 1 for row in rows), default=2) or 1
    explanations = [parse_question(question).explanation for question in sound]
    if any(explanations):
        rows = [[*row[:2], explanation, *row[2:]] for row, explanation in zip(rows, explanations, strict=True)]
    heads = [
        "id",
        "question",
        *(["explanation"] if any(explanations) else []),
        *(f"{n} {i}" for i in range(1, width + 1) for n in ("answer", "correct")),
    ]
    return written(heads, rows)


def _build_row(question: JSON) -> list[str]:
    parsed = parse_question(question)
    cells = [_get_identifier(question), parsed.text]
    for option in parsed.options:
        cells += [option.text, "1" if option.correct else "0"]
    return cells


def _has_row(question: JSON) -> bool:
    """Whether a row says everything that the form of this question does."""
    return not parse_question(question).broken and any(cell.strip() for cell in _build_row(question))


def _get_identifier(question: JSON) -> str:
    identifier = question.get("id") if isinstance(question, dict) else None
    return "" if identifier is None else str(identifier)


def merge_csv(text: str, questions: Sequence[JSON]) -> list[JSON]:
    """The questions of a CSV: those that are there already keep what the file cannot say.

    Raises `UnusableFile`: no_rows, no_question_column, no_answer_columns, not_yes_or_no, column_twice, too_many_rows,
    not_csv.
    """
    if normalize_portable(text).removeprefix("\ufeff") == normalize_portable(format_csv(questions)).removeprefix(
        "\ufeff"
    ):
        return list(questions)
    ids: dict[str, list[JSON]] = {}
    for question in questions:
        if isinstance(question, dict) and question.get("id") is not None:
            ids.setdefault(normalize_portable(_get_identifier(question)).strip(), []).append(question["id"])
    rows = _parse_rows(text)
    imported = [_build_question(row, ids) for row in rows]
    sound = [question for question in questions if _has_row(question)]
    partner = {new: old for old, new in pair_elements(sound, imported, name_by_keys("enunciate")) if new is not None}
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
        result.append(question if old is None else _merge_question(sound[old], question, rows[place][3]))
        result += [] if old is None else behind.pop(old, [])
    return result + [question for rest in behind.values() for question in rest]


def _merge_question(existing: JSON, imported: JSON, explanation: str | None) -> JSON:
    new, old = parse_question(imported), parse_question(existing)
    pairs = {
        place: at
        for at, place in pair_elements(_list_texts(old.options), _list_texts(new.options), str)
        if place is not None
    }
    options = []
    for place, each in enumerate(new.options):
        at = pairs.get(place)
        options.append(
            TypedOption(at, each.text if at is None else _keep_text(old.options[at].text, each.text), each.correct)
        )
    if explanation is not None:
        explanation = _keep_text(old.explanation, explanation)
    return edit_question(existing, _keep_text(old.text, new.text), options, explanation)


def _keep_text(before: str, imported: str) -> str:
    """The text that is there, where the file says the same as far as a file can."""
    return before if normalize_portable(before) == normalize_portable(imported) else normalize_line_ends(imported)


def _list_texts(options: Sequence[QuizOption]) -> list[JSON]:
    return [normalize_portable(option.text) for option in options]


def _build_question(row: CsvRow, ids: Mapping[str, list[JSON]]) -> JSON:
    """An id that the quiz does not have names nothing: the platform gives a new one [4.3]."""
    identifier, text, options, explanation = row
    question: dict[str, JSON] = {"id": ids[identifier].pop(0)} if ids.get(identifier) else {}
    question |= {"enunciate": text, "options": [{"text": t, "correct": correct} for t, correct in options]}
    return question | ({EXPLANATION: explanation} if explanation else {})


def _parse_rows(text: str) -> list[CsvRow]:
    try:
        lines = list(islice(read_rows(text, strict=True), ROWS_MOST + 1))
    except csv.Error as error:
        raise UnusableFile("not_csv", detail=str(error)) from error
    if len(lines) > ROWS_MOST:
        raise UnusableFile("too_many_rows", detail=str(ROWS_MOST))
    if len(lines) < 2:
        raise UnusableFile("no_rows")
    head = [_read_heading(cell) for cell in lines[0]]
    if twice := next((name for name, count in Counter(head).items() if name and count > 1), ""):
        named = dict.fromkeys(cell.strip() for cell, name in zip(lines[0], head, strict=True) if name == twice)
        raise UnusableFile("column_twice", 1, " / ".join(named))
    if "question" not in head:
        raise UnusableFile("no_question_column", 1)
    answer_columns = _find_answer_columns(head)
    if not answer_columns:
        raise UnusableFile("no_answer_columns", 1)
    at_id, at_question = head.index("id") if "id" in head else None, head.index("question")
    at_explanation = head.index("explanation") if "explanation" in head else None
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if any(cell.strip() for cell in line):
            columns = takewhile(lambda places: min(places) < len(line), answer_columns)  # noqa: B023  (used up here)
            answers = [_parse_answer(line, at, mark, number) for at, mark in columns]
            options = [answer for answer in answers if answer is not None]
            question_id = read_text(_get_cell(line, at_id)).strip()
            explanation = None if at_explanation is None else read_text(_get_cell(line, at_explanation))
            rows.append((question_id, read_text(_get_cell(line, at_question)), options, explanation))
    return rows


def _read_heading(cell: str) -> str:
    """The name of a column whose heading means it in one of our languages; "" for any other column."""
    match = _HEADING.fullmatch(fold_heading(cell)[:60])
    name = next((name for name, words in _HEADINGS.items() if match and match[1] in words), "")
    return f"{name} {int(match[2])}" if match and match[2] and name in ("answer", "correct") else name


def _find_answer_columns(head: list[str]) -> list[tuple[int, int]]:
    """The columns of the alternatives, each with that of its mark, those that begin first in front; no mark is far out."""
    marks: dict[str, int] = {}
    for at, name in enumerate(head):
        marks.setdefault(name, at)
    named = [(at, marks.get(f"correct {name[7:]}", FAR)) for at, name in enumerate(head) if name.startswith("answer ")]
    return sorted(named, key=min) if all(at < mark for at, mark in named) else named


def _parse_answer(line: list[str], at: int, mark: int, number: int) -> tuple[str, bool] | None:
    text, mark_text = read_text(_get_cell(line, at)), _get_cell(line, mark).strip().casefold()
    if mark_text not in YES and mark_text not in NO:
        raise UnusableFile("not_yes_or_no", number, mark_text)
    return (text, mark_text in YES) if text or mark_text in YES or _get_cell(line, mark).strip() else None


def _get_cell(line: list[str], at: int | None) -> str:
    return line[at] if at is not None and at < len(line) else ""
