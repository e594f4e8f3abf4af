"""What a query is made of, and how it is written. Pure.

query  = term { " " term }                        all terms must hold
term   = [ "-" ] ( filter | word | phrase )       "-" in front: without
filter = name ":" value { "," value }             commas: any of these
       | measure ( ">" | "<" | ">=" | "<=" | "=" ) amount
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple, NoReturn

from dashboard.platform_api.vocabulary import LANGUAGES, VideoStatus
from dashboard.shared.entries import ROOT
from dashboard.shared.text import fold


class FilterName(StrEnum):
    """Names that a value follows after ":"."""

    FOLDER = "folder"
    MISSING = "missing"
    SUBTITLES = "subtitles"
    HAS = "has"
    COMMENTS = "comments"
    PLAYS = "plays"
    VIEWS = "views"
    CHAT = "chat"
    FIELD = "field"
    LANGUAGE = "language"
    IN = "in"
    CREATED = "created"
    VIEW = "view"
    STATUS = "status"


class Measure(StrEnum):
    """Names that are compared with an amount."""

    TRAFFIC = "traffic"
    PLAYS = "plays"
    VIEWS = "views"
    LENGTH = "length"
    COMMENTS = "comments"


class Has(StrEnum):
    """What a video can have."""

    QUIZ = "quiz"
    MINDMAP = "mindmap"
    EBOOK = "ebook"
    RESOURCES = "resources"
    SUBTITLES = "subtitles"
    COMMENTS = "comments"
    REVIEW_LINK = "review-link"
    FIELDS = "fields"
    CHAT = "chat"


class Place(StrEnum):
    """Kinds of things that a video can be in; the name of one of them is a value too."""

    PLAYLIST = "playlist"
    FUNNEL = "funnel"
    AB_TEST = "ab-test"


class Depth(StrEnum):
    """Which folders a folder's value means."""

    HERE = ""
    CHILDREN = "/*"
    """Its direct subfolders, without itself."""
    BELOW = "/**"
    """Itself and everything below."""


COMPARISONS: Final = (">=", "<=", ">", "<", "=")
UNITS: Final[dict[Measure, dict[str, int]]] = {
    Measure.TRAFFIC: {"MB": 10**6, "GB": 10**9, "TB": 10**12},
    Measure.LENGTH: {"s": 1, "min": 60, "h": 3600},
}
USUAL_UNITS: Final[dict[str, str]] = {Measure.TRAFFIC: "GB", Measure.LENGTH: "min"}
"""What somebody meant who typed none that is known."""
CHOICES: Final[dict[FilterName, tuple[str, ...]]] = {
    FilterName.HAS: tuple(Has),
    FilterName.COMMENTS: ("open", "none"),
    FilterName.PLAYS: ("falling", "rising"),
    FilterName.VIEWS: ("falling", "rising"),
    FilterName.CHAT: ("shown", "hidden", "unknown"),
    FilterName.STATUS: ("ready", "converting", "failed", "draft", "trash"),
}
"""The only values of these names."""
STATUSES: Final = {
    "ready": VideoStatus.CONVERTED,
    "converting": VideoStatus.CONVERTING,
    "failed": VideoStatus.FAILED,
    "draft": VideoStatus.DRAFT,
    "trash": VideoStatus.DELETING,
}
"""The states of a video by their words in a query."""
NO_FOLDER: Final = "none"
"""In place of a folder: the videos in no folder."""
_BARE: Final = re.compile(r'[^\s",:<>=\\]+')
_BARE_FIELD: Final = re.compile(r"[\w-]+")


class Value(NamedTuple):
    """One value of a filter, as it was typed; `depth` only of a folder."""

    text: str
    depth: Depth = Depth.HERE


@dataclass(frozen=True)
class Amount:
    """A number with the unit that was typed; "" for what is counted."""

    number: Decimal
    unit: str = ""


@dataclass(frozen=True)
class Term:
    """One term. Without `name` it is a word or phrase; with `amount` a comparison; else a filter.

    `start` and `end` say where it was typed, and are no part of what it means.
    """

    name: str = ""
    values: tuple[Value, ...] = ()
    is_without: bool = False
    key: str = ""
    """The NAME of field.NAME."""
    comparison: str = ""
    amount: Amount | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def is_word(self) -> bool:
        return not self.name

    @property
    def base(self) -> int:
        """How much one of its unit is, in bytes or seconds."""
        units = UNITS.get(Measure(self.name), {}) if self.amount else {}
        return units.get(self.amount.unit, 1) if self.amount else 1


@dataclass(frozen=True)
class VideoQuery:
    """All terms hold; their order means nothing to the list and is kept for people."""

    terms: tuple[Term, ...] = ()

    def without(self, term: Term) -> "VideoQuery":
        """The query without one of its terms."""
        return VideoQuery(tuple(other for other in self.terms if other is not term))

    def plus(self, term: Term) -> "VideoQuery":
        """The query with one more term, unless it has it already."""
        return self if term in self.terms else VideoQuery((*self.terms, term))


def list_missing(query: VideoQuery) -> tuple[str, ...]:
    """The languages that a query says are missing, in lower case."""
    terms = [term for term in query.terms if term.name == FilterName.MISSING and not term.is_without]
    return tuple(dict.fromkeys(value.text.lower() for term in terms for value in term.values))


def make_filter(name: FilterName, *values: str, depth: Depth = Depth.HERE, is_without: bool = False) -> Term:
    """A filter of these values."""
    return Term(name.value, tuple(Value(text, depth) for text in values), is_without)


def format_query(query: VideoQuery) -> str:
    """The query as people type it; `parser.parse_query` makes the same query of it."""
    return " ".join(map(format_term, query.terms))


