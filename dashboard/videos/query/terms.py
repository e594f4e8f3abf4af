"""What a query is made of, and how it is written. Pure.

query  = term { " " term }                        all terms must hold
term   = [ "-" ] ( filter | word | phrase )       "-" in front: without
filter = name ":" value { "," value }             commas: any of these
       | measure ( ">" | "<" | ">=" | "<=" | "=" ) amount
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple


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
