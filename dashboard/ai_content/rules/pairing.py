"""Which element of one list is which element of another: by id, else by text, else by place."""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from dashboard.ai_content.rules.package import JSON, canonical, composed

Pairs: TypeAlias = tuple[tuple[int | None, int | None], ...]
Name: TypeAlias = Callable[[JSON], str]
"""What an element is known by; "" for nothing."""

ANY_ID = " "
"""Stands for every identifier: none is a space, because identifiers are JSON."""


def identifier(element: JSON) -> str:
    """The `id` of an object, numbers and strings told apart; "" when it has none."""
    found = element.get("id") if isinstance(element, dict) else None
    return canonical(found) if found not in (None, "") and isinstance(found, str | int | float) else ""


def normalised(text: str) -> str:
    """Text as people compare it: no case, no accents' spelling, single spaces."""
    return " ".join(composed(text, "NFKC").casefold().split())


def by_key(*keys: str) -> Name:
    """Known by the normalised text under the first of these keys that holds text; a plain string by itself."""

    def name(element: JSON) -> str:
        if isinstance(element, str):
            return normalised(element)
        values = [element.get(key) for key in keys] if isinstance(element, dict) else []
        return next((normalised(value) for value in values if isinstance(value, str) and value.strip()), "")

    return name


def pair(before: Sequence[JSON], after: Sequence[JSON], name: Name, *, by_place: bool = True) -> Pairs:
    """Pairs of places (before, after), in the order of `after` with what only `before` has at the end of its place.

    An element is matched at most once: by an id that is unique on both sides, else by a unique name, else in order
    with one that is the same, has the same name or the same id, else, with `by_place`, with the element at the same
    place when that one is unmatched too and neither has an id. Two lists that are the same are matched place by place.
    """
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for key in (identifier, name):
        left = dict(_unique(before, key, set(partner)))
        right = dict(_unique(after, key, taken))
        for known, place in left.items():
            if known in right and not _other_ids(before[place], after[right[known]]):
                partner[place] = right[known]
                taken.add(right[known])
    for key in (canonical, name, identifier):
        _pair_in_order(before, after, key, partner, taken)
    if by_place:
        for place in range(min(len(before), len(after))):
            named = identifier(before[place]) or identifier(after[place])
            if place not in partner and place not in taken and not named:
                partner[place] = place
                taken.add(place)
    return _in_order(len(before), len(after), partner)


def _pair_in_order(
    before: Sequence[JSON], after: Sequence[JSON], key: Name, partner: dict[int, int], taken: set[int]
) -> None:
    """Match what several elements share under `key`: the first with the first, the second with the second."""
    waiting: dict[tuple[str, str], deque[int]] = {}
    for place, element in enumerate(after):
        if place not in taken and (known := key(element)):
            waiting.setdefault((known, ANY_ID), deque()).append(place)
            waiting.setdefault((known, identifier(element)), deque()).append(place)
    for place, element in enumerate(before):
        if not waiting or place in partner:
            continue
        known, own = key(element), identifier(element)
        rivals = [waiting[group] for each in ((own, "") if own else (ANY_ID,)) if (group := (known, each)) in waiting]
        for rival in rivals:
            while rival and rival[0] in taken:
                rival.popleft()
        if heads := [rival[0] for rival in rivals if rival]:
            partner[place] = min(heads)
            taken.add(min(heads))


def _unique(elements: Sequence[JSON], key: Name, skip: set[int]) -> list[tuple[str, int]]:
    names = [(key(element), place) for place, element in enumerate(elements) if place not in skip]
    counts = Counter(known for known, _ in names)
    return [(known, place) for known, place in names if known and counts[known] == 1]


def _other_ids(one: JSON, other: JSON) -> bool:
    """Both have an id, and not the same: then they are two things, whatever else says so."""
    return bool(identifier(one) and identifier(other) and identifier(one) != identifier(other))


def _in_order(before: int, after: int, partner: dict[int, int]) -> Pairs:
    origin = {new: old for old, new in partner.items()}
    pairs: list[tuple[int | None, int | None]] = [(origin.get(place), place) for place in range(after)]
    joined: list[tuple[int | None, int | None]] = []
    rest = (place for place in range(before) if place not in partner)
    waiting = next(rest, None)
    for old, new in pairs:
        while waiting is not None and old is not None and old > waiting:
            joined.append((waiting, None))
            waiting = next(rest, None)
        joined.append((old, new))
    if waiting is not None:
        joined += [(place, None) for place in (waiting, *rest)]
    return tuple(joined)


def moved(order: Sequence[int]) -> set[int]:
    """The values to move so that the rest is rising: everything outside a longest rising run."""
    tails: list[int] = []
    tops: list[int] = []
    below: dict[int, int | None] = {}
    for value in order:
        at = bisect_left(tails, value)
        below[value] = tops[at - 1] if at else None
        tails[at : at + 1] = [value]
        tops[at : at + 1] = [value]
    staying: set[int] = set()
    value_or_none = tops[-1] if tops else None
    while value_or_none is not None:
        staying.add(value_or_none)
        value_or_none = below[value_or_none]
    return set(order) - staying
