"""Everything a person can give and the platform can answer, in shapes that are made to be slow: ten times as much takes at
most twelve times as long, up to the limits of docs/operations.md.

`bench_growth.py` has the same for a few whole inputs; here every reader meets every shape.
"""

import json
from collections.abc import Callable
from gc import collect, freeze
from typing import Any, Final

from dashboard.ai_content import ebook_html, ebook_markdown, exchange
from dashboard.ai_content.exchange import UnusableFile
from dashboard.ai_content.rules import difference, package
from dashboard.ai_content.rules.package import NotAPackage, Package
from dashboard.custom_fields import rules as fields
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.values import Unreadable
from dashboard.shared import cues
from tests.bench.figure import Figure, cpu

MOST: Final = 12.0
FLOOR: Final = 0.4
"""Milliseconds below which a tenth is not told from the noise of the machine."""
Shape = Callable[[int], str]
SHAPES: Final[dict[str, Shape]] = {
    "many <": lambda n: "<" * n,
    "quotes": lambda n: "\"'" * (n // 2),
    "brackets": lambda n: "[" * n,
    "images": lambda n: "![" * (n // 2),
    "marks": lambda n: "*a _b " * (n // 6),
    "quotations": lambda n: "> " * (n // 2),
    "one line": lambda n: "a" * n,
    "blank lines": lambda n: "\n " * (n // 2),
    "all lines equal": lambda n: "same line\n" * (n // 10),
    "all lines differ": lambda n: "".join(f"line {number:06}\n" for number in range(n // 12)),
    "lines alternate": lambda n: "aa\nbb\n" * (n // 6),
    "nested tags": lambda n: "<ul><li>" * (n // 8),
    "open tags": lambda n: "<b>" * (n // 3),
    "comments": lambda n: "<!--" * (n // 4),
    "accents": lambda n: "a" + "\u0327\u0301" * (n // 2),
    "two accents in one letter": lambda n: "a" + "\u0f73" * n,
    "entities": lambda n: "&#x" * (n // 3),
}
JSONS: Final[dict[str, Shape]] = {
    "nested": lambda n: "[" * n,
    "nested in keys": lambda n: '{"a":' * (n // 5),
    "many keys": lambda n: json.dumps({f"k{number}": number for number in range(n // 14)}),
    "accents": lambda n: json.dumps({"a": "a" + "\u0327\u0301" * (n // 2)}, ensure_ascii=False),
    "digits": lambda n: '{"a":' + "1" * n + "}",
    "white space": lambda n: '{"a":1' + " " * n + "x",
    "surrogates": lambda n: '{"a":"' + "\\ud800" * (n // 6) + '"}',
}
OUTLINES: Final[dict[str, Shape]] = {
    "nested": lambda n: "<opml><body>" + "<outline>" * (n // 9),
    "nested others": lambda n: "<opml>" + "<b>" * (n // 3),
    "long title": lambda n: f"<opml><head><title>{'a&amp;' * (n // 6)}</title></head><body><outline/></body></opml>",
    "attributes": lambda n: "<opml " + " ".join(f"a{number:06}=''" for number in range(n // 11)) + "/>",
    "comments": lambda n: "<opml>" + "<!--a-->" * (n // 8) + "</opml>",
}


def _safely(read: Callable[[Any], object]) -> Callable[[Any], object]:
    """What is refused is measured as well: saying no must not take long either."""

    def act(given: Any) -> object:
        try:
            return read(given)
        except (UnusableFile, NotAPackage, Unreadable, fields.Unreadable) as refused:
            return refused

    return act


def _after(head: str, shapes: dict[str, Shape] = SHAPES) -> dict[str, Shape]:
    return {name: (lambda n, make=make: head + make(n)) for name, make in shapes.items()}  # type: ignore[misc]


def _digest(text: str) -> object:
    return package.get_digest(package.parse_package(text))


READERS: Final[dict[str, tuple[Callable[[Any], object], dict[str, Shape], int]]] = {
    "cues": (cues.parse_vtt, _after("WEBVTT\n\n00:00.000 --> 00:01.000\n"), 20_000),
    "Markdown": (lambda text: ebook_html.render_blocks.__wrapped__(text), SHAPES, 2_000),
    "HTML that is cleaned": (ebook_html.normalize_html, SHAPES, 5_000),
    "HTML as Markdown": (ebook_markdown.convert_html, SHAPES, 3_000),
    "HTML that is pasted": (ebook_markdown.convert_paste, SHAPES, 3_000),
    "front matter": (lambda text: exchange.merge_markdown(text, {}), _after("---\n"), 20_000),
    "quiz in CSV": (lambda text: exchange.merge_csv(text, []), _after("id,question,answer 1\n"), 20_000),
    "custom fields in CSV": (
        lambda text: list(fields.parse_lines(text.encode())), _after("video_id,key,value\n"), 10_000,
    ),
    "outline": (exchange.parse_opml, {**_after("<opml><body>"), **OUTLINES}, 20_000),
    "JSON": (_digest, JSONS, 20_000),
    "answer of the platform": (lambda text: Answer(200, {}, text.encode()).json(), JSONS, 20_000),
}  # fmt: skip


def _questions(count: int, make: Callable[[int], Package]) -> Package:
    return {"questions": [make(number) for number in range(count)]}


Two = Callable[[int], tuple[Package, Package]]
VERSIONS: Final[dict[str, Two]] = {
    "all equal": lambda n: (
        _questions(n, lambda at: {"enunciate": "q", "n": at}), _questions(n, lambda at: {"enunciate": "q", "n": -at}),
    ),
    "all differ": lambda n: (
        _questions(n, lambda at: {"id": at, "enunciate": f"q{at}"}),
        _questions(n, lambda at: {"id": -at - 1, "enunciate": f"r{at}"}),
    ),
    "same words, other ids": lambda n: (
        _questions(n, lambda at: {"id": at, "enunciate": "q"}), _questions(n, lambda at: {"id": -at - 1, "enunciate": "q"}),
    ),
    "turned round": lambda n: (
        _questions(n, lambda at: {"id": at, "enunciate": "q"}), _questions(n, lambda at: {"id": n - at, "enunciate": "q"}),
    ),
    "alternating": lambda n: (
        _questions(n, lambda at: {"enunciate": "ab"[at % 2], "n": at}), _questions(n, lambda at: {"enunciate": "ba"[at % 2]}),
    ),
    "paragraphs": lambda n: (
        {"abstract": "".join(f"a{at}\n\n" for at in range(n))}, {"abstract": "".join(f"a{n - at}\n\n" for at in range(n))},
    ),
}  # fmt: skip


def _merged(versions: tuple[Package, Package]) -> object:
    old, mine = versions
    theirs: Package = {
        key: [*reversed(value)] if isinstance(value, list) else f"{value}x" for key, value in old.items()
    }
    return difference.merge_packages(old, mine, theirs)


def _marked(versions: tuple[Package, Package]) -> object:
    old, new = (package.format_json(version, indent=1) for version in versions)
    return difference.diff_texts(old, new)


COMPARED: Final[dict[str, Callable[[tuple[Package, Package]], object]]] = {
    "changes of a version": lambda versions: difference.list_changes(*versions),
    "versions that are merged": _merged,
    "marked text": _marked,
}


def _ratio(act: Callable[[Any], object], small: Any, large: Any) -> tuple[float, float]:
    """How many times as long the larger takes, and its milliseconds; measured again where it looks too much."""
    least = took = float("inf")
    for _attempt in range(6):
        collect()
        least = min(least, cpu(lambda: act(small), runs=2))
        took = min(took, cpu(lambda: act(large), runs=2))
        if took <= MOST * max(least, FLOOR):
            break
    return took / max(least, FLOOR), took


def figures() -> list[Figure]:
    """For each reader its worst shape: the ratio, and what the larger input of that shape took."""
    found = []
    collect()
    freeze()  # what is there already is not walked again and again while more is made: that is no reader's time
    for name, (read, shapes, size) in READERS.items():
        act = _safely(read)
        rows = {shape: _ratio(act, make(size), make(10 * size)) for shape, make in shapes.items()}
        found += _worst(name, rows)
    for name, compare in COMPARED.items():
        versions = {shape: _ratio(compare, make(150), make(1_500)) for shape, make in VERSIONS.items()}
        found += _worst(name, versions)
    return found


def _worst(name: str, rows: dict[str, tuple[float, float]]) -> list[Figure]:
    steepest = max(rows, key=lambda shape: rows[shape][0])
    slowest = max(rows, key=lambda shape: rows[shape][1])
    return [
        Figure(f"{name}: 10 times of {steepest!r} ({len(rows)} shapes)", rows[steepest][0], MOST, "times"),
        Figure(f"{name}: slowest, {slowest!r}", rows[slowest][1], 4_000, "ms CPU"),
    ]
