"""The same quiz in two languages: which question is which, what differs in structure, and copying the structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.ai_content.rules.package import Pairs, find_moved, get_identifier, name_by_keys, pair_elements
from dashboard.ai_content.rules.quiz import copy_question, parse_question
from dashboard.platform_api.values import JSON


class StructureDifference(StrEnum):
    """Differences of a question's structure between two languages."""

    MISSING = "missing"
    """Missing in the other language."""
    EXTRA = "extra"
    """Missing in this language."""
    MOVED = "moved"
    OPTIONS = "options"
    """A different number of answers."""
    CORRECT = "correct"
    """Different correct answers."""
    SAME_TEXT = "same_text"
    """Identical text, probably not translated."""


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """One question in both languages; places, None where a side lacks it."""

    ours: int | None
    theirs: int | None
    apart: tuple[StructureDifference, ...]


def align_questions(ours: Sequence[JSON], theirs: Sequence[JSON]) -> Pairs:
    """Match the questions of two languages: by id where the files share ids, else by order."""
    ids = {get_identifier(question) for question in ours} & {get_identifier(question) for question in theirs} - {""}
    if ids:
        return pair_elements(ours, theirs, name_by_keys("enunciate"), by_place=False)
    shared = min(len(ours), len(theirs))
    rest: list[tuple[int | None, int | None]] = [(place, None) for place in range(shared, len(ours))]
    rest += [(None, place) for place in range(shared, len(theirs))]
    return (*((place, place) for place in range(shared)), *rest)


def compare_questions(ours: Sequence[JSON], theirs: Sequence[JSON]) -> tuple[ComparedQuestion, ...]:
    """Compare two languages, one row per question, in the order of `ours`; those that only `theirs` has come last."""
    pairs = align_questions(ours, theirs)
    wandered = find_moved([old for old, new in pairs if old is not None and new is not None])
    rows = [ComparedQuestion(old, new, _list_differences(ours, theirs, old, new, wandered)) for old, new in pairs]
    return tuple(sorted(rows, key=lambda row: (row.ours is None, row.ours or 0, row.theirs or 0)))


def _list_differences(
    ours: Sequence[JSON], theirs: Sequence[JSON], old: int | None, new: int | None, wandered: set[int]
) -> tuple[StructureDifference, ...]:
    if old is None or new is None:
        return (StructureDifference.EXTRA if old is None else StructureDifference.MISSING,)
    question, counterpart = parse_question(ours[old]), parse_question(theirs[new])
    differences = []
    if old in wandered:
        differences.append(StructureDifference.MOVED)
    if len(question.options) != len(counterpart.options):
        differences.append(StructureDifference.OPTIONS)
    elif question.correct != counterpart.correct:
        differences.append(StructureDifference.CORRECT)
    if question.text.strip() and question.text == counterpart.text:
        differences.append(StructureDifference.SAME_TEXT)
    return tuple(differences)


def copy_structure(source: Sequence[JSON], target: Sequence[JSON]) -> list[JSON]:
    """`target` with the questions, order, number of alternatives and correct places of `source`.

    Texts of `target` stay wherever it has the question and the alternative; what it lacks comes over in the language of
    `source`, to be translated. Questions that only `target` has go last: nothing is dropped.
    """
    pairs = align_questions(source, target)
    partner = {old: new for old, new in pairs if old is not None and new is not None}
    shared_ids = any(
        get_identifier(source[old]) and get_identifier(source[old]) == get_identifier(target[new])
        for old, new in partner.items()
    )
    copied: list[JSON] = []
    for place, question in enumerate(source):
        if place in partner:
            copied.append(_apply_structure(question, target[partner[place]]))
        else:
            copied.append(question if shared_ids else copy_question(question))
    return copied + [target[new] for old, new in pairs if old is None and new is not None]


def _apply_structure(source: JSON, target: JSON) -> JSON:
    """One question of `target` with the alternatives' number and correct places of `source`."""
    if not isinstance(source, dict) or not isinstance(target, dict):
        return target
    source_options, target_options = source.get("options"), target.get("options")
    if not isinstance(source_options, list) or not isinstance(target_options, list):
        return target
    options: list[JSON] = []
    for place, option in enumerate(source_options):
        mine = target_options[place] if place < len(target_options) else option
        if isinstance(mine, dict) and isinstance(option, dict) and "correct" in option:
            mine = mine if mine.get("correct") is option["correct"] else mine | {"correct": option["correct"]}
        options.append(mine)
    return target | {"options": options}
