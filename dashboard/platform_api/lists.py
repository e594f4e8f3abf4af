"""One tolerant reading of lists and of single records, in whichever of these shapes they come:

    [{…}, …]   {"lives": [{…}]}   {"data": {"lives": [{…}]}}    arrays, bare or under their name
    {"<id>": {…}}   {"<id>": "<title>"}                          objects by identifier
    {"Launch": {"id": …}}   {"0": {…}, "1": {…}}                  objects by name or by position
    [{"live": {…}}]   {"edges": [{"node": {…}}]}                  records in wrappers of their own
    [{"id": …, "attributes": {…}}]                               records with their fields apart
    ["<id>", "<id>"]                                              identifiers alone

What cannot be read is `Unreadable`, or said to be not told: never an empty list.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from dashboard.platform_api.values import JSON, Unreadable, mapping, text

T = TypeVar("T")

WRAPPERS: Final = ("data", "items", "results", "result", "records", "rows", "list", "edges", "nodes")
"""Keys that stand around an answer and say nothing about it."""
_LEVELS: Final = 3
_IDENTIFIER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def is_identifier(value: JSON) -> bool:
    """Whether a text alone can only be the identifier of something: a UUID [1, 2.5], and no name of it."""
    return isinstance(value, str) and _IDENTIFIER.fullmatch(value) is not None


def items(value: JSON, *names: str, is_key: Callable[[JSON], bool] = is_identifier, level: int = 0) -> list[JSON]:
    """The elements of a list; those of an object by key are objects with that key as their `id`.

    `names`: under which it may stand; `is_key`: what a key has to be to tell elements apart. One record alone is a list of one.
    Raises `Unreadable` when there is no list.
    """
    if isinstance(value, list):
        return value
    source = mapping(value)
    for key in (*names, *WRAPPERS):
        inner = source.get(key)
        if key in source and (inner is None or inner == {}):
            return []
        if isinstance(inner, list | dict) and level < _LEVELS:
            return items(inner, *names, is_key=is_key, level=level + 1)
    if source and (all(map(is_key, source)) or all(map(_is_record, source.values()))):
        return [_by_key(key, inner, is_key) for key, inner in source.items()]
    if text(source.get("id")):
        return [value]
    raise Unreadable("no list in the answer")


def _by_key(key: str, inner: JSON, is_key: Callable[[JSON], bool]) -> JSON:
    """An element of an object: what its key says of it is added, where it does not say that itself."""
    if not is_key(key):
        return inner if key.isdecimal() else {"name": key, **mapping(inner)}
    if isinstance(inner, dict):
        return {"id": key, **inner}
    return {"id": key} if inner is None else {"id": key, "title": inner}


def _is_record(value: JSON) -> bool:
    return bool(text(mapping(value).get("id")))


def identified(
    value: JSON, read: Callable[[Mapping[str, JSON]], T], *names: str, needs: tuple[str, ...] = ()
) -> tuple[T, ...]:
    """The records of a list; single elements that cannot be shown are left out.

    `needs`: a record says nothing without one of these keys. No address can hold an id with a `/`: nobody could open what it
    names, or do anything to it. Raises `Unreadable` when there is no list, or one in which nothing can be read.
    """
    listed = items(value, *names)
    records = [record for item in listed if (record := as_record(item))]
    usable = [source for source in records if "/" not in text(source["id"]) and _says(source, needs)]
    if not usable and any(item not in (None, {}) for item in listed):
        raise Unreadable("nothing in the list can be read")
    return tuple(read(source) for source in usable)


def _says(source: Mapping[str, JSON], needs: tuple[str, ...]) -> bool:
    return not needs or any(source.get(key) not in (None, "") for key in needs)


def as_record(item: JSON) -> dict[str, JSON] | None:
    """An element as an object with its `id`: as it came, out of its wrapper, or of an identifier alone; else None."""
    if is_identifier(item):
        return {"id": item}
    source = _with_attributes(item)
    if text(source.get("id")):
        return source
    inner = [inner_value for inner_value in source.values() if _is_record(inner_value)]
    return {**source, **_with_attributes(inner[0])} if len(inner) == 1 else None


def _with_attributes(value: JSON) -> dict[str, JSON]:
    """An object with what it keeps under `attributes`."""
    source = mapping(value)
    return {**mapping(source["attributes"]), **source} if "attributes" in source else source


def record(
    value: JSON, *names: str, identified_by: str = "id", requested_id: object = None, needs: tuple[str, ...] = ()
) -> dict[str, JSON]:
    """The object in an answer: bare, in a wrapper, in an array of one, or under its identifier.

    With `requested_id`, that is its identifier, whatever the answer says: it is what leads there again.
    Raises `Unreadable` without its identifier, and without all of `needs`.
    """
    candidate = value
    for _level in range(_LEVELS):
        source = _with_attributes(candidate[0] if isinstance(candidate, list) and len(candidate) == 1 else candidate)
        if text(source.get(identified_by)) and _says(source, needs):
            return source if requested_id is None else source | {identified_by: str(requested_id)}
        inner = [source[key] for key in (*names, *WRAPPERS) if isinstance(source.get(key), dict | list)]
        if not inner and len(source) == 1 and requested_id is not None and str(requested_id) in source:
            inner = [{identified_by: str(requested_id), **mapping(source[str(requested_id)])}]
        candidate = inner[0] if inner else None
    raise Unreadable(f"no {identified_by} in the answer")


@dataclass(frozen=True, slots=True)
class Inside:
    """What a record lists of another kind, each as an object with its `id`. `is_told`: whether that is all of it."""

    records: tuple[dict[str, JSON], ...]
    is_told: bool


def inside(value: JSON, kind: str, *, are_links: bool = False) -> Inside:
    """The things of a kind ("video") that a record lists: themselves, links to them, or their identifiers.

    A link has an id of its own, which is not that of what it leads to. `are_links`: every element is one.
    """
    try:
        elements = items(value)
    except Unreadable:
        return Inside((), is_told=False)
    things = [_thing(item, kind, are_links=are_links) for item in elements]
    return Inside(tuple(thing for thing in things if thing), is_told=None not in things)


def _thing(item: JSON, kind: str, *, are_links: bool) -> dict[str, JSON] | None:
    """One thing with what its link says of it."""
    if not isinstance(item, dict):
        return as_record(item)
    item = _with_attributes(item)
    linked, own = item.get(kind), text(item.get(f"{kind}_id"))
    if isinstance(linked, dict):
        id_ = text(linked.get("id")) or text(linked.get(f"{kind}_id")) or own
        return {**item, **linked, "id": id_} if id_ else None
    if is_identifier(linked) or own:
        return {**item, "id": own or linked}
    if are_links or linked is not None or not set(item).isdisjoint(_OF_A_LINK):
        return None
    return as_record(item)


_OF_A_LINK: Final = ("playlist_id", "funnel_id", "comparison_id")
"""Only a link names what it leads from."""
