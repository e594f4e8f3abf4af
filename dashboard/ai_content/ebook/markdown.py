"""Markdown of an HTML text, for when the HTML is what people want to keep: so that text and PDF agree again."""

import re
from html.parser import HTMLParser
from typing import Final

from dashboard.ai_content.ebook.html import clean

MARKS: Final = {"strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_PARAGRAPHS: Final = frozenset(("p", "div", "section", "figure", "figcaption", "caption"))
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~|])")
_AT_START: Final = re.compile(r"^(\s*)([#>+-]|\d+[.)])(?=\s|$)", re.MULTILINE)


def from_html(markup: str) -> str:
    """Markdown that gives this HTML again, as far as Markdown can say it. What runs in the HTML is left out."""
    writer = _Writer()
    writer.feed(clean(markup))
    writer.close()
    return writer.text()


class _Writer(HTMLParser):
    """Collects blocks; each is written with the prefix of the lists and quotes around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, bool]] = []
        """Text, and whether it follows the block before without a blank line."""
        self.words: list[str] = []
        self.ticked = False
        """Within code of a paragraph."""
        self.lead = ""
        self.lists: list[int | None] = []
        self.prefixes: list[str] = []
        self.first_line = ""
        self.tight = False
        self.begins = False
        """The next item is the first of a list that stands on its own."""
        self.code = False
        self.rows: list[list[str]] = []
        self.aligns: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in MARKS:
            self.words.append(MARKS[tag])
        elif tag in _HEADINGS:
            self._flush()
            self.lead = _HEADINGS[tag] + " "
        elif tag in _PARAGRAPHS:
            self._flush()
            self.tight = False
        elif tag in ("ul", "ol", "li", "blockquote"):
            self._open(tag, values)
        elif tag == "pre":
            self._flush()
            self.code = True
        elif tag == "code" and not self.code:
            self._tick()
        elif tag in ("table", "tr", "th", "td"):
            self._open_table(tag, values.get("align", ""))
        else:
            self._empty(tag, values)

    def _empty(self, tag: str, values: dict[str, str]) -> None:
        if tag == "br":
            self.words.append("\\\n")
        elif tag == "hr":
            self._flush()
            self._add("---")
        elif tag == "img":
            self.words.append(f"![{_escaped(values.get('alt', ''))}]({_target(values, 'src')})")
        elif tag == "a":
            self.links.append(_target(values, "href"))
            self.words.append("[")

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
            self.lists.append(None if tag == "ul" else int(start) if start.isdigit() else 1)

    def _open_table(self, tag: str, align: str) -> None:
        if tag == "table":
            self._flush()
            self.rows, self.aligns = [], []
        elif tag == "tr":
            self.rows.append([])
        elif len(self.rows) == 1:
            self.aligns.append(_RULES.get(align, "---"))
        self._forget()

    def handle_endtag(self, tag: str) -> None:
        if tag in MARKS:
            self.words.append(MARKS[tag])
        elif tag in _HEADINGS or tag in _PARAGRAPHS:
            self._flush()
        elif tag in ("li", "blockquote"):
            self._flush()
            if self.prefixes:
                self.prefixes.pop()
        elif tag in ("ul", "ol"):
            self._flush()
            if self.lists:
                self.lists.pop()
        elif tag == "a" and self.links:
            self.words.append(f"]({self.links.pop()})")
        elif tag == "code" and not self.code:
            self._tick()
        else:
            self._close_block(tag)

    def _close_block(self, tag: str) -> None:
        if tag == "pre":
            body = "".join(self.words).rstrip("\n")
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", body)), 3)
            self._forget()
            self.code = False
            self._add(f"{fence}\n{body}\n{fence}")
        elif tag in ("th", "td") and self.rows:
            self.rows[-1].append(" ".join("".join(self.words).split()))
            self._forget()
        elif tag == "table":
            self._add(_table(self.rows, self.aligns))
            self.rows = []
            self._forget()

    def handle_data(self, data: str) -> None:
        if self.code:
            self.words.append(data)
        elif data.strip() or self.words:
            self.words.append(data if self.ticked else _escaped(re.sub(r"\s+", " ", data)))

    def _tick(self) -> None:
        """Code begins or ends within a paragraph."""
        self.words.append("`")
        self.ticked = not self.ticked

    def _forget(self) -> None:
        self.words, self.ticked = [], False

    def _flush(self) -> None:
        words = "".join(self.words).strip()
        self._forget()
        lead, self.lead = self.lead, ""
        if words:
            self._add(lead + (words if lead else _AT_START.sub(r"\1\\\2", words)))

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


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _target(values: dict[str, str], key: str) -> str:
    address = values.get(key, "").replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    title = values.get("title", "").replace('"', "'")
    return f'{address} "{title}"' if title else address


_RULES: Final = {"left": ":---", "center": ":---:", "right": "---:"}


def _table(rows: list[list[str]], aligns: list[str]) -> str:
    width = max((len(row) for row in rows), default=0)
    rule = aligns + ["---"] * (width - len(aligns))
    full = [row + [""] * (width - len(row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in [*full[:1], rule[:width], *full[1:]]]
    return "\n".join(lines) if rows else ""
