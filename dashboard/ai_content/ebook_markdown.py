"""HTML as Markdown: of eBooks whose HTML is kept, and of what was copied from a word processor.

What word processors say by styles and classes is said by tags first. Word marks list items as paragraphs
(`mso-list:l0 level2 lfo1`) with the bullet as text; Google Docs wraps everything in `<b style="font-weight:normal">`, says
bold by styles, and puts lists between items; LibreOffice puts paragraphs into items.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import takewhile
from typing import Final, TypeAlias

import nh3
from django.utils.functional import cached_property

from dashboard.ai_content.ebook_html import TAGS, clean_html, limit_depth

Marks: TypeAlias = tuple[str, ...]
"""Marks around a run, outermost first: `**`, `*`, `~~`, or `](address)` for a link."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~|]|&(?=#?\w+;))")
_AT_START: Final = re.compile(
    r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[+-](?:\s|$)|[-=:][-=: ]*$))", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Run:
    """Text with its marks; `kind` is CODE for a code span, RAW for what is Markdown already: an image, a line break."""

    text: str
    marks: Marks = ()
    kind: str = ""

    @property
    def is_space(self) -> bool:
        """Nothing that a mark could stand beside."""
        return self.kind != CODE and self.text in ("", " ", BREAK)

    @property
    def is_lone_sign(self) -> bool:
        """Only signs: bold or italics around them are seen by nobody, and Markdown often cannot say them."""
        return not self.kind and not self.is_space and not any(letter.isalnum() for letter in self.text)

    @property
    def markdown(self) -> str:
        """How it is written."""
        return format_code(self.text) if self.kind == CODE else self.text if self.kind else escape_text(self.text)


RAW: Final = "raw"
CODE: Final = "code"
BREAK: Final = "\\\n"


