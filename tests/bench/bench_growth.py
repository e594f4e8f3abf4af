"""Texts and files that people and the platform give: ten times as much takes at most twelve times as long."""

from collections.abc import Callable
from gc import collect

from dashboard.ai_content import ebook_markdown, exchange
from dashboard.ai_content.rules import difference
from dashboard.ai_content.rules.package import name_by_keys, pair_elements
from dashboard.platform_api.values import JSON
from dashboard.shared import cues
from tests.bench.figure import Figure, cpu

MOST = 12.0


def _cues(size: int) -> Callable[[], object]:
    text = "WEBVTT\n\n00:00.000 --> 00:01.000\n" + "<" * (16_000 * size)
    return lambda: cues.parse_vtt(text)


def _versions(size: int) -> Callable[[], object]:
    old = "".join(f"Line {number} of the book\n" for number in range(200 * size))
    new = "".join(f"Line {number} of the book\n" for number in reversed(range(200 * size)))
    return lambda: difference.diff_texts(old, new)


def _repeated(size: int) -> Callable[[], object]:
    old = "".join(f"Line {number % 7}\n" for number in range(200 * size))
    new = "".join(f"Line {number % 5}\n" for number in range(200 * size))
    return lambda: difference.diff_texts(old, new)


def _answers(size: int) -> Callable[[], object]:
    head = ",".join(f"answer {number},correct {number}" for number in range(2_000 * size))
    row = ",".join(f"Answer {number},1" for number in range(2_000 * size))
    return lambda: exchange.merge_csv(f"id,question,{head}\n1,Which?,{row}\n", [])


def _questions(size: int) -> Callable[[], object]:
    old: list[JSON] = [{"id": number, "enunciate": f"old {number}"} for number in range(1_000 * size)]
    new: list[JSON] = [{"id": -number - 1, "enunciate": f"new {number}"} for number in range(1_000 * size)]
    return lambda: pair_elements(old, new, name_by_keys("enunciate"))


def _outline(size: int) -> Callable[[], object]:
    title = "a\n" * (20_000 * size)
    text = f"<opml><head><title>{title}</title></head><body><outline text='a'/></body></opml>"
    return lambda: exchange.parse_opml(text)


def _code(size: int) -> Callable[[], object]:
    text = f"<p>{'<code>a</code> b ' * (500 * size)}</p>"
    return lambda: ebook_markdown.convert_html(text)


GROWING = {
    "cues of 160,000 <": _cues,
    "two versions of 2,000 lines, turned round": _versions,
    "two versions of 2,000 lines that repeat": _repeated,
    "a quiz in CSV with 20,000 answers": _answers,
    "10,000 questions and 10,000 others": _questions,
    "an outline with a title of 200,000 lines": _outline,
    "a paragraph with 5,000 pieces of code as Markdown": _code,
}


def figures() -> list[Figure]:
    """How much longer ten times as much takes, and how long that is."""
    found = []
    for name, made in GROWING.items():
        collect()
        small, large = cpu(made(1), runs=7), cpu(made(10), runs=5)
        found.append(Figure(f"{name}: against a tenth of it", large / max(small, 0.05), MOST, "times"))
        found.append(Figure(name, large, 1_000, "ms CPU"))
    return found
