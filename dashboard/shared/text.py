"""What is read out of text that people typed or the platform answered: words to compare, identifiers, and what an address names,
out of what mail programs, chats and scanners make of it."""

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from unicodedata import combining, normalize
from urllib.parse import unquote
from uuid import UUID


def fold(text: str) -> str:
    """Return the text without case and accents, for comparing."""
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter)).casefold()


def parse_uuid(text: str | None) -> UUID | None:
    """Return the identifier that the text is; None for anything else."""
    try:
        return UUID(text or "")
    except ValueError:
        return None


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
_BLANK: Final = dict.fromkeys(map(ord, "\u115f\u1160\u3164\uffa0\u2800"))
"""Letters that have no ink."""


class SignedToken:
    """What `identity.signer` makes, with `~` for its colon, or another such word: nothing that it never writes may end it, so
    that an address with such an end is not found, and leads to the one without.
    """

    regex = r"[0-9A-Za-z_~-]+(?<!~[0-9A-Za-z_-]{43}[_~-])(?<!~)"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def parse_link_id(text: str) -> str | None:
    """The link that `text` names, in small letters: an address or an id, as it was copied or inside other words; None
    without one.

    Of several ids in one path it is the last, and of several addresses the first that has one.
    """
    plain = _unwrap(text)
    return _find_first(plain) or _find_first(re.sub(r"[\s=>]+", "", plain))


def list_paths(path: str) -> Iterator[str]:
    """What may have been meant by a path of this site that leads nowhere, without what cannot be part of one: each begins
    with one slash and holds nothing that could lead to another site.
    """
    pieces = _BEGINNING.split(_unwrap(path))[:4]
    for piece in pieces:
        inside = re.sub(r"^https?:/+[^/]*|^\W+", "", piece, flags=re.IGNORECASE)
        inside = re.split(r"[^\w/.~:-]|__;", re.sub(r"^\W*", "/", inside), maxsplit=1)[0]
        inside = _UUID.sub(lambda match: match[0].lower(), re.sub(r"/{2,}", "/", inside))
        for end in (r"[^\w~-]+\Z", r"[\W_]+\Z"):
            meant = re.sub(end, "", inside)
            if meant or len(pieces) == 1:
                yield from (meant, f"{meant}/")


def _unwrap(text: str) -> str:
    """Without encodings, characters that nobody sees, and other hyphens."""
    text = _PROOFPOINT.sub(lambda match: match[0].replace("-", "%").replace("_", "/"), text)
    for _round in range(3):
        text = html.unescape(unquote(_SOFT_BREAK.sub("", text)))
    plain = unicodedata.normalize("NFKC", text).translate(_BLANK)
    kinds = ((char, unicodedata.category(char)) for char in plain)
    return "".join("-" if kind == "Pd" else char for char, kind in kinds if kind not in ("Cf", "Mn"))


def _find_first(text: str, wrappers: int = 3) -> str | None:
    if wrappers and (wrapped := _WRAPPED.search(text)):
        inner = _find_first(wrapped[1], wrappers - 1)
        if inner is not None:
            return inner
    paths = (re.split(r"[?#&]|__;", piece, maxsplit=1)[0] for piece in _BEGINNING.split(text))
    return next((ids[-1].lower() for path in paths if (ids := _UUID.findall(path))), None)