def format_code(text: str) -> str:
    """A code span whose fence is longer than any run of backticks in it."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text.strip(" ") else text


def escape_text(text: str) -> str:
    """Text that Markdown shows letter for letter, inside a line."""
    return _SPECIAL.sub(r"\\\1", text)


def escape_line_starts(text: str) -> str:
    """Lines that begin no list, heading, rule or table."""
    return _AT_START.sub(lambda match: f"{match[1]}\\" if match[1] else "\\", text)


def format_runs(runs: Sequence[Run], *, one_line: bool = False, cell: bool = False) -> str:
    """Markdown of a paragraph; with `one_line` its breaks are spaces, as in the `cell` of a table."""
    pieces = _split_words(runs, one_line or cell)
    out: list[str] = []
    opened: Marks = ()
    last = -1
    """Where the words before stand in `out`."""
    for place, piece in enumerate(pieces):
        common = tuple(takewhile(lambda mark: mark in piece.marks, opened))  # noqa: B023  (used at once)
        closing, opening = opened[len(common) :], _order_marks(pieces[place:], common)
        words = piece.markdown.replace("|", "\\|") if cell and piece.kind == CODE else piece.markdown
        lead = " " if opening and not piece.kind and words.startswith(" ") else ""  # no mark opens before a space
        words = words[len(lead) :]
        if last >= 0 and opening and not lead:
            out[last] = _escape_before_mark(out[last], words, opening, inside=bool(common))
        if last >= 0 and closing and (common or _is_sign(out[last][-1:])) and not piece.kind and words[:1].isalnum():
            words = (
                f"&#{ord(words[0])};{words[1:]}"  # after a sign, or inside another mark, none closes before a letter
            )
        out += [*reversed(closing), lead, *("[" if mark.startswith("](") else mark for mark in opening), words]
        opened, last = common + opening, len(out) - 1
    return "".join([*out, *reversed(opened)])


def _order_marks(pieces: Sequence[Run], common: Marks) -> Marks:
    """The marks that the first of the pieces opens, the one that lasts longest first; a space opens none."""
    if pieces[0].is_space:
        return ()
    new = [mark for mark in pieces[0].marks if mark not in common]
    return tuple(sorted(new, key=lambda mark: -len(list(takewhile(lambda piece: mark in piece.marks, pieces)))))


def _escape_before_mark(before: str, words: str, opening: Marks, *, inside: bool) -> str:
    """What stands before a mark: before a sign or inside another mark a letter there is written as its number.

    An exclamation mark before a link would make an image of it.
    """
    letter, is_link = before[-1:], opening[0].startswith("](")
    if letter == "!" and is_link and not before.endswith("\\!"):
        return f"{before[:-1]}\\!"
    if letter.isalnum() and not (is_link and len(opening) == 1) and (len(opening) > 1 or inside or _is_sign(words[:1])):
        return f"{before[:-1]}&#{ord(letter)};"
    return before


def _split_words(runs: Sequence[Run], one_line: bool) -> list[Run]:
    """Words and the spaces between them apart; a space has only the marks that the words on both sides of it share."""
    split: list[Run] = []
    for run in runs:
        if run.kind and run.text.strip(" "):
            split.append(Run(" ", run.marks) if one_line and run.text == BREAK else run)
        else:
            words = re.split(r"(\s+)", run.text)
            split += [Run(" " if place % 2 else word, run.marks) for place, word in enumerate(words) if word]
    pieces: list[Run] = []
    for piece in split:
        if not piece.is_space or (pieces and not pieces[-1].is_space):
            pieces.append(piece)
        elif pieces and piece.text == BREAK:
            pieces[-1] = piece
    while pieces and pieces[-1].is_space:
        pieces.pop()
    lone = [_share_marks(pieces, place) if piece.is_lone_sign else piece for place, piece in enumerate(pieces)]
    return _join_runs([_share_marks(lone, place) if piece.is_space else piece for place, piece in enumerate(lone)])


def _share_marks(pieces: Sequence[Run], place: int) -> Run:
    """The piece with the marks that it shares with both neighbours; a link stays."""
    piece, nobody = pieces[place], Run("")
    before = pieces[place - 1] if place else nobody
    after = pieces[place + 1] if place + 1 < len(pieces) else nobody
    shared = [mark for mark in piece.marks if (mark in before.marks and mark in after.marks) or mark.startswith("](")]
    return Run(piece.text, tuple(shared), piece.kind)


def _join_runs(pieces: Sequence[Run]) -> list[Run]:
    """Neighbours of the same kind and marks as one, so that what stands beside a mark is seen."""
    alike: list[list[Run]] = []
    for piece in pieces:
        if alike and piece.kind != RAW and (alike[-1][0].kind, alike[-1][0].marks) == (piece.kind, piece.marks):
            alike[-1].append(piece)
        else:
            alike.append([piece])
    return [Run("".join(run.text for run in runs), runs[0].marks, runs[0].kind) for runs in alike]


def _is_sign(letter: str) -> bool:
    return bool(letter) and unicodedata.category(letter)[0] in "PS"


MARKS: Final = {"strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_PARAGRAPHS: Final = frozenset(("p", "div", "section", "figure", "figcaption", "caption"))


def convert_html(markup: str) -> str:
    """Convert HTML to Markdown that renders to the same HTML as far as possible. Scripts are removed."""
    writer = _Writer()
    writer.feed(clean_html(markup))
    writer.close()
    return writer.text()


class _Writer(HTMLParser):
    """Collects blocks; each is written with the prefix of the lists and quotes around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, bool]] = []
        """Text, and whether it follows the block before without a blank line."""
        self.runs: list[Run] = []
        self.marks: list[tuple[str, str]] = []
        """Tags that are open around the words, each with its mark."""
        self.lead = ""
        self.lists: list[int | None] = []
        self.prefixes: list[str] = []
        self.first_line = ""
        self.tight = False
        self.begins = False
        """The next item is the first of a list that stands on its own."""
        self.block_code: str | None = None
        """The language of the block of code that is open."""
        self.code: list[str] | None = None
        self.cells: list[int] = []
        """Cells that are open, each with its columns."""
        self.rows: list[list[str]] = []
        self.aligns: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if self.block_code is not None or self.code is not None:
            if tag == "code" and self.block_code == "":
                self.block_code = "".join(re.findall(r"\blanguage-([\w+#.-]+)", values.get("class", ""))[:1])
        elif tag in MARKS or tag == "a":
            self.marks.append((tag, MARKS.get(tag) or f"]({_format_target(values, 'href')})"))
        elif tag == "code":
            self.code = []
        elif tag in ("table", "tr", "th", "td"):
            self._open_table(tag, values)
        elif self.cells:
            self._inside_cell(tag, values)
        elif tag in _HEADINGS or tag in _PARAGRAPHS:
            self._flush()
            self.lead, self.tight = (f"{_HEADINGS[tag]} ", self.tight) if tag in _HEADINGS else ("", False)
        elif tag in ("ul", "ol", "li", "blockquote"):
            self._open(tag, values)
        elif tag == "pre":
            self._flush()
            self.block_code = ""
        else:
            self._empty(tag, values)

    def _inside_cell(self, tag: str, values: dict[str, str]) -> None:
        """A cell is one line: what would be a block there is parted by a space."""
        if tag == "img":
            self._empty(tag, values)
        elif tag not in ("span", "u", "sub", "sup"):
            self.runs.append(Run(" "))

    def _empty(self, tag: str, values: dict[str, str]) -> None:
        if tag == "br":
            self._say(BREAK, kind=RAW)
        elif tag == "hr":
            self._flush()
            self._add("---")
        elif tag == "img" and values.get("src"):
            self._say(f"![{escape_text(values.get('alt', ''))}]({_format_target(values, 'src')})", kind=RAW)
        elif tag == "img":
            self._say(values.get("alt", ""))

    def _say(self, text: str, *, kind: str = "") -> None:
        marks = tuple(dict.fromkeys(mark for _tag, mark in self.marks))
        self.runs.append(Run(text, marks, kind))

    def _open(self, tag: str, values: dict[str, str]) -> None:
        self._flush()
        if tag == "blockquote":
            self.prefixes.append("> ")
        elif tag == "li":
            number = self.lists[-1] if self.lists else None
            bullet = "- " if number is None else f"{number}. "
            if self.lists and number is not None:
                self.lists[-1] = number + 1
            self.first_line, self.tight = "".join(self.prefixes) + bullet, not self.begins
            self.begins = False
            self.prefixes.append(" " * len(bullet))
        else:
            start = values.get("start", "1")
            self.begins = not self.lists
            self.lists.append(None if tag == "ul" else int(start[:9]) if start.isdecimal() else 1)

    def _open_table(self, tag: str, values: dict[str, str]) -> None:
        if self.cells and tag in ("table", "tr"):
            self.runs.append(Run(" "))  # a table inside a cell is read as words
        elif tag == "table":
            self._flush()
            self.rows, self.aligns = [], []
        elif tag == "tr":
            self.rows.append([])
        else:
            if len(self.rows) == 1 and not self.cells:
                self.aligns.append(_RULES.get(values.get("align", ""), "---"))
            span = values.get("colspan", "1")
            self.runs = [*self.runs, Run(" ")] if self.cells else []
            self.cells.append(min(int(span[:9]), 50) if span.isdecimal() else 1)

    def handle_endtag(self, tag: str) -> None:
        if tag == "code" and self.code is not None:
            text, self.code = "".join(self.code), None
            self._say(" ".join(text.split("\n")), kind=CODE)
        elif tag == "pre" and self.block_code is not None:
            self._close_code()
        elif tag in MARKS or tag == "a":
            at = next((place for place in range(len(self.marks))[::-1] if self.marks[place][0] == tag), None)
            if at is not None:
                del self.marks[at]
        elif tag in ("th", "td", "table"):
            self._close_table(tag)
        elif self.cells:
            self._inside_cell(tag, {})
        elif tag in _HEADINGS or tag in _PARAGRAPHS:
            self._flush()
        elif tag in ("li", "blockquote"):
            self._flush()
            if self.prefixes:
                self.prefixes.pop()
            if tag == "li":
                self.first_line = ""  # an empty item does not begin what follows it
        elif tag in ("ul", "ol"):
            self._flush()
            if self.lists:
                self.lists.pop()

    def _close_code(self) -> None:
        body, language = "".join(run.text for run in self.runs).removesuffix("\n"), self.block_code or ""
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", body)), 3)
        self.runs, self.block_code = [], None
        self._add(f"{fence}{language}\n{body}\n{fence}")

    def _close_table(self, tag: str) -> None:
        if tag == "table" and not self.cells:
            self._add(_format_table(self.rows, self.aligns))
            self.rows, self.runs = [], []
        elif tag != "table" and self.cells:
            columns = self.cells.pop()
            if not self.cells and self.rows:
                self.rows[-1] += [format_runs(self.runs, cell=True), *[""] * (columns - 1)]
                self.runs = []

    def handle_data(self, data: str) -> None:
        if self.block_code is not None:
            self.runs.append(Run(data))
        elif self.code is not None:
            self.code.append(data)
        else:
            self._say(data)

    def _flush(self) -> None:
        if self.cells:
            return
        words, self.runs = format_runs(self.runs, one_line=bool(self.lead)), []
        lead, self.lead = self.lead, ""
        if words and lead:
            self._add(lead + re.sub(r"(#+)$", r"\\\1", words))
        elif words:
            self._add(escape_line_starts(words))

    def _add(self, block: str) -> None:
        prefix = "".join(self.prefixes)
        first, self.first_line = self.first_line or prefix, ""
        tight, self.tight = self.tight and first != prefix, False
        lines = block.split("\n")
        self.blocks.append(("\n".join([first + lines[0], *((prefix + line).rstrip() for line in lines[1:])]), tight))

    def text(self) -> str:
        """The whole Markdown."""
        self._flush()
        joined = "".join(("\n" if tight else "\n\n") + block for block, tight in self.blocks)
        return joined.lstrip("\n") + ("\n" if joined else "")


