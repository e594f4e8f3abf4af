"""Tolerant readings of JSON values: each takes anything at all and gives the wanted type or its "nothing" value."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeAlias
from urllib.parse import urlsplit

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"

_EPOCH_MILLISECONDS_FROM = 100_000_000_000  # as seconds this is the year 5138: anything larger is milliseconds
_YEARS = range(1900, 9900)  # outside, moving to another time zone can overflow
_BORING = re.compile(r"[!-Z^-~]*", re.ASCII)  # no brackets and nothing outside ASCII: only those cannot be taken apart
_NUMBER = re.compile(r"\s*[-+]?\d{1,30}(\.\d{1,30})?([eE][-+]?\d{1,3})?\s*", re.ASCII)


class Unreadable(ValueError):
    """An answer that is not what the operation needs."""


class Denied(Unreadable):
    """An answer whose body says that the call failed, whatever its status. Its text is the platform's own sentence."""


def text(value: object) -> str:
    """A string as it came, a number as digits, anything else as ""."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def optional_text(value: object) -> str | None:
    """Like `text`, with None for nothing."""
    return (value if isinstance(value, str) else text(value)) or None


def number(value: object) -> float | None:
    """A finite number from a number or a string of digits."""
    if type(value) is int:  # most of what is asked: answers have tens of thousands
        try:
            return float(value)
        except OverflowError:  # an integer beyond what a float holds
            return None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        return None
    figure = float(value)
    return figure if math.isfinite(figure) else None


def integer(value: object) -> int | None:
    """A whole number, rounded down; counts come as strings or numbers [2.7]."""
    figure = number(value)
    return None if figure is None else math.floor(figure)


def flag(value: object, default: bool = False) -> bool:
    """A boolean, also from 0/1 and from "true"/"false" in any case."""
    known = optional_flag(value)
    return default if known is None else known


def optional_flag(value: object) -> bool | None:
    """Like `flag`, with None for what says neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value != 0
    if isinstance(value, str) and value.lower() in ("true", "1", "false", "0"):
        return value.lower() in ("true", "1")
    return None


def moment(value: object) -> datetime | None:
    """An aware UTC time from ISO 8601 text (no zone: UTC) or from seconds or milliseconds since epoch."""
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value.strip())
            time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        else:
            seconds = number(value)
            if seconds is None:
                return None
            time = datetime.fromtimestamp(seconds / (1000 if abs(seconds) >= _EPOCH_MILLISECONDS_FROM else 1), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return time if time.year in _YEARS else None


def word(value: object, known: type[StrEnum]) -> str:
    """A state in the specification's spelling whatever its case; unknown ones as they came."""
    name = text(value)
    for member in known:
        if member.value.lower() == name.lower():
            return member.value
    return name


def address(value: object) -> str | None:
    """An address that is safe in a link or an image: http(s) or a path of this site, never `javascript:`.

    None too for what cannot be taken apart, such as a `[` without its `]`: whoever reads on can rely on that.
    """
    link = text(value).strip()
    if link.lower().startswith(("http://", "https://")) or (link.startswith("/") and link[1:2] not in ("/", "\\")):
        return link if _BORING.fullmatch(link) or _is_address(link) else None
    return None


def _is_address(link: str) -> bool:
    try:
        urlsplit(link)
    except ValueError:
        return False
    return True


def mapping(value: object) -> dict[str, JSON]:
    """An object as it came, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[JSON]:
    """An array as it came, anything else as an empty one."""
    return value if isinstance(value, list) else []


def first(source: Mapping[str, JSON], *keys: str) -> JSON:
    """The first value under these keys that is not null."""
    for key in keys:
        if (value := source.get(key)) is not None:
            return value
    return None


def rest(source: Mapping[str, JSON], known: str) -> dict[str, JSON]:
    """What a record does not know: everything but the known keys, given as words."""
    names = known.split()
    return {key: value for key, value in source.items() if key not in names}
