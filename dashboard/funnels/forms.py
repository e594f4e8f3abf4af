"""The board as a form: an entry and two coordinates for each card. Plain, because a board has hundreds of cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.funnels import rules
from dashboard.funnels.rules import Card, CoordinateProblem
from dashboard.shared import formats

AXES = ("x", "y")


@dataclass
class Arrangement:
    """What a form brings: the cards as arranged, and per field what is wrong, with what was typed."""

    cards: tuple[Card, ...]
    typed: dict[str, str] = field(default_factory=dict)
    """By field name (`x-<id>`): what was typed where it is wrong."""
    errors: dict[str, str] = field(default_factory=dict)


def parse_arrangement(data: QueryDict, cards: Sequence[Card]) -> Arrangement:
    """Read the form over `cards`. A field that did not come leaves its card as it is."""
    result = Arrangement(())
    ids = {card.id for card in cards}
    entry_id = data.get("entry", "")
    arranged_cards = []
    for card in cards:
        place = {axis: _parse_axis(data, card, axis, result) for axis in AXES}
        entry = card.id == entry_id if entry_id in ids else card.entry
        arranged_cards.append(replace(card, x=place["x"], y=place["y"], entry=entry))
    result.cards = tuple(arranged_cards)
    return result


def _parse_axis(data: QueryDict, card: Card, axis: str, arrangement_read: Arrangement) -> float:
    name = f"{axis}-{card.id}"
    standing = card.x if axis == "x" else card.y
    if name not in data:
        return standing
    text = str(data[name])
    value = rules.parse_coordinate(text)
    if isinstance(value, CoordinateProblem):
        arrangement_read.typed[name], arrangement_read.errors[name] = text, format_problem(value)
        return standing
    return value


def format_problem(problem: CoordinateProblem) -> str:
    """What is wrong with a coordinate, and what to do."""
    return {
        CoordinateProblem.MISSING: _("Write a number."),
        CoordinateProblem.NOT_A_NUMBER: _("Write a number, such as 40."),
        CoordinateProblem.TOO_FAR: _("Write a number between -%(most)s and %(most)s.")
        % {"most": formats.number(rules.COORDINATE_MAX)},
    }[problem]
