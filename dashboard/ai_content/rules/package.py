"""A language's file as a whole: opaque JSON that is kept whole, whatever it holds [2.8, 4.3]."""

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, TypeAlias

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
Package: TypeAlias = dict[str, JSON]

DEPTH_MAX: Final = 100
"""Levels of arrays and objects; the client refuses deeper answers too."""


TEXT_MOST: Final = 2_000_000
"""Characters of an eBook, a thousand pages: its HTML is made anew with each save."""


class Block(StrEnum):
    """A part of the file that is edited on its own page."""

    EBOOK = "ebook"
    MINDMAP = "mindmap"
    QUIZ = "quiz"
    OTHER = "other"
    """Every key the specification does not name: never edited, always sent."""


KEYS: Final[Mapping[Block, tuple[str, ...]]] = {
    Block.EBOOK: ("abstract", "abstract_html", "abstract_summary", "abstract_cover"),
    Block.MINDMAP: ("mindmap",),
    Block.QUIZ: ("questions", "questions_config"),
}
_BLOCK_OF: Final = {key: block for block, keys in KEYS.items() for key in keys}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COMBINING: Final = "".join(
    letter
    for letter in map(chr, range(0x300, 0x1E94B))
    if unicodedata.combining(unicodedata.normalize("NFKD", letter)[0])
)
_MARKS: Final = re.compile(f"([{_COMBINING}]{{31,}})")
"""Marks above and below letters, more than Unicode's stream-safe text format has in a row."""
_INTEGERS_EXACT_BELOW: Final = 2**53


class NotAPackage(ValueError):
    """What was read cannot be edited without losing something; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def checked(value: JSON) -> Package:
    """The value as a package. Raises `NotAPackage`: not_object, too_deep, not_finite."""
    if not isinstance(value, dict):
        raise NotAPackage("not_object")
    level: list[JSON] = [value]
    for _ in range(DEPTH_MAX):
        children: list[JSON] = []
        for node in level:
            if isinstance(node, dict):
                children += node.values()
            elif isinstance(node, list):
                children += node
            elif isinstance(node, float) and not math.isfinite(node):
                raise NotAPackage("not_finite")  # a number no JSON can hold again, such as 1e999
        if not children:
            return value
        level = children
    raise NotAPackage("too_deep")


def read(text: str) -> Package:
    """A package from JSON text. Raises `NotAPackage`, with the codes of `checked` and not_json."""
    try:
        return checked(json.loads(text, parse_constant=_no_constant))
    except RecursionError as error:
        raise NotAPackage("too_deep") from error
    except NotAPackage:
        raise
    except ValueError as error:
        raise NotAPackage("not_json") from error


def _no_constant(name: str) -> None:
    raise NotAPackage("not_finite")


def written(value: JSON, *, indent: int | None = None) -> str:
    """JSON text of a value, keys in their own order. Halves of a pair, which no file can hold, are escaped."""
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return text if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def canonical(value: JSON) -> str:
    """One text for every spelling of the same value: keys sorted, Unicode in NFC, 1.0 written as 1."""
    dumped = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return dumped if dumped.isascii() else composed(dumped)


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Text in a normal form of Unicode, but for runs of more than 30 combining marks, which stay as they are.

    No script has them, and putting them in order takes the square of their length.
    """
    if not _MARKS.search(text):
        return unicodedata.normalize(form, text)
    pieces = _MARKS.split(text)
    return "".join(piece if place % 2 else unicodedata.normalize(form, piece) for place, piece in enumerate(pieces))


def _plain(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _INTEGERS_EXACT_BELOW:
        return int(value)
    return value


def digest(value: JSON) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def mark(value: JSON) -> str:
    """A short digest, for "is this still what you saw" between a form and the draft behind it."""
    return digest(value)[:16]


def same(one: JSON, other: JSON) -> bool:
    """Whether two values are the same JSON. Python's own == takes true for 1."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other or canonical(one) == canonical(other)
    return canonical(one) == canonical(other)


def grown(sent: JSON, seen: JSON) -> bool:
    """Whether `seen` is `sent` with nothing but keys added to its objects: ids given to new questions, stamps."""
    if isinstance(sent, dict) and isinstance(seen, dict):
        return all(key in seen and grown(value, seen[key]) for key, value in sent.items())
    if isinstance(sent, list) and isinstance(seen, list):
        return len(sent) == len(seen) and all(grown(a, b) for a, b in zip(sent, seen, strict=True))
    return same(sent, seen)


def block_of(key: str) -> Block:
    """The block a top-level key belongs to."""
    return _BLOCK_OF.get(key, Block.OTHER)


def blocks_of(package: Package) -> set[Block]:
    """The resources that a file has."""
    return {block_of(key) for key in package} - {Block.OTHER}


def part(package: Package, block: Block) -> Package:
    """The keys of one block that the package has, in its order."""
    return {key: value for key, value in package.items() if block_of(key) is block}


def with_part(package: Package, block: Block, values: Package) -> Package:
    """The package with one block replaced. Keys stay in their places; new ones come last."""
    kept = {
        key: values[key] if block_of(key) is block else value
        for key, value in package.items()
        if block_of(key) is not block or key in values
    }
    return kept | {key: value for key, value in values.items() if key not in kept and block_of(key) is block}


def payload(package: Package, video_id: str, lang: str | None) -> Package:
    """The body of PUT /aiworkflow/aipackage: the whole package and its address; no `lang` for the legacy file [4.3]."""
    body = {key: value for key, value in package.items() if key not in ("video_id", "lang")}
    return {"video_id": video_id, **({} if lang is None else {"lang": lang}), **body}


def without_address(package: Package) -> Package:
    """The content alone, which files are compared by: a platform may or may not repeat the address in them."""
    return {key: value for key, value in package.items() if key not in ("video_id", "lang")}


def text_of(value: JSON) -> str:
    """A string as it is, nothing for anything else."""
    return value if isinstance(value, str) else ""