def format_term(term: Term) -> str:
    """One term as people type it."""
    sign = "-" if term.is_without else ""
    if term.is_word:
        return sign + _format_word(term.values[0].text)
    if term.amount is not None:
        return f"{sign}{term.name}{term.comparison}{format_amount(term.amount)}"
    name = f"{term.name}.{_format_field(term.key)}" if term.key else term.name
    return f"{sign}{name}:{','.join(map(format_value, term.values))}"


def format_amount(amount: Amount) -> str:
    """The number with its unit: 1.5GB."""
    digits = f"{amount.number.normalize():f}"
    return digits + amount.unit


def format_value(value: Value) -> str:
    """The text of a value, in quotes where it needs them, with its depth."""
    text = value.text
    return (text if _BARE.fullmatch(text) and not text.endswith(("/*", "/**")) else quote(text)) + value.depth


def quote(text: str) -> str:
    """The text in quotes, as a phrase."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _format_word(text: str) -> str:
    return text if _BARE.fullmatch(text) and not text.startswith("-") else quote(text)


def _format_field(name: str) -> str:
    return name if _BARE_FIELD.fullmatch(name) else quote(name)


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
        return Term(name, (), is_without=is_without, key="", comparison=sign, amount=amount, start=start, end=self._at)

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
        raise NotAQuery(Problem(kind, start, end=end, word=self._text[start:end], repair=repair, choices=choices))


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


WORDS: Final = "words"
DEPTH: Final = "below"
WITHOUT: Final = "without"
REST: Final = "rest"
ONE_VALUE: Final = (
    FilterName.MISSING,
    FilterName.HAS,
    FilterName.COMMENTS,
    FilterName.PLAYS,
    FilterName.CHAT,
    FilterName.STATUS,
    FilterName.CREATED,
)
"""Names with a field of their own."""
FIELDS: Final = (WORDS, FilterName.FOLDER.value, *(name.value for name in ONE_VALUE), WITHOUT, Measure.TRAFFIC.value)
_OLD_STATUSES: Final = {status.value: word for word, status in STATUSES.items()}


@dataclass(frozen=True)
class FormFields:
    """The fields by name, "" where nothing is chosen. `rest`: the other terms, as they are typed."""

    values: Mapping[str, str] = field(default_factory=dict)
    is_below: bool = True
    rest: str = ""


def read_fields(query: VideoQuery) -> FormFields:
    """The fields that say this query; each says one term, and the first of its kind."""
    values: dict[str, str] = {}
    rest: list[Term] = []
    is_below = True
    for term in query.terms:
        name = _field_of(term)
        if not name or name in values:
            rest.append(term)
            continue
        values[name] = _format_form_value(term)
        if name == FilterName.FOLDER:
            is_below = term.values[0].depth is Depth.BELOW
    return FormFields(values, is_below, format_query(VideoQuery(tuple(rest))))


def _field_of(term: Term) -> str:
    """The field that says a term; "" where none can."""
    if term.amount is not None:
        is_plain = term.comparison == ">" and term.amount.unit == "GB" and not term.is_without
        return term.name if term.name == Measure.TRAFFIC and is_plain else ""
    if len(term.values) != 1:
        return ""
    if term.is_without:
        return WITHOUT if term.name == FilterName.HAS else ""
    if term.is_word:
        return WORDS
    if term.name == FilterName.FOLDER:
        return "" if term.values[0].depth is Depth.CHILDREN else term.name
    return term.name if term.name in ONE_VALUE else ""


def _format_form_value(term: Term) -> str:
    if term.is_word:
        return format_term(term)  # in its quotes: a phrase stays one, and no filter comes of it
    return f"{term.amount.number:f}" if term.amount is not None else term.values[0].text


def is_form(params: Mapping[str, str]) -> bool:
    """Whether a query string comes from the form, or from an address of before there were queries."""
    return any(name in params for name in FIELDS)


def build_text(params: Mapping[str, str]) -> str:
    """What somebody would type for these fields. A wrong value stays as it is, and is explained as one that was typed."""
    parts = [params.get(REST, "").strip(), _read_words(params.get("q", "")), _read_words(params.get(WORDS, ""))]
    if folder := params.get(FilterName.FOLDER.value, "").strip():
        parts.append(format_term(_folder_term(folder, params)))
    for name in ONE_VALUE:
        if text := params.get(name.value, "").strip():
            value = _OLD_STATUSES.get(text, text) if name is FilterName.STATUS else text
            parts.append(format_term(Term(name.value, (Value(value),))))
    if text := params.get(WITHOUT, "").strip():
        parts.append(format_term(Term(FilterName.HAS.value, (Value(text),), is_without=True)))
    if text := params.get(Measure.TRAFFIC.value, "").strip().replace(" ", ""):
        parts.append(f"traffic>{text}{'GB' if text[-1].isdigit() else ''}")
    return " ".join(part for part in parts if part)


def _read_words(text: str) -> str:
    """Words as they are where they are a query, else as a phrase."""
    text = text.strip()
    try:
        return format_query(parse_query(text))
    except NotAQuery:
        return format_term(Term("", (Value(text),)))


def _folder_term(folder: str, params: Mapping[str, str]) -> Term:
    """A folder with everything below it, unless the form says otherwise; older addresses name it by its id."""
    if folder in (ROOT, NO_FOLDER):
        return Term(FilterName.FOLDER.value, (Value(NO_FOLDER),))
    depth = Depth.BELOW if params.get(DEPTH) or REST not in params else Depth.HERE
    return Term(FilterName.FOLDER.value, (Value(folder, depth),))
