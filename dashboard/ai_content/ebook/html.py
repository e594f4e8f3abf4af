"""Convert the eBook's Markdown to HTML, from which the PDF is made [4.3], and clean HTML.

Markdown becomes HTML by markdown-it-py (CommonMark, tables, strikethrough; raw HTML stays text) and is cleaned by nh3.
HTML that came from elsewhere is cleaned by the same rules before anybody sees it, and can be turned into Markdown.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dashboard.ai_content.ebook.nesting import DEPTH_MAX, get_depth, limit_depth

_BLOCKS: Final = (
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "hr",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "div",
    "section",
)
_WORDS: Final = ("strong", "b", "em", "i", "s", "del", "u", "code", "a", "img", "sub", "sup", "span", "br")
_TABLES: Final = ("table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "figure", "figcaption")
TAGS: Final = frozenset((*_BLOCKS, *_WORDS, *_TABLES))
ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "ol": {"start"},
    "th": {"align", "colspan", "rowspan"},
    "td": {"align", "colspan", "rowspan"},
    "code": {"class"},
}
SCHEMES: Final = {"http", "https", "mailto"}
PREVIEW_MOST: Final = 200_000
"""Characters up to which HTML is made while somebody types."""

_cleaner: Final = nh3.Cleaner(
    tags=set(TAGS),
    attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
    url_schemes=SCHEMES,
    link_rel="noopener noreferrer",
    strip_comments=True,
)
_parser: Final = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_ALIGNED: Final = re.compile(r'<(t[hd]) style="text-align:(left|right|center)">')


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the Markdown: its level, its words, and its line from 0."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A Markdown text as clean HTML, one element for each of its top-level blocks, and its headings."""

    blocks: tuple[str, ...]
    headings: tuple[Heading, ...]


@lru_cache(maxsize=16)
def render_blocks(text: str) -> RenderedText:
    """The blocks and headings of a Markdown text, which is parsed once for both."""
    tokens = _parser.parse(text)
    return RenderedText(tuple(map(_render_block, _split_blocks(tokens))), tuple(_list_headings(tokens)))


def render_markdown(text: str) -> str:
    """Clean HTML of a Markdown text."""
    return "".join(render_blocks(text).blocks)


def _split_blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of each top-level block."""
    start = depth = 0
    for at, token in enumerate(tokens, start=1):
        depth += token.nesting
        if not depth:
            yield tokens[start:at]
            start = at


def _render_block(tokens: list[Token]) -> str:
    markup = _ALIGNED.sub(r'<\1 align="\2">', _parser.renderer.render(tokens, _parser.options, {}))
    return clean_html(markup) if get_depth(markup) > DEPTH_MAX else _cleaner.clean(markup)


def _list_headings(tokens: list[Token]) -> Iterator[Heading]:
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            line = opening.map[0] if opening.map else 0
            yield Heading(int(opening.tag[1]), _plain_text(inline.children or []), line)


def _plain_text(tokens: list[Token]) -> str:
    return "".join(token.content for token in tokens if token.type in ("text", "code_inline"))


def clean_html(markup: str) -> str:
    """Remove scripts, frames, styles and deep nesting from HTML."""
    return _cleaner.clean(limit_depth(markup))


_SPACE: Final = re.compile(r"\s+")
_AROUND_BLOCKS: Final = re.compile(
    r"\s*(</?(?:h[1-6]|p|br|hr|pre|blockquote|ul|ol|li|div|section|table|thead|tbody|tfoot|tr|th|td|caption|figure|figcaption)"
    r"\b[^>]*>)\s*"
)


def normalize_html(markup: str) -> str:
    """Normalise HTML for comparing: cleaned, white space and entities as rendered."""
    spaced = _AROUND_BLOCKS.sub(r"\1", _SPACE.sub(" ", clean_html(markup)))
    spaced = spaced.replace("<li><p>", "<li>").replace("</p></li>", "</li>")  # loose or tight is spacing, not content
    return html.unescape(spaced.replace("&lt;", "\x00lt;").replace("&gt;", "\x00gt;")).strip()


def has_drifted(text: str, markup: str) -> bool:
    """Whether the HTML differs visibly from the HTML of the Markdown."""
    return normalize_html(render_markdown(text)) != normalize_html(markup)


def count_words(text: str) -> int:
    """Words of a text, as people count them."""
    return sum(1 for _ in re.finditer(r"\w[\w'’-]*", text))


def list_blocks(markup: str) -> list[str]:
    """Clean HTML as the texts of its blocks, for showing two versions side by side."""
    return [line for line in (_get_text(piece) for piece in _split_markup(clean_html(markup))) if line]


def _split_markup(markup: str) -> Iterator[str]:
    yield from re.split(r"(?=<(?:h[1-6]|p|pre|blockquote|ul|ol|li|table|tr|hr)\b)", markup)


def _get_text(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())
