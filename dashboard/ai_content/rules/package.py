"""A language's file: opaque JSON whose unknown keys are kept, its blocks, and the matching of list elements [2.8, 4.3]."""

import hashlib
import json
import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from dashboard.platform_api.values import JSON

Package: TypeAlias = dict[str, JSON]

DEPTH_MAX: Final = 100
"""Levels of arrays and objects; the client refuses deeper answers too."""


BODY_MOST: Final = 10_485_760
"""Bytes of a body that the platform takes (gaps 15, A11)."""
TEXT_MOST: Final = 2_000_000
"""Characters of an eBook, a thousand pages: its HTML is made anew with each save."""


class Block(StrEnum):
    """A part of the file that is edited on its own page."""

    EBOOK = "ebook"
    MINDMAP = "mindmap"
    QUIZ = "quiz"
    OTHER = "other"
    """Every other key: never edited, always sent."""


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
    """The file cannot be edited without losing something; `code` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def check_package(value: JSON) -> Package:
    """Return the value as a package. Raises `NotAPackage`: not_object, too_deep, not_finite."""
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


def parse_package(text: str) -> Package:
    """Parse a package. Raises `NotAPackage`, with the codes of `check_package` and not_json."""
    try:
        return check_package(json.loads(text, parse_constant=_refuse_constant))
    except RecursionError as error:
        raise NotAPackage("too_deep") from error
    except NotAPackage:
        raise
    except ValueError as error:
        raise NotAPackage("not_json") from error


def _refuse_constant(name: str) -> None:
    raise NotAPackage("not_finite")


def format_json(value: JSON, *, indent: int | None = None) -> str:
    """Format a value as JSON, keys in their order. Lone surrogates are escaped."""
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return text if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def format_canonical(value: JSON) -> str:
    """Format equal values as equal text: keys sorted, Unicode in NFC, 1.0 as 1."""
    dumped = json.dumps(
        _simplify_numbers(value), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return dumped if dumped.isascii() else normalize_unicode(dumped)


def normalize_unicode(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Text in a normal form of Unicode, but for runs of more than 30 combining marks, which stay as they are.

    No script has them, and putting them in order takes the square of their length.
    """
    if not _MARKS.search(text):
        return unicodedata.normalize(form, text)
    pieces = _MARKS.split(text)
    return "".join(piece if place % 2 else unicodedata.normalize(form, piece) for place, piece in enumerate(pieces))


