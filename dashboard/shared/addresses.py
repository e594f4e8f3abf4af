"""Addresses of other features, which may not be there: a link is left out instead of breaking the page."""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.core.signals import setting_changed
from django.urls import NoReverseMatch, get_script_prefix, reverse

from dashboard.platform_api.vocabulary import COMPARISON_ID_PREFIX, LIVE_ID_PREFIX
from dashboard.shared.text import parse_uuid

_TELLING_ID: Final = re.compile(
    rf"\b(?:{LIVE_ID_PREFIX}|{COMPARISON_ID_PREFIX})[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}\b",
    re.IGNORECASE,
)


def address(name: str, *args: object, **query: object) -> str:
    """The address of the view `name` ("videos:video") with its query: lists repeat their key, empty values are left out.

    "" when its feature or its arguments do not exist.
    """
    try:
        path = path_of(name, *args)
    except NoReverseMatch:
        return ""
    parameters = {key: value for key, value in query.items() if value not in (None, "", (), [])}
    return f"{path}?{urlencode(parameters, doseq=True)}" if parameters else path


def video_address(video_id: str) -> str:
    """The page of one video, or "" for an id that cannot be one."""
    key = parse_uuid(video_id)
    return address("videos:video", key) if key else ""


class Thing(NamedTuple):
    """What an id is of: "live", "ab_test" or "video", and its page."""

    kind: str
    address: str


def find_thing(text: str) -> Thing | None:
    """The live or the A/B test whose id is in a text: their ids begin with the hex of their names (2.5; gaps 15, A8)."""
    match = _TELLING_ID.search(text)
    if match is None:
        return None
    kind = "live" if match[0].lower().startswith(LIVE_ID_PREFIX) else "ab_test"
    return Thing(kind, address({"live": "lives:live", "ab_test": "ab_tests:ab_test"}[kind], match[0].lower()))


def path_of(name: str, *args: object) -> str:
    """`reverse`, which a list asks the same hundreds of times: looked up once. Raises `NoReverseMatch`."""
    return _path_of(name, args, get_script_prefix())


@lru_cache(maxsize=4_096)
def _path_of(name: str, args: tuple[object, ...], prefix: str) -> str:
    """`prefix` begins the addresses of this request; Django knows it by thread."""
    return reverse(name, args=args)


def _forget(**kwargs: object) -> None:
    _path_of.cache_clear()


setting_changed.connect(_forget)
