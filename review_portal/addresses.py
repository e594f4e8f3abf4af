"""The link that an address names, out of what mail programs, chats and scanners make of it."""

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

_UUID: Final = re.compile(r"(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
_SOFT_BREAK: Final = re.compile(r"=[ \t]*(?:\r\n|\r|\n)|=0D=0A|=3D(?=[\"'])|=\Z")
"""What quoted-printable puts into a line that is too long, and around an address."""
_PROOFPOINT: Final = re.compile(r"(?<=[?&]u=)https?-3A__[^&\s]+", re.IGNORECASE)
"""An address in which `%` is written as `-` and `/` as `_`."""
_WRAPPED: Final = re.compile(
    r"[?&](?:url|u|q|a|to|link|target|dest\w*|redirect\w*)=(https?:/.*)", re.IGNORECASE | re.DOTALL
)
"""The address inside that of a scanner, which leads there after it has looked."""
_BEGINNING: Final = re.compile(r"(?=https?:/)", re.IGNORECASE)


@dataclass(frozen=True)
class LinkAddress:
    """The id, in small letters, and what the path has behind it: "" or a page of the room, such as `/print`."""

    link_id: str
    rest: str = ""


def parse_address(text: str) -> LinkAddress | None:
    """The link that `text` names: an address or an id, as it was copied or inside other words; None without one.

    Of several ids in one path it is the last, and of several addresses the first that has one.
    """
    plain = _unwrap(text)
    return _find_first(plain) or _find_first(re.sub(r"[\s=>]+", "", plain))


def _unwrap(text: str) -> str:
    """Without encodings, characters that nobody sees, and other hyphens."""
    text = _PROOFPOINT.sub(lambda match: match[0].replace("-", "%").replace("_", "/"), text)
    for _round in range(3):
        text = html.unescape(unquote(_SOFT_BREAK.sub("", text)))
    kinds = ((char, unicodedata.category(char)) for char in unicodedata.normalize("NFKC", text))
    return "".join("-" if kind == "Pd" else char for char, kind in kinds if kind not in ("Cf", "Mn"))


def _find_first(text: str, wrappers: int = 3) -> LinkAddress | None:
    if wrappers and (wrapped := _WRAPPED.search(text)):
        inner = _find_first(wrapped[1], wrappers - 1)
        if inner is not None:
            return inner
    for piece in _BEGINNING.split(text):
        path = re.split(r"[?#&]|__;", piece, maxsplit=1)[0]
        ids = list(_UUID.finditer(path))
        if ids:
            rest = re.split(r"[\s<>\"]", path[ids[-1].end() :], maxsplit=1)[0]
            return LinkAddress(ids[-1][0].lower(), re.sub(r"[\W_]+\Z", "", rest))
    return None
