"""The eBook's HTML, from which the PDF is made [4.3]: made from its Markdown, cleaned, and compared with it.

Markdown becomes HTML by markdown-it-py (CommonMark, tables, strikethrough; raw HTML stays text) and is cleaned by nh3.
HTML that came from elsewhere is cleaned by the same rules before anybody sees it, and can be turned into Markdown. Its
nesting is limited first, because cleaning takes the square of the depth: deeper tags are left out, their words stay. What
comes out is written anew, balanced and escaped, so its depth is known whatever the HTML was; nothing in it is clean yet.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, Final, cast

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dashboard.ai_content.rules.package import Package, get_text, is_same

DEPTH_MAX: Final = 100
"""Elements around a word. Books have ten; Word's tables in tables have thirty."""
_EMPTY: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_SKIPPED: Final = frozenset(("script", "style", "title", "textarea", "template", "svg", "math", "select", "noscript"))
"""Elements whose inside is no text for people, or is read by other rules than the rest."""
_ENDED_BY_NEXT: Final = frozenset(("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option"))
"""Elements that many writers leave open: the next one of their kind ends them."""
_TAG: Final = re.compile(r"<(/?)(?!br|img|hr)[a-z]")


def limit_depth(markup: str) -> str:
    """The HTML with at most `DEPTH_MAX` elements around anything in it."""
    if markup.count("<") <= DEPTH_MAX:
        return markup
    writer = _Writer()
    writer.feed(markup)
    return writer.text()


