"""The query as a form: each field is one term, and what no field can say is kept beside them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from dashboard.shared.entries import ROOT
from dashboard.videos.query.matching import STATUSES
from dashboard.videos.query.parser import NotAQuery, parse_query
from dashboard.videos.query.terms import (
    NO_FOLDER,
    Depth,
    FilterName,
    Measure,
    Term,
    Value,
    VideoQuery,
    format_query,
    format_term,
)

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
        values[name] = _format_field(term)
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


def _format_field(term: Term) -> str:
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