def _format_target(values: dict[str, str], key: str) -> str:
    address = values.get(key, "").replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("|", "%7C")
    title = values.get("title", "").replace('"', "'")
    return f'{address} "{title}"' if title else address


_RULES: Final = {"left": ":---", "center": ":---:", "right": "---:"}


def _format_table(rows: list[list[str]], aligns: list[str]) -> str:
    width = max((len(row) for row in rows), default=0)
    rule = aligns + ["---"] * (width - len(aligns))
    full = [row + [""] * (width - len(row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in [*full[:1], rule[:width], *full[1:]]]
    return "\n".join(lines) if rows else ""


LETTERS_MOST: Final = 2_000_000
_READ: Final = set(TAGS) | {"font", "strike", "body", "col", "center", "tt"}
_ATTRIBUTES: Final = {"style", "class", "role", "aria-level", "name", "href", "src", "alt", "start", "colspan"} | {
    "cite",
    "datetime",
}
_MARKS: Final = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "s", "strike": "s", "del": "s"}
_KEPT: Final = TAGS - set(_MARKS) - {"span", "u", "div", "section", "figure", "figcaption"}
_HEADING_TAGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
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
    return convert_html(plain) if _FORMATTED.search(clean) or _FORMATTED.search(plain) else ""


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
    if element.tag in _HEADING_TAGS:
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