def _simplify_numbers(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _simplify_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_simplify_numbers(inner) for inner in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _INTEGERS_EXACT_BELOW:
        return int(value)
    return value


def get_digest(value: JSON) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(format_canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def get_mark(value: JSON) -> str:
    """Return a short digest: a form sends it back to detect that the value has changed."""
    return get_digest(value)[:16]


def is_same(left: JSON, right: JSON) -> bool:
    """Whether two values are equal JSON. Python's == treats true and 1 as equal."""
    if isinstance(left, str) and isinstance(right, str):
        return left == right or format_canonical(left) == format_canonical(right)
    return format_canonical(left) == format_canonical(right)


def is_extended(sent: JSON, received: JSON) -> bool:
    """Whether `received` is `sent` with keys added to its objects, such as ids of new questions."""
    if isinstance(sent, dict) and isinstance(received, dict):
        return all(key in received and is_extended(value, received[key]) for key, value in sent.items())
    if isinstance(sent, list) and isinstance(received, list):
        return len(sent) == len(received) and all(is_extended(a, b) for a, b in zip(sent, received, strict=True))
    return is_same(sent, received)


def get_block(key: str) -> Block:
    """Return the block of a top-level key."""
    return _BLOCK_OF.get(key, Block.OTHER)


def list_blocks(package: Package) -> set[Block]:
    """Return the blocks that a file has."""
    return {get_block(key) for key in package} - {Block.OTHER}


def get_part(package: Package, block: Block) -> Package:
    """Return the keys of one block, in their order."""
    return {key: value for key, value in package.items() if get_block(key) is block}


def replace_part(package: Package, block: Block, values: Package) -> Package:
    """Return the package with one block replaced. Keys stay in their places; new ones come last."""
    result = {
        key: values[key] if get_block(key) is block else value
        for key, value in package.items()
        if get_block(key) is not block or key in values
    }
    return result | {key: value for key, value in values.items() if key not in result and get_block(key) is block}


def build_payload(package: Package, video_id: str, lang: str | None) -> Package:
    """Build the body of PUT /aiworkflow/aipackage: the package and its address; no `lang` for the legacy file [4.3]."""
    body = {key: value for key, value in package.items() if key not in ("video_id", "lang")}
    return {"video_id": video_id, **({} if lang is None else {"lang": lang}), **body}


def list_large_parts(payload: Package) -> tuple[tuple[str, int], ...]:
    """List the largest keys of a body that is larger than the platform takes, with their bytes; nothing for any other."""
    if count_bytes(payload) <= BODY_MOST:
        return ()
    sizes = sorted(((key, count_bytes(value)) for key, value in payload.items()), key=lambda part: -part[1])
    return tuple(sizes[:3])


def count_bytes(value: JSON) -> int:
    """Count the bytes of a value as it is sent."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def remove_address(package: Package) -> Package:
    """Return the content without its address, which a platform may add to the file."""
    return {key: value for key, value in package.items() if key not in ("video_id", "lang")}


def get_text(value: JSON) -> str:
    """Return a string unchanged, "" for anything else."""
    return value if isinstance(value, str) else ""


def get_fingerprint(package: Package) -> str:
    """Content hash, without the address that a platform may add."""
    return get_digest(remove_address(package))


Pairs: TypeAlias = tuple[tuple[int | None, int | None], ...]
Name: TypeAlias = Callable[[JSON], str]
"""Returns the name of an element; "" where it has none."""


ANY_ID = " "
"""Stands for every identifier: none is a space, because identifiers are JSON."""


def get_identifier(element: JSON) -> str:
    """Return the `id` of an object as JSON, so that 1 and "1" differ; "" where it has none."""
    value = element.get("id") if isinstance(element, dict) else None
    return format_canonical(value) if value not in (None, "") and isinstance(value, str | int | float) else ""


def normalize_text(text: str) -> str:
    """Normalise text for comparing: case, Unicode form and white space."""
    return " ".join(normalize_unicode(text, "NFKC").casefold().split())


def name_by_keys(*keys: str) -> Name:
    """Build a `Name`: the normalised text of the first of these keys that has text, or the plain string."""

    def name(element: JSON) -> str:
        if isinstance(element, str):
            return normalize_text(element)
        values = [element.get(key) for key in keys] if isinstance(element, dict) else []
        return next((normalize_text(value) for value in values if isinstance(value, str) and value.strip()), "")

    return name


def pair_elements(before: Sequence[JSON], after: Sequence[JSON], name: Name, *, by_place: bool = True) -> Pairs:
    """Match elements; returns pairs of places (before, after), in the order of `after`.

    An element is matched at most once: by an id that is unique on both sides, else by a unique name, else in order
    with one that is the same, has the same name or the same id, else, with `by_place`, with the element at the same
    place when that one is unmatched too and neither has an id. Two lists that are the same are matched place by place.
    """
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for key in (get_identifier, name):
        left = dict(_list_unique(before, key, set(partner)))
        right = dict(_list_unique(after, key, taken))
        for known, place in left.items():
            if known in right and not _has_other_id(before[place], after[right[known]]):
                partner[place] = right[known]
                taken.add(right[known])
    for key in (format_canonical, name, get_identifier):
        _pair_in_order(before, after, key, partner, taken)
    if by_place:
        for place in range(min(len(before), len(after))):
            named = get_identifier(before[place]) or get_identifier(after[place])
            if place not in partner and place not in taken and not named:
                partner[place] = place
                taken.add(place)
    return _order_pairs(len(before), len(after), partner)


def _pair_in_order(
    before: Sequence[JSON], after: Sequence[JSON], key: Name, partner: dict[int, int], taken: set[int]
) -> None:
    """Match what several elements share under `key`: the first with the first, the second with the second."""
    waiting: dict[tuple[str, str], deque[int]] = {}
    for place, element in enumerate(after):
        if place not in taken and (known := key(element)):
            waiting.setdefault((known, ANY_ID), deque()).append(place)
            waiting.setdefault((known, get_identifier(element)), deque()).append(place)
    for place, element in enumerate(before):
        if not waiting or place in partner:
            continue
        known, own = key(element), get_identifier(element)
        rivals = [waiting[group] for each in ((own, "") if own else (ANY_ID,)) if (group := (known, each)) in waiting]
        for rival in rivals:
            while rival and rival[0] in taken:
                rival.popleft()
        if heads := [rival[0] for rival in rivals if rival]:
            partner[place] = min(heads)
            taken.add(min(heads))


def _list_unique(elements: Sequence[JSON], key: Name, skip: set[int]) -> list[tuple[str, int]]:
    names = [(key(element), place) for place, element in enumerate(elements) if place not in skip]
    counts = Counter(known for known, _ in names)
    return [(known, place) for known, place in names if known and counts[known] == 1]


def _has_other_id(left: JSON, right: JSON) -> bool:
    """Whether both have ids, and they differ: then they are never matched."""
    return bool(get_identifier(left) and get_identifier(right) and get_identifier(left) != get_identifier(right))


def _order_pairs(before: int, after: int, partner: dict[int, int]) -> Pairs:
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


def find_moved(order: Sequence[int]) -> set[int]:
    """Return the values outside a longest increasing subsequence: those that were moved."""
    return set(order) - {order[at] for at in find_longest_rise(order)}


def find_longest_rise(values: Sequence[int]) -> list[int]:
    """The places of a longest increasing subsequence."""
    tails: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(tops[length - 1] if length else -1)
        tails[length : length + 1] = [value]
        tops[length : length + 1] = [place]
    run = []
    place = tops[-1] if tops else -1
    while place >= 0:
        run.append(place)
        place = before[place]
    return run[::-1]
