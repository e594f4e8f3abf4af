"""What people read about a query: what is wrong with a word of it."""

from django.utils.translation import gettext as _

from dashboard.shared import formats
from dashboard.videos.query.parser import LONGEST, MOST_TERMS, Problem, ProblemKind

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