def get_depth(markup: str) -> int:
    """Return the nesting depth of balanced, escaped HTML."""
    deepest = depth = 0
    for match in _TAG.finditer(markup):
        depth += -1 if match[1] else 1
        deepest = max(deepest, depth)
    return deepest


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.open: list[str] = []
        self.skipped = 0
        """How many elements are open inside one that is left out, that one included."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.skipped or tag in _SKIPPED:
            self.skipped += tag in _SKIPPED
            return
        if tag in _ENDED_BY_NEXT and self.open and self.open[-1] == tag:
            self.handle_endtag(tag)
        if tag not in _EMPTY:
            if len(self.open) >= DEPTH_MAX:
                return
            self.open.append(tag)
        attributes = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs)
        self.out.append(f"<{tag}{attributes}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SKIPPED:  # such as <svg/>, which ends itself
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self.skipped = max(0, self.skipped - 1)
        elif not self.skipped and tag in self.open:
            while (ended := self.open.pop()) != tag:
                self.out.append(f"</{ended}>")
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.out.append(escape(data, quote=False))

    def text(self) -> str:
        """What was written, with all that is open ended; what began like a tag at the end and is none is text."""
        rest = "" if self.skipped else escape(self.rawdata, quote=False)
        return "".join([*self.out, rest, *(f"</{tag}>" for tag in reversed(self.open))])


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
class PlayerBlock:
    """A block of the Markdown as the player shows it; `lost` are the tokens that stay signs there, by their type."""

    html: str
    lost: tuple[str, ...]


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


LOST: Final = frozenset(["table_open", "em_open", "ordered_list_open", "blockquote_open", "s_open", "image", "hr"])
"""What the player does not know, beside code and headings below the third level."""


@lru_cache(maxsize=4)
def render_for_player(text: str) -> tuple[PlayerBlock, ...]:
    """The blocks as the player shows them (gaps 15, A4): headings to level 3, lists with dashes, bold, links.

    Line ends are joined, and everything else stays as it is written.
    """
    lines, blocks, start = text.split("\n"), [], 0
    for tokens in _split_blocks(_parser.parse(text)):
        end = tokens[0].map[1] if tokens[0].map else start
        source, start = "\n".join(lines[start:end]), end
        lost = dict.fromkeys(filter(None, map(_find_lost, _walk_tokens(tokens))))
        blocks.append(PlayerBlock(_render_source(source), tuple(lost)))
    if rest := "\n".join(lines[start:]).strip():  # addresses of links, which make no block of their own
        blocks.append(PlayerBlock(_render_source(rest), ()))
    return tuple(blocks)


def _render_source(source: str) -> str:
    return clean_html(_player.renderer.render(_player.parse(source), _player.options, {}))


def _walk_tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _find_lost(token: Token) -> str:
    """The type of a token that the player shows as signs; "" for any other."""
    if token.type == "heading_open" and token.tag > "h3":
        return "heading"
    if token.type in ("bullet_list_open", "strong_open") and token.markup not in ("-", "**"):
        return token.type.removesuffix("_open")
    if token.type in ("fence", "code_block", "code_inline"):
        return "code"
    return token.type.removesuffix("_open") if token.type in LOST else ""


def _build_player() -> MarkdownIt:
    """A reader of the same library that knows what the player knows, and writes what it does not know as it stood."""
    parser = MarkdownIt("zero").enable(["heading", "list", "emphasis", "link"])

    def sign(tokens: Sequence[Token], at: int, *_: object) -> str:
        return tokens[at].markup

    def bold(tokens: Sequence[Token], at: int, *_: object) -> str:
        return f"<{'/' if tokens[at].nesting < 0 else ''}strong>" if tokens[at].markup == "**" else tokens[at].markup

    def heading(tokens: Sequence[Token], at: int, *_: object) -> str:
        tag, is_end = tokens[at].tag, tokens[at].nesting < 0
        if tag <= "h3":
            return f"</{tag}>" if is_end else f"<{tag}>"
        return "</p>" if is_end else f"<p>{tokens[at].markup} "

    def bullets(tokens: Sequence[Token], at: int, *_: object) -> str:
        return f"<{'/' if tokens[at].nesting < 0 else ''}{'ul' if tokens[at].markup == '-' else 'p'}>"

    def item(tokens: Sequence[Token], at: int, *_: object) -> str:
        token = tokens[at]
        if token.markup == "-":
            return "</li>" if token.nesting < 0 else "<li>"
        return " " if token.nesting < 0 else f"{token.info}{token.markup} "

    rules = {"em": sign, "strong": bold, "heading": heading, "bullet_list": bullets, "ordered_list": bullets}
    renderer = cast(Any, parser.renderer)  # its rules may be functions, which its types do not say
    for name, rule in {**rules, "list_item": item}.items():
        renderer.rules |= {f"{name}_open": rule, f"{name}_close": rule}
    return parser


_player: Final = _build_player()


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
            words = (token.content for token in inline.children or () if token.type in ("text", "code_inline"))
            yield Heading(int(opening.tag[1]), "".join(words), line)


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
    blocks = re.split(r"(?=<(?:h[1-6]|p|pre|blockquote|ul|ol|li|table|tr|hr)\b)", clean_html(markup))
    texts = (" ".join(html.unescape(re.sub(r"<[^>]+>", " ", block)).split()) for block in blocks)
    return [text for text in texts if text]


TEXT, HTML, SUMMARY, COVER = "abstract", "abstract_html", "abstract_summary", "abstract_cover"
COVER_KEYS = ("kicker", "title", "subtitle", "edition_label")
DECIDED = "decided"
"""The HTML is made from the text: the person decided it, or both were equal."""
EXACT = "exact"
"""The eBook was restored from a version of the platform: it is sent unchanged."""


class Undecided(Exception):
    """Text and HTML differed when they were loaded, and nobody has decided which to keep."""


def get_cover(values: Package) -> dict[str, str]:
    """The lines of the cover; "" for those that it lacks."""
    value = values.get(COVER)
    known = value if isinstance(value, dict) else {}
    return {key: get_text(known.get(key)) for key in COVER_KEYS}


def has_drift(values: Package) -> bool:
    """Whether Markdown and HTML of the eBook differ."""
    if HTML not in values or not isinstance(values.get(TEXT, ""), str):
        return False
    return has_drifted(get_text(values.get(TEXT)), get_text(values.get(HTML)))


def build_outgoing(values: Package, base: Package, choice: str) -> Package:
    """The eBook's keys as they are sent. Untouched text keeps its HTML, letter for letter.

    `values` are the draft's, `base` those it started from. HTML that came with an imported file is not taken: it is made
    from the text. Raises `Undecided` when it has to be asked first.
    """
    text = values.get(TEXT)
    if not isinstance(text, str):
        return values
    if choice == EXACT:
        return values
    touched = (
        not is_same(text, base.get(TEXT))
        or TEXT not in base
        or not is_same(values.get(HTML, base.get(HTML)), base.get(HTML))
    )
    if not touched and choice != DECIDED:
        return values if HTML in values or HTML not in base else {**values, HTML: base[HTML]}
    if choice != DECIDED and has_drift(base):
        raise Undecided
    return {**values, HTML: render_markdown(text)}
