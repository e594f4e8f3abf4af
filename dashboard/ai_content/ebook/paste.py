"""Text copied from a word processor as Markdown: what it says by styles and classes is said by tags first.

Word marks list items as paragraphs (`mso-list:l0 level2 lfo1`) with the bullet as text; Google Docs wraps everything in
`<b style="font-weight:normal">`, says bold by styles, and puts lists between items; LibreOffice puts paragraphs into items.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, TypeAlias

import nh3
from django.utils.functional import cached_property

from dashboard.ai_content.ebook import markdown
from dashboard.ai_content.ebook.html import TAGS
from dashboard.ai_content.ebook.nesting import limit_depth

LETTERS_MOST: Final = 2_000_000
_READ: Final = set(TAGS) | {"font", "strike", "body", "col", "center", "tt"}
_ATTRIBUTES: Final = {"style", "class", "role", "aria-level", "name", "href", "src", "alt", "start", "colspan"} | {
    "cite",
    "datetime",
}
_MARKS: Final = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "s", "strike": "s", "del": "s"}
_KEPT: Final = TAGS - set(_MARKS) - {"span", "u", "div", "section", "figure", "figcaption"}
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TITLES: Final = {"MsoTitle": "h1", "MsoSubtitle": "h2"}
_FORMATTED: Final = re.compile(r"<(?:h[1-6]|strong|em|s|del|ul|ol|table|a|blockquote|pre|code|img)\b")
_LEVEL: Final = re.compile(r"\bl\d+ level(\d)")
_NUMBER: Final = re.compile(r"\d+(\.\d+)+|\(?(\d+\.)*(\d+|[a-z]|[ivxl]+)[.)]", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)")
_DECLARATION: Final = re.compile(r"""(?<![-\w])([-\w]++)\s*+:((?:[^;"'(]|"[^"]*"|'[^']*'|\([^()]*\)?)*)""")
_WEIGHTS: Final = {"bold": True, "bolder": True, "normal": False, "lighter": False}
_FONTS: Final = {"strong": {"bold", "bolder", "600", "700", "800", "900"}, "em": {"italic", "oblique"}}
"""The words of the shorthand `font` that make a text bold or slanted."""
_SLANTS: Final = {"italic": True, "oblique": True, "normal": False}
_REMARKS: Final = frozenset(
    ("msocomanchor", "msocomtxt", "msocomoff", "msocommentreference", "msocommenttext", "msocommentsubject", "msodel")
)
"""Classes of what reviewers wrote, and of what they took out."""
_REMARK_LINKS: Final = ("#_msocom_", "#_msoanchor_", "#cmnt")
_WEB: Final = re.compile(r"https?://|mailto:", re.IGNORECASE)
"""What can be linked to: a book has no places for the links inside a document."""
_PATH: Final = re.compile(
    r"(?<![a-z])[a-z]:[\\/](?!/)|\bfile:|\\\\[\w.$ -]+\\|%[a-z]+%\\|~[\\/]"
    r"|(?<![\w.])/(?:users|home|volumes|private|var|tmp|mnt|media|root|library)/",
    re.IGNORECASE,
)
"""An address on the writer's disk, or on a disk in their network."""


@dataclass
class Element:
    """A tag with what is in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Node]" = field(default_factory=list)

    @cached_property
    def style(self) -> dict[str, str]:
        """What the style declares, in small letters: of two declarations of one property the last."""
        pairs = _DECLARATION.findall(_COMMENT.sub(" ", self.attributes.get("style", "").lower()))
        return {name: " ".join(value.replace("!important", "").split()) for name, value in pairs}

    @property
    def level(self) -> int:
        """The level of a paragraph that Word means as a list item; 0 for everything else."""
        match = _LEVEL.search(self.style.get("mso-list", "")) if self.tag == "p" else None
        return int(match[1]) if match else 0

    @property
    def is_hidden(self) -> bool:
        """What no reader of the text sees: bullets that are said otherwise, and what reviewers noted or took out."""
        style, attributes = self.style, self.attributes
        return (
            style.get("mso-list") == "ignore"
            or style.get("mso-element") in ("comment-list", "comment")
            or style.get("mso-hide") == "all"
            or style.get("display") == "none"
            or not _REMARKS.isdisjoint(attributes.get("class", "").lower().split())
            or attributes.get("href", "").startswith(_REMARK_LINKS)
            or (self.tag == "del" and not attributes.keys().isdisjoint(("cite", "datetime")))
            or (self.tag in ("p", "div") and self._is_remark)
        )

    @property
    def _is_remark(self) -> bool:
        """A paragraph that begins with the link back to the words it is about, as in Google's documents."""
        first = next((child for child in self.children if isinstance(child, Element) or child.strip()), "")
        return isinstance(first, Element) and first.attributes.get("href", "").startswith("#cmnt_ref")


Node: TypeAlias = "Element | str"


def convert_paste(markup: str) -> str:
    """Markdown of what was copied; "" where it is plain text, which is better taken as it is."""
    clean = nh3.clean(
        limit_depth(markup),
        tags=_READ,
        attributes={"*": _ATTRIBUTES},
        clean_content_tags={"style", "script", "title"},
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )
    reader = _Reader()
    reader.feed(clean)
    reader.close()
    plain = _format_nodes(reader.open[0].children)
    return markdown.convert_html(plain) if _FORMATTED.search(clean) or _FORMATTED.search(plain) else ""


class _Reader(HTMLParser):
    """The tree of HTML that closes what it opens."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("body")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in ("br", "hr", "img", "col"):
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and self.open[-1].tag == tag:
            element = self.open.pop()
            if "ListContainerWrapper" in element.attributes.get("class", ""):
                self.open[-1].children[-1:] = _list_online_items(element)

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def _list_online_items(wrapper: Element) -> Iterator[Element]:
    """What Word on the web copies as a list of its own for each item, as the paragraphs that Word makes of a list."""
    for listed in wrapper.children:
        if not isinstance(listed, Element):
            continue
        for item in listed.children:
            if isinstance(item, Element):
                marker: list[Node] = [f"{listed.attributes.get('start', '1')}." if listed.tag == "ol" else "·"]
                level = item.attributes.get("aria-level", "1")
                content = [Element("span", {"style": "mso-list:ignore"}, marker), *_list_contents(item)]
                yield Element("p", {"style": f"mso-list:l0 level{level}"}, content)


def _format_nodes(nodes: Sequence[Node], marks: frozenset[str] = frozenset()) -> str:
    """HTML of the nodes; `marks` are those of the words, so that a style inside another one can end them."""
    out: list[str] = []
    items: list[Element] = []
    for node in nodes:
        if isinstance(node, Element) and node.level and not node.is_hidden:
            items.append(node)
            continue
        if items and (isinstance(node, Element) or node.strip()):
            out.append(_format_paragraph_list(items, marks))
            items = []
        out.append(_format_text(node, marks) if isinstance(node, str) else _format_element(node, marks))
    return "".join([*out, _format_paragraph_list(items, marks) if items else ""])


def _format_text(text: str, marks: frozenset[str]) -> str:
    words = html.escape(text, quote=False)
    for mark in sorted(marks) if text.strip() else ():
        words = f"<{mark}>{words}</{mark}>"
    return words


def _format_element(element: Element, marks: frozenset[str]) -> str:
    tag = element.tag
    if element.is_hidden:
        return ""
    if heading := _get_heading(element):
        # a heading is bold by itself
        inner = _format_nodes(element.children, marks).replace("<strong>", "").replace("</strong>", "")
        return f"<{heading}>{inner}</{heading}>"
    marks = _change_marks(element, marks)
    if tag in ("ul", "ol"):
        return _format_list(element, marks)
    if tag == "img":
        return _format_picture(element.attributes.get("src", ""), element.attributes.get("alt", ""))
    if tag in ("br", "hr"):
        return f"<{tag}>"
    inner = _format_nodes(element.children, marks)
    if tag not in _KEPT or (tag == "a" and not _WEB.match(element.attributes.get("href", ""))):
        return f"<p>{inner}</p>" if tag in ("div", "section", "center") and "<p>" not in inner else inner
    kept = [(name, element.attributes[name]) for name in ("href", "colspan", "start") if name in element.attributes]
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in kept)
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _format_picture(source: str, words: str) -> str:
    """A picture of the web, or the words for one that is not: never where it is on somebody's disk."""
    words = "" if _PATH.search(words) else words
    return (
        f'<img src="{html.escape(source)}" alt="{html.escape(words)}">'
        if source.lower().startswith(("http://", "https://"))
        else html.escape(words)
    )


def _get_heading(element: Element) -> str:
    """The heading that an element is, by its tag, its role, its class or its level in the outline."""
    if element.tag in _HEADINGS:
        return element.tag
    level = element.attributes.get("aria-level", "")
    if element.attributes.get("role") == "heading" and level in tuple("123456"):
        return f"h{level}"
    if element.tag != "p":
        return ""
    outline = element.style.get("mso-outline-level", "")
    return _TITLES.get(element.attributes.get("class", ""), f"h{outline}" if outline in tuple("123456") else "")


def _change_marks(element: Element, marks: frozenset[str]) -> frozenset[str]:
    """The marks of the words in an element: its style counts more than its tag, and both more than what is around it."""
    style, mark = element.style, _MARKS.get(element.tag)
    font = style.get("font", "").split()
    decoration = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    weight = style.get("font-weight", "")
    by_tag = {name: True if mark == name or not words.isdisjoint(font) else None for name, words in _FONTS.items()}
    changes = {
        "strong": float(weight) >= 600 if weight.isdecimal() else _WEIGHTS.get(weight, by_tag["strong"]),
        "em": _SLANTS.get(style.get("font-style", ""), by_tag["em"]),
        "s": "line-through" in decoration or ("none" not in decoration if mark == "s" else None),
    }
    return frozenset(name for name, value in changes.items() if value or (value is None and name in marks))


def _format_list(element: Element, marks: frozenset[str]) -> str:
    """A list; a list that stands between its items belongs into the item before."""
    items: list[str] = []
    for child in element.children:
        if isinstance(child, str):
            continue
        if child.tag == "li":
            items.append(_format_nodes(_list_contents(child), marks))
        elif items and child.tag in ("ul", "ol"):
            items[-1] += _format_list(child, marks)
        else:
            items.append(_format_element(child, marks))
    start = f' start="{int(number)}"' if (number := element.attributes.get("start", "")[:9]).isdecimal() else ""
    return f"<{element.tag}{start}>{''.join(f'<li>{item}</li>' for item in items)}</{element.tag}>"


def _list_contents(element: Element) -> "list[Node]":
    """What is in an item, without the paragraph around its first words."""
    children = [child for child in element.children if isinstance(child, Element) or child.strip()]
    if children and isinstance(children[0], Element) and children[0].tag == "p":
        children = [*children[0].children, *children[1:]]
    return children


def _format_paragraph_list(items: Sequence[Element], marks: frozenset[str]) -> str:
    """Paragraphs that Word means as a list, as a list."""
    out: list[str] = []
    opened: list[str] = []
    for item in items:
        marker = "".join(_find_markers(item)).strip()
        kind = "ol" if _NUMBER.fullmatch(marker) else "ul"
        while len(opened) > item.level or (len(opened) == item.level and opened[-1] != kind):
            out.append(f"</li></{opened.pop()}>")
        if len(opened) == item.level:
            out.append("</li>")
        while len(opened) < item.level:
            begins = _format_start(marker) if len(opened) == item.level - 1 else ""
            out.append(f"<{kind}{begins}>" + ("<li>" if len(opened) < item.level - 1 else ""))
            opened.append(kind)
        out.append(f"<li>{_format_nodes(item.children, marks).strip()}")
    return "".join([*out, *(f"</li></{kind}>" for kind in reversed(opened))])


def _format_start(marker: str) -> str:
    number = marker.strip("().")
    return f' start="{number}"' if number.isdigit() and number != "1" else ""


def _find_markers(element: Element, *, is_marker: bool = False) -> Iterator[str]:
    """The text that Word writes in place of a bullet."""
    for child in element.children:
        if isinstance(child, Element):
            yield from _find_markers(child, is_marker=is_marker or child.style.get("mso-list") == "ignore")
        elif is_marker:
            yield child
