"""The board as a form: an entry and two coordinates for each card. Plain, because a board has hundreds of cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.funnels import rules
from dashboard.funnels.rules import Card, Number
from dashboard.shared import formats

AXES = ("x", "y")


@dataclass
class Arrangement:
    """What a form brings: the cards as arranged, and per field what is wrong, with what was typed."""

    cards: tuple[Card, ...]
    typed: dict[str, str] = field(default_factory=dict)
    """By field name (`x-<id>`): what was typed where it is wrong."""
    errors: dict[str, str] = field(default_factory=dict)


def arrangement(data: QueryDict, cards: Sequence[Card]) -> Arrangement:
    """Read the form over `cards`. A field that did not come leaves its card as it is."""
    found = Arrangement(())
    ids = {card.id for card in cards}
    chosen = data.get("entry", "")
    made = []
    for card in cards:
        place = {axis: _axis(data, card, axis, found) for axis in AXES}
        entry = card.id == chosen if chosen in ids else card.entry
        made.append(replace(card, x=place["x"], y=place["y"], entry=entry))
    found.cards = tuple(made)
    return found


def _axis(data: QueryDict, card: Card, axis: str, found: Arrangement) -> float:
    name = f"{axis}-{card.id}"
    standing = card.x if axis == "x" else card.y
    if name not in data:
        return standing
    text = str(data[name])
    value = rules.coordinate(text)
    if isinstance(value, Number):
        found.typed[name], found.errors[name] = text, sentence(value)
        return standing
    return value


def sentence(problem: Number) -> str:
    """What is wrong with a coordinate, and what to do."""
    return {
        Number.MISSING: _("Write a number."),
        Number.NOT_A_NUMBER: _("Write a number, such as 40."),
        Number.TOO_FAR: _("Write a number between -%(most)s and %(most)s.") % {"most": formats.number(rules.FARTHEST)},
    }[problem]
