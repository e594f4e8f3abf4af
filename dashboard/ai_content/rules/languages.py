"""The same quiz in two languages: which question is which, what differs in structure, and copying the structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.ai_content.rules.package import JSON
from dashboard.ai_content.rules.pairing import Pairs, by_key, identifier, moved, pair
from dashboard.ai_content.rules.quiz import duplicate, reading


class Apart(StrEnum):
    """How a question's structure differs between two languages."""

    MISSING = "missing"
    """The other language does not have it."""
    EXTRA = "extra"
    """Only the other language has it."""
    MOVED = "moved"
    OPTIONS = "options"
    """Another number of alternatives."""
    CORRECT = "correct"
    """Other places are correct."""
    SAME_TEXT = "same_text"
    """Word for word the same: probably not translated yet."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question in both languages; places, None where a side lacks it."""

    ours: int | None
    theirs: int | None
    apart: tuple[Apart, ...]


def align(ours: Sequence[JSON], theirs: Sequence[JSON]) -> Pairs:
    """Pairs of places. Translations share ids where the files have common ones; else order is all there is to go by."""
    ids = {identifier(question) for question in ours} & {identifier(question) for question in theirs} - {""}
    if ids:
        return pair(ours, theirs, by_key("enunciate"), by_place=False)
    shared = min(len(ours), len(theirs))
    rest: list[tuple[int | None, int | None]] = [(place, None) for place in range(shared, len(ours))]
    rest += [(None, place) for place in range(shared, len(theirs))]
    return (*((place, place) for place in range(shared)), *rest)


def compare(ours: Sequence[JSON], theirs: Sequence[JSON]) -> tuple[Row, ...]:
    """One row per question, in the order of `ours` with what only `theirs` has at the end."""
    pairs = align(ours, theirs)
    wandered = moved([old for old, new in pairs if old is not None and new is not None])
    rows = [Row(old, new, _apart(ours, theirs, old, new, wandered)) for old, new in pairs]
    return tuple(sorted(rows, key=lambda row: (row.ours is None, row.ours or 0, row.theirs or 0)))


def _apart(
    ours: Sequence[JSON], theirs: Sequence[JSON], old: int | None, new: int | None, wandered: set[int]
) -> tuple[Apart, ...]:
    if old is None or new is None:
        return (Apart.EXTRA if old is None else Apart.MISSING,)
    one, other = reading(ours[old]), reading(theirs[new])
    found = []
    if old in wandered:
        found.append(Apart.MOVED)
    if len(one.options) != len(other.options):
        found.append(Apart.OPTIONS)
    elif one.correct != other.correct:
        found.append(Apart.CORRECT)
    if one.text.strip() and one.text == other.text:
        found.append(Apart.SAME_TEXT)
    return tuple(found)


def copy_structure(source: Sequence[JSON], target: Sequence[JSON]) -> list[JSON]:
    """`target` with the questions, order, number of alternatives and correct places of `source`.

    Texts of `target` stay wherever it has the question and the alternative; what it lacks comes over in the language of
    `source`, to be translated. Questions that only `target` has go last: nothing is dropped.
    """
    pairs = align(source, target)
    partner = {old: new for old, new in pairs if old is not None and new is not None}
    shared_ids = any(
        identifier(source[old]) and identifier(source[old]) == identifier(target[new]) for old, new in partner.items()
    )
    copied: list[JSON] = []
    for place, question in enumerate(source):
        if place in partner:
            copied.append(_with_structure(question, target[partner[place]]))
        else:
            copied.append(question if shared_ids else duplicate(question))
    return copied + [target[new] for old, new in pairs if old is None and new is not None]


def _with_structure(source: JSON, target: JSON) -> JSON:
    """One question of `target` with the alternatives' number and correct places of `source`."""
    if not isinstance(source, dict) or not isinstance(target, dict):
        return target
    wanted, have = source.get("options"), target.get("options")
    if not isinstance(wanted, list) or not isinstance(have, list):
        return target
    options: list[JSON] = []
    for place, option in enumerate(wanted):
        mine = have[place] if place < len(have) else option
        if isinstance(mine, dict) and isinstance(option, dict) and "correct" in option:
            mine = mine if mine.get("correct") is option["correct"] else mine | {"correct": option["correct"]}
        options.append(mine)
    return target | {"options": options}
