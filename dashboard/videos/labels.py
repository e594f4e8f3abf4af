"""The terms of a query in words: what chips, suggestions and the form call them."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats
from dashboard.shared.text import fold
from dashboard.videos.catalog import Catalog
from dashboard.videos.query import (
    LONGEST,
    MOST_TERMS,
    NO_FOLDER,
    Depth,
    FilterName,
    Measure,
    Problem,
    ProblemKind,
    Term,
    Value,
)

SPELLED: Final = {code.lower(): code for code in LANGUAGES}
"""The codes of languages as the specification spells them, by what is known of a video."""
NAMES: Final[dict[str, str]] = {
    FilterName.FOLDER: gettext_noop("Folder"),
    FilterName.MISSING: gettext_noop("Missing subtitles"),
    FilterName.SUBTITLES: gettext_noop("Subtitles"),
    FilterName.HAS: gettext_noop("Has"),
    FilterName.COMMENTS: gettext_noop("Comments"),
    FilterName.PLAYS: gettext_noop("Plays"),
    FilterName.VIEWS: gettext_noop("Views"),
    FilterName.CHAT: gettext_noop("Chat"),
    FilterName.FIELD: gettext_noop("Custom field"),
    FilterName.LANGUAGE: gettext_noop("Language"),
    FilterName.IN: gettext_noop("Used in"),
    FilterName.CREATED: gettext_noop("Created"),
    FilterName.VIEW: gettext_noop("Saved view"),
    FilterName.STATUS: gettext_noop("Status"),
    Measure.TRAFFIC: gettext_noop("Traffic, 28 days"),
    Measure.LENGTH: gettext_noop("Length"),
}
"""What each filter is called, as a msgid."""
VALUES: Final[dict[tuple[str, str], str]] = {
    (FilterName.HAS, "quiz"): gettext_noop("Has a quiz"),
    (FilterName.HAS, "mindmap"): gettext_noop("Has a mind map"),
    (FilterName.HAS, "ebook"): gettext_noop("Has an eBook"),
    (FilterName.HAS, "resources"): gettext_noop("Has AI content"),
    (FilterName.HAS, "subtitles"): gettext_noop("Has subtitles"),
    (FilterName.HAS, "comments"): gettext_noop("Has comments"),
    (FilterName.HAS, "review-link"): gettext_noop("Has a review link"),
    (FilterName.HAS, "fields"): gettext_noop("Has custom fields"),
    (FilterName.HAS, "chat"): gettext_noop("Shows a chat"),
    (FilterName.COMMENTS, "open"): gettext_noop("Comments open"),
    (FilterName.COMMENTS, "none"): gettext_noop("No comments"),
    (FilterName.PLAYS, "falling"): gettext_noop("Plays falling"),
    (FilterName.PLAYS, "rising"): gettext_noop("Plays rising"),
    (FilterName.VIEWS, "falling"): gettext_noop("Views falling"),
    (FilterName.VIEWS, "rising"): gettext_noop("Views rising"),
    (FilterName.CHAT, "shown"): gettext_noop("Chat shown"),
    (FilterName.CHAT, "hidden"): gettext_noop("Chat hidden"),
    (FilterName.CHAT, "unknown"): gettext_noop("Chat unknown"),
    (FilterName.STATUS, "ready"): gettext_noop("Ready"),
    (FilterName.STATUS, "converting"): gettext_noop("Converting"),
    (FilterName.STATUS, "failed"): gettext_noop("Failed"),
    (FilterName.STATUS, "draft"): gettext_noop("Draft"),
    (FilterName.STATUS, "trash"): gettext_noop("In the trash"),
    (FilterName.IN, "playlist"): gettext_noop("Used in a playlist"),
    (FilterName.IN, "funnel"): gettext_noop("Used in a funnel"),
    (FilterName.IN, "ab-test"): gettext_noop("Used in an A/B test"),
}
"""What a filter with this value finds, as a msgid."""
WITHOUT: Final[dict[str, str]] = {
    "quiz": gettext_noop("Without quiz"),
    "mindmap": gettext_noop("Without mind map"),
    "ebook": gettext_noop("Without eBook"),
    "resources": gettext_noop("Without AI content"),
    "subtitles": gettext_noop("Without subtitles"),
    "comments": gettext_noop("Without comments"),
    "review-link": gettext_noop("Without review link"),
    "fields": gettext_noop("Without custom fields"),
    "chat": gettext_noop("Without chat"),
}


def describe_term(term: Term, catalog: Catalog) -> str:
    """What a term finds: "Missing subtitles: French"."""
    if term.is_without and term.name == FilterName.HAS and len(term.values) == 1:
        return _(WITHOUT[fold(term.values[0].text)])
    words = _describe_bare(term, catalog)
    return _("Not: %(filter)s") % {"filter": words} if term.is_without else words


def _describe_bare(term: Term, catalog: Catalog) -> str:
    if term.is_word:
        return _("“%(words)s” in the title") % {"words": term.values[0].text}
    if term.amount is not None:
        return f"{_(NAMES[term.name])} {term.comparison} {describe_amount(term)}"
    labels = [VALUES.get((term.name, fold(value.text))) for value in term.values]
    if all(labels):
        return _any_of([_(label) for label in labels if label])
    values = _any_of([describe_value(term.name, value, catalog) for value in term.values])
    name = f"{_(NAMES[term.name])} “{term.key}”" if term.key else _(NAMES[term.name])
    return f"{name}: {values}"


def _any_of(words: list[str]) -> str:
    """“A, B or C”."""
    *first, last = words
    return _("%(first)s or %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def describe_amount(term: Term) -> str:
    """A number with its unit, as the reader writes it."""
    if term.amount is None:
        return ""
    return f"{formats.number(term.amount.number)} {term.amount.unit}".strip()


def describe_value(name: str, value: Value, catalog: Catalog) -> str:
    """One value: a language by its name, a folder with what of it is meant."""
    if name in (FilterName.MISSING, FilterName.SUBTITLES, FilterName.LANGUAGE):
        return formats.language_name(SPELLED.get(value.text.lower(), value.text))
    if name != FilterName.FOLDER:
        label = VALUES.get((name, fold(value.text)))
        return _(label) if label else value.text
    if value.text == NO_FOLDER and not catalog.find_folders(value.text):
        return _("in no folder")
    shelf = catalog.shelf_by_id.get(value.text)
    sentences: Mapping[Depth, str] = {
        Depth.HERE: "%(folder)s",
        Depth.CHILDREN: _("subfolders of %(folder)s"),
        Depth.BELOW: _("%(folder)s and subfolders"),
    }
    return sentences[value.depth] % {"folder": shelf.name if shelf else value.text}


MOST_NAMED = 6


def explain_problem(problem: Problem) -> str:
    """The sentence about the word that is wrong."""
    values = {
        "word": problem.word,
        "name": problem.choices[0] if problem.choices else "",
        "choices": formats.named(problem.choices, MOST_NAMED),
        "most": formats.number(LONGEST if problem.kind is ProblemKind.TOO_LONG else MOST_TERMS),
    }
    return _sentence(problem) % values


def _sentence(problem: Problem) -> str:
    """With its places still open."""
    if problem.kind is ProblemKind.UNKNOWN_NAME and problem.repair:
        return _("“%(word)s” uses no known filter. Did you mean “%(name)s”?")
    return {
        ProblemKind.TOO_LONG: _("This search is too long. It can have %(most)s characters."),
        ProblemKind.TOO_MANY: _("This search has too many filters. It can have %(most)s."),
        ProblemKind.UNKNOWN_NAME: _("“%(word)s” uses no known filter."),
        ProblemKind.UNKNOWN_VALUE: _("“%(word)s” has a value that this filter doesn't know. It can be: %(choices)s."),
        ProblemKind.UNKNOWN_LANGUAGE: _("“%(word)s” names no language code. Type a code like fr, es or pt-BR."),
        ProblemKind.NO_VALUE: _("“%(word)s” needs a value after the colon."),
        ProblemKind.NO_QUOTE: _("The quote in “%(word)s” is not closed."),
        ProblemKind.AFTER_QUOTE: _("“%(word)s” needs a space after it."),
        ProblemKind.NOT_COMPARED: _("“%(word)s” can't be compared. Type a colon and a value."),
        ProblemKind.NOT_A_FILTER: _("“%(word)s” needs a comparison, like traffic>10GB."),
        ProblemKind.NO_NUMBER: _("“%(word)s” needs a number after the comparison."),
        ProblemKind.NO_UNIT: _("“%(word)s” needs a unit: %(choices)s."),
        ProblemKind.UNKNOWN_UNIT: _("“%(word)s” has a unit that this filter doesn't know. It can be: %(choices)s."),
        ProblemKind.NO_DATE: _("“%(word)s” has no date. Type a month like 2026-11, or a number of days like 28d."),
        ProblemKind.UNKNOWN_FOLDER: _("No folder is called “%(word)s”."),
        ProblemKind.UNKNOWN_PLACE: _("No playlist, funnel or A/B test is called “%(word)s”."),
        ProblemKind.UNKNOWN_VIEW: _("No saved view is called “%(word)s”."),
        ProblemKind.VIEW_IN_ITSELF: _("The saved view “%(word)s” uses itself."),
        ProblemKind.NO_FIELD: _("“%(word)s” needs the name of a custom field after the point."),
    }[problem.kind]
