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

from dashboard.ai_content.ebook import markdown
from dashboard.ai_content.ebook.html import TAGS
from dashboard.ai_content.ebook.nesting import limit_depth

LETTERS_MOST: Final = 2_000_000
_READ: Final = set(TAGS) | {"font", "strike", "body", "col", "center", "tt"}
_ATTRIBUTES: Final = {"style", "class", "role", "aria-level", "href", "src", "alt", "start", "colspan"}
_MARKS: Final = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "s", "strike": "s", "del": "s"}
_KEPT: Final = TAGS - set(_MARKS) - {"span", "u", "div", "section", "figure", "figcaption"}
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TITLES: Final = {"MsoTitle": "h1", "MsoSubtitle": "h2"}
_FORMATTED: Final = re.compile(r"<(?:h[1-6]|strong|em|s|ul|ol|table|a|blockquote|pre|code|img)\b")
_LEVEL: Final = re.compile(r"mso-list:l\d+level(\d)")
_OUTLINE: Final = re.compile(r"mso-outline-level:([1-6])")
_NUMBER: Final = re.compile(r"\(?(\d+|[a-z]|[ivxl]+)[.)]", re.IGNORECASE)
_BOLD: Final = re.compile(r"(?:^|;)font-weight:(bold|[6-9]00)")
_NOT_BOLD: Final = re.compile(r"(?:^|;)font-weight:(normal|[1-5]00)")


@dataclass(slots=True)
class Element:
    """A tag with what is in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Node]" = field(default_factory=list)

    @property
    def style(self) -> str:
        """The style without spaces, in small letters."""
        return "".join(self.attributes.get("style", "").lower().split())

    @property
    def level(self) -> int:
        """The level of a paragraph that Word means as a list item; 0 for everything else."""
        match = _LEVEL.search(self.style) if self.tag == "p" else None
        return int(match[1]) if match else 0


Node: TypeAlias = "Element | str"


def convert_paste(markup: str) -> str:
    """Markdown of what was copied; "" where it is plain text, which is better taken as it is."""
    reader = _Reader()
    reader.feed(
        nh3.clean(
            limit_depth(markup),
            tags=_READ,
            attributes={"*": _ATTRIBUTES},
            clean_content_tags={"style", "script", "title"},
            url_schemes={"http", "https", "mailto"},
            link_rel=None,
        )
    )
    reader.close()
    plain = _format_nodes(reader.open[0].children)
    return markdown.convert_html(plain) if _FORMATTED.search(plain) else ""


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
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def _format_nodes(nodes: Sequence[Node], marks: frozenset[str] = frozenset()) -> str:
    """HTML of the nodes; `marks` are those around them already, so that none is written twice."""
    out: list[str] = []
    items: list[Element] = []
    for node in nodes:
        if isinstance(node, Element) and node.level:
            items.append(node)
            continue
        if items and (isinstance(node, Element) or node.strip()):
            out.append(_format_paragraph_list(items, marks))
            items = []
        out.append(html.escape(node, quote=False) if isinstance(node, str) else _format_element(node, marks))
    return "".join([*out, _format_paragraph_list(items, marks) if items else ""])


def _format_element(element: Element, marks: frozenset[str]) -> str:
    tag, style = element.tag, element.style
    if "mso-list:ignore" in style:
        return ""
    if heading := _get_heading(element):
        return f"<{heading}>{_format_nodes(element.children, marks | {'strong'})}</{heading}>"
    if tag in ("ul", "ol"):
        return _format_list(element, marks)
    if tag == "img":
        return f"<img{_format_attributes(element, 'src', 'alt')}>"
    if tag in ("br", "hr"):
        return f"<{tag}>"
    own = [mark for mark in _list_marks(element) if mark not in marks]
    inner = _format_nodes(element.children, marks | set(own))
    for mark in own:
        inner = f"<{mark}>{inner}</{mark}>"
    if tag not in _KEPT:
        return f"<p>{inner}</p>" if tag in ("div", "section", "center") and "<p>" not in inner else inner
    return f"<{tag}{_format_attributes(element, 'href', 'colspan', 'start')}>{inner}</{tag}>"


def _format_attributes(element: Element, *names: str) -> str:
    known = [(name, element.attributes[name]) for name in names if name in element.attributes]
    return "".join(f' {name}="{html.escape(value)}"' for name, value in known)


def _get_heading(element: Element) -> str:
    """The heading that an element is, by its tag, its role, its class or its level in the outline."""
    if element.tag in _HEADINGS:
        return element.tag
    level = element.attributes.get("aria-level", "")
    if element.attributes.get("role") == "heading" and level in tuple("123456"):
        return f"h{level}"
    if element.tag != "p":
        return ""
    outline = _OUTLINE.search(element.style)
    return _TITLES.get(element.attributes.get("class", ""), f"h{outline[1]}" if outline else "")


def _list_marks(element: Element) -> list[str]:
    style, marks = element.style, []
    mark = _MARKS.get(element.tag)
    if _BOLD.search(style) or (mark == "strong" and not _NOT_BOLD.search(style)):
        marks.append("strong")
    if "font-style:italic" in style or (mark == "em" and "font-style:normal" not in style):
        marks.append("em")
    if "line-through" in style or mark == "s":
        marks.append("s")
    return [] if element.tag in ("p", "div", "td", "th", "table", "li") else marks


def _format_list(element: Element, marks: frozenset[str]) -> str:
    """A list; a list that stands between its items belongs into the item before."""
    items: list[str] = []
    for child in element.children:
        if isinstance(child, str):
            continue
        if child.tag == "li":
            items.append(_format_item(child, marks))
        elif items and child.tag in ("ul", "ol"):
            items[-1] += _format_list(child, marks)
        else:
            items.append(_format_element(child, marks))
    start = f' start="{int(number)}"' if (number := element.attributes.get("start", "")[:9]).isdecimal() else ""
    return f"<{element.tag}{start}>{''.join(f'<li>{item}</li>' for item in items)}</{element.tag}>"


def _format_item(element: Element, marks: frozenset[str]) -> str:
    """An item without the paragraph around its first words."""
    children = [child for child in element.children if isinstance(child, Element) or child.strip()]
    if children and isinstance(children[0], Element) and children[0].tag == "p":
        children = [*children[0].children, *children[1:]]
    return _format_nodes(children, marks)


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


def _find_markers(element: Element) -> Iterator[str]:
    """The text that Word writes in place of a bullet."""
    for child in element.children:
        if isinstance(child, Element):
            yield from _find_texts(child) if "mso-list:ignore" in child.style else _find_markers(child)


def _find_texts(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        else:
            yield from _find_texts(child)
