"""What a body may hold: checks that give sentences about what is not as documented."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any, str], list[str]]
"""What is wrong with a value that stands at a place."""
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def text(least: int = 1, most: int | None = None, pattern: str = "") -> Check:
    def check(value: Any, place: str) -> list[str]:
        if not isinstance(value, str):
            return [f"{place} is no string: {value!r}"]
        if len(value) < least or (most is not None and len(value) > most):
            return [f"{place} has {len(value)} characters"]
        return [] if not pattern or re.fullmatch(pattern, value) else [f"{place} is {value!r}"]

    return check


def one_of(*values: Any) -> Check:
    return lambda value, place: [] if value in values else [f"{place} is {value!r}"]


def uuid(value: Any, place: str) -> list[str]:
    return [] if isinstance(value, str) and UUID.fullmatch(value) else [f"{place} is no uuid: {value!r}"]


def boolean(value: Any, place: str) -> list[str]:
    return [] if isinstance(value, bool) else [f"{place} is no boolean: {value!r}"]


def number(value: Any, place: str) -> list[str]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return [] if is_number else [f"{place} is no number: {value!r}"]


def seconds(value: Any, place: str) -> list[str]:
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return [] if whole else [f"{place} is no whole number of seconds: {value!r}"]


def anything(value: Any, place: str) -> list[str]:
    return []


def array(of: Check, least: int = 0) -> Check:
    def check(value: Any, place: str) -> list[str]:
        if not isinstance(value, list):
            return [f"{place} is no array: {value!r}"]
        short = [f"{place} has {len(value)} elements"] if len(value) < least else []
        return short + [said for n, one in enumerate(value) for said in of(one, f"{place}[{n}]")]

    return check


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with these keys and no other."""
    known = {**required, **(optional or {})}

    def check(value: Any, place: str) -> list[str]:
        if not isinstance(value, dict):
            return [f"{place} is no object: {value!r}"]
        missing = [f"{place}.{key} is missing" for key in required if key not in value]
        unknown = [f"{place}.{key} is not documented" for key in value if key not in known]
        return (
            missing
            + unknown
            + [s for key, one in value.items() if key in known for s in known[key](one, f"{place}.{key}")]
        )

    return check


def either(*checks: Check) -> Check:
    """One of several: told is what is wrong with the one of the same kind, else with the nearest."""

    def check(value: Any, place: str) -> list[str]:
        said = [one(value, place) for one in checks]
        return min(said, key=lambda lines: (any(line.startswith(f"{place} is no ") for line in lines), len(lines)))

    return check
