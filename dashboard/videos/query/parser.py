"""Makes a query of what people type, or says at which word it cannot and what they may have meant. Pure."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple, NoReturn

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared.text import fold
from dashboard.videos.query.terms import (
    CHOICES,
    COMPARISONS,
    UNITS,
    USUAL_UNITS,
    Amount,
    Depth,
    FilterName,
    Measure,
    Term,
    Value,
    VideoQuery,
    quote,
)

LONGEST: Final = 1_000
"""Characters of a query: an address has to hold it."""
MOST_TERMS: Final = 30
NAMES: Final = tuple(dict.fromkeys((*FilterName, *Measure)))
OTHER_NAMES: Final[dict[str, str]] = {
    "pasta": "folder", "carpeta": "folder", "falta": "missing", "faltando": "missing", "faltam": "missing",
    "legendas": "subtitles", "subtitulos": "subtitles", "tem": "has", "tiene": "has", "comentarios": "comments",
    "reproducoes": "plays", "reproducciones": "plays", "visualizacoes": "views", "visualizaciones": "views",
    "campo": "field", "idioma": "language", "lingua": "language", "em": "in", "en": "in", "criado": "created",
    "creado": "created", "visao": "view", "vista": "view", "trafego": "traffic", "trafico": "traffic",
    "duracao": "length", "duracion": "length", "duration": "length", "estado": "status", "subtitle": "subtitles",
    "comment": "comments", "lang": "language", "size": "traffic", "without": "missing", "date": "created",
}  # fmt: skip
"""What people may call a filter, folded: the repair of a query that says so."""
_HEAD: Final = re.compile(r'(field\."(?:[^"\\]|\\.)+"|[^\W\d_][\w.-]*)(:|>=|<=|>|<|=)', re.IGNORECASE)
_BARE_VALUE: Final = re.compile(r'[^\s,"]+')
_WORD: Final = re.compile(r"\S+")
_AMOUNT: Final = re.compile(r"(\d{1,15}(?:[.,]\d{1,9})?|\d{1,3}(?:[.,]\d{3})+)([^\W\d_]*)")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.IGNORECASE)
_DAY: Final = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_RECENT: Final = re.compile(r"(\d{1,4})d")


class ProblemKind(StrEnum):
    """What is wrong with one word of a query."""

    TOO_LONG = "too_long"
    TOO_MANY = "too_many"
    UNKNOWN_NAME = "unknown_name"
    UNKNOWN_VALUE = "unknown_value"
    UNKNOWN_LANGUAGE = "unknown_language"
    NO_VALUE = "no_value"
    NO_QUOTE = "no_quote"
    AFTER_QUOTE = "after_quote"
    NOT_COMPARED = "not_compared"
    """A name that takes values stands with a comparison."""
    NOT_A_FILTER = "not_a_filter"
    """A measure stands with a colon."""
    NO_NUMBER = "no_number"
    NO_UNIT = "no_unit"
    UNKNOWN_UNIT = "unknown_unit"
    NO_DATE = "no_date"
    UNKNOWN_FOLDER = "unknown_folder"
    UNKNOWN_PLACE = "unknown_place"
    UNKNOWN_VIEW = "unknown_view"
    VIEW_IN_ITSELF = "view_in_itself"
    NO_FIELD = "no_field"


@dataclass(frozen=True)
class Problem:
    """The word at `start` to `end` is wrong. `repair`: what may have been meant in its place; "" where nobody can tell."""

    kind: ProblemKind
    start: int
    end: int
    word: str
    repair: str = ""
    choices: tuple[str, ...] = ()

    def repaired(self, text: str) -> str:
        """The whole query with the repair in place of the word."""
        return text[: self.start] + self.repair + text[self.end :]

    def as_phrase(self, text: str) -> str:
        """The whole query with the word searched for as it is."""
        return text[: self.start] + quote(self.word) + text[self.end :]


class NotAQuery(Exception):
    """What was typed is no query: `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.kind)
        self.problem = problem


class DateSpan(NamedTuple):
    """The first and the last day."""

    first: date
    last: date


def parse_query(text: str) -> VideoQuery:
    """The query that was typed. Raises `NotAQuery` for the first word that is none."""
    if len(text) > LONGEST:
        raise NotAQuery(Problem(ProblemKind.TOO_LONG, LONGEST, len(text), text[LONGEST:]))
    reader, terms = _Reader(text), []
    while (term := reader.read_term()) is not None:
        terms.append(term)
    if len(terms) > MOST_TERMS:
        raise NotAQuery(
            Problem(ProblemKind.TOO_MANY, terms[MOST_TERMS].start, len(text), text[terms[MOST_TERMS].start :])
        )
    return VideoQuery(tuple(terms))


class _Reader:
    """Reads one term after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read_term(self) -> Term | None:
        """The next term; None at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        if self._at == len(self._text):
            return None
        start = self._at
        rest = self._text[start + 1 : start + 2]
        is_without = self._text[start] == "-" and bool(rest) and not rest.isspace()
        self._at += is_without
        if self._text[self._at] == '"':
            return Term("", (Value(self._read_quoted()),), is_without, start=start, end=self._at)
        head = _HEAD.match(self._text, self._at)
        if head is None or self._text.startswith("//", head.end()):
            self._at = _WORD.match(self._text, self._at).end()  # type: ignore[union-attr]  # it is no space
            word = self._text[start + is_without : self._at]
            return Term("", (Value(word),), is_without, start=start, end=self._at)
        return self._read_filter(start, is_without, head)

    def _read_filter(self, start: int, is_without: bool, head: re.Match[str]) -> Term:
        typed, sign = head[1], head[2]
        self._at = head.end()
        name, field = self._read_name(start + is_without, typed)
        if sign in COMPARISONS:
            return self._read_comparison(start, is_without, name, sign)
        if name not in set(FilterName):
            self._fail(ProblemKind.NOT_A_FILTER, start, repair=self._compared(start, name))
        values = [self._read_value(start, name)]
        while self._text[self._at : self._at + 1] == ",":
            self._at += 1
            values.append(self._read_value(start, name))
        if self._at < len(self._text) and not self._text[self._at].isspace():
            self._fail(ProblemKind.AFTER_QUOTE, start, repair=f"{self._text[start : self._at]} ", end=self._at)
        return Term(name, tuple(values), is_without, field, start=start, end=self._at)

    def _read_name(self, start: int, typed: str) -> tuple[str, str]:
        """The name as it is spelled, and the NAME of field.NAME."""
        name, _dot, field = typed.partition(".")
        name = name.lower()
        if name == FilterName.FIELD:
            if not field:
                self._fail(ProblemKind.NO_FIELD, start)
            return name, _unquote(field[1:-1]) if field.startswith('"') else field
        if typed.lower() not in NAMES:
            near = find_name(typed)
            rest = self._text[start + len(typed) : self._end_of_word()]
            self._fail(ProblemKind.UNKNOWN_NAME, start, repair=near + rest if near else "", choices=(near,))
        return typed.lower(), ""

    def _read_value(self, start: int, name: str) -> Value:
        """One value of a filter, checked against what its name allows."""
        if self._text[self._at : self._at + 1] == '"':
            text, depth = self._read_quoted(), Depth.HERE
            if not text:
                self._fail(ProblemKind.NO_VALUE, start, end=self._at)
            if name == FilterName.FOLDER:
                depth = next((d for d in (Depth.BELOW, Depth.CHILDREN) if self._text.startswith(d, self._at)), depth)
                self._at += len(depth)
            return self._checked(start, name, Value(text, depth))
        match = _BARE_VALUE.match(self._text, self._at)
        if match is None:
            self._fail(ProblemKind.NO_VALUE, start)
        value_start, self._at = self._at, match.end()
        text, depth = self._text[value_start : self._at], Depth.HERE
        if name == FilterName.FOLDER:
            depth = next((d for d in (Depth.BELOW, Depth.CHILDREN) if text.endswith(d) and text != d), depth)
            text = text.removesuffix(depth)
        return self._checked(start, name, Value(text, depth))

    def _checked(self, start: int, name: str, value: Value) -> Value:
        text = value.text
        choices = CHOICES.get(FilterName(name), ())
        end = self._at
        if choices and fold(text) not in choices:
            near = get_close_matches(fold(text), choices, 1, 0.5)
            self._fail_value(ProblemKind.UNKNOWN_VALUE, start, end, text, near[0] if near else choices[0], choices)
        if name in (FilterName.MISSING, FilterName.SUBTITLES, FilterName.LANGUAGE) and not _LANGUAGE.fullmatch(text):
            near = [code for code in LANGUAGES if code.lower() == fold(text)[:2]]
            self._fail_value(ProblemKind.UNKNOWN_LANGUAGE, start, end, text, near[0] if near else "")
        if name == FilterName.CREATED and parse_dates(text, date(2000, 1, 1)) is None:
            self._fail_value(ProblemKind.NO_DATE, start, end, text, "28d")
        return value

    def _fail_value(
        self, kind: ProblemKind, start: int, end: int, text: str, near: str, choices: tuple[str, ...] = ()
    ) -> NoReturn:
        """The value that ends here is wrong: the repair has `near` in its place."""
        typed = self._text[start:end]
        at = typed.rfind(text)
        quoted = typed[at - 1 : at] == '"'
        before = typed[: at - quoted] if at >= 0 else ""
        self._fail(kind, start, end=end, repair=before + near if near and at >= 0 else "", choices=choices)

    def _read_comparison(self, start: int, is_without: bool, name: str, sign: str) -> Term:
        match = re.compile(r"\S*").match(self._text, self._at)
        typed = match[0] if match else ""
        value_start, self._at = self._at, self._at + len(typed)
        if name not in set(Measure):
            colon = f"{self._text[start : value_start - len(sign)]}:{typed}"
            self._fail(ProblemKind.NOT_COMPARED, start, repair=colon if typed else "")
        before = self._text[start:value_start]
        number, usual = _AMOUNT.fullmatch(typed), USUAL_UNITS.get(name, "")
        if number is None:
            digits = re.sub(r"\D", "", typed)
            self._fail(ProblemKind.NO_NUMBER, start, repair=f"{before}{digits}{usual}" if digits else "")
        units = UNITS.get(Measure(name), {})
        unit = next((unit for unit in units if unit.lower() == number[2].lower()), "")
        if number[2] and not unit:
            self._fail(ProblemKind.UNKNOWN_UNIT, start, repair=before + number[1] + usual, choices=tuple(units))
        if units and not unit:
            self._fail(ProblemKind.NO_UNIT, start, repair=f"{before}{number[1]}{usual}", choices=tuple(units))
        amount = Amount(_parse_number(number[1], is_whole=not units), unit)
        return Term(name, (), is_without, "", sign, amount, start, self._at)

    def _compared(self, start: int, name: str) -> str:
        """What a measure with a colon may have meant."""
        typed = self._text[self._at : self._end_of_word()]
        return f"{name}>{typed}" if _AMOUNT.fullmatch(typed) else ""

    def _read_quoted(self) -> str:
        """The text in quotes that begins here, without them."""
        start, at = self._at, self._at + 1
        while at < len(self._text) and self._text[at] != '"':
            at += 2 if self._text[at] == "\\" and self._text[at + 1 : at + 2] in ('"', "\\") else 1
        if at >= len(self._text):
            self._fail(ProblemKind.NO_QUOTE, start, repair=self._text[start:].rstrip() + '"', end=len(self._text))
        self._at = at + 1
        return _unquote(self._text[start + 1 : at])

    def _end_of_word(self) -> int:
        match = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\S)*').match(self._text, self._at)
        return match.end() if match else self._at

    def _fail(
        self, kind: ProblemKind, start: int, *, repair: str = "", end: int = 0, choices: tuple[str, ...] = ()
    ) -> NoReturn:
        end = end or max(self._end_of_word(), self._at)
        raise NotAQuery(Problem(kind, start, end, self._text[start:end], repair, choices))


def _unquote(text: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", text)


def find_name(typed: str) -> str:
    """The name that somebody may have meant; "" where none is like it."""
    folded = fold(typed)
    if folded in OTHER_NAMES:
        return OTHER_NAMES[folded]
    near = get_close_matches(folded, NAMES, 1, 0.6)
    return near[0] if near else ""


def _parse_number(digits: str, *, is_whole: bool) -> Decimal:
    """A number with a comma or a point. What is counted has no decimals, so that three digits after it are thousands."""
    if is_whole and re.fullmatch(r"\d{1,3}([.,]\d{3})+", digits):
        return Decimal(re.sub(r"[.,]", "", digits))
    head, _separator, decimals = digits.replace(",", ".").rpartition(".")
    return Decimal(f"{head.replace('.', '')}.{decimals}" if head else decimals)


def parse_dates(text: str, today: date) -> DateSpan | None:
    """The days of `2026`, `2026-11`, `2026-11-01`, `2026-11-01..2026-11-20` or `28d`; None for anything else."""
    if recent := _RECENT.fullmatch(text):
        days = int(recent[1])
        return DateSpan(today - timedelta(days=days - 1), today) if days else None
    first, dots, last = text.partition("..")
    begin, end = _parse_day(first), _parse_day(last) if dots else _parse_day(first)
    return DateSpan(begin.first, end.last) if begin and end and begin.first <= end.last else None


def _parse_day(text: str) -> DateSpan | None:
    """The days of a year, a month or a day."""
    match = _DAY.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), match[2], match[3]
    try:
        first = date(year, int(month or 1), int(day or 1))
        date(year + 1, 1, 1)  # no day is the last that there is: one after it ends the span
        if day:
            return DateSpan(first, first)
        following = date(year + (not month or month.lstrip("0") == "12"), int(month) % 12 + 1 if month else 1, 1)
        return DateSpan(first, following - timedelta(days=1))
    except ValueError:
        return None
