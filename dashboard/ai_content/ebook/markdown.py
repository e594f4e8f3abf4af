"""Convert HTML to Markdown, for eBooks whose HTML is kept."""

import re
from html.parser import HTMLParser
from typing import Final

from dashboard.ai_content.ebook import inline
from dashboard.ai_content.ebook.html import clean_html
from dashboard.ai_content.ebook.inline import BREAK, Run

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
            self._say(BREAK, kind=inline.RAW)
        elif tag == "hr":
            self._flush()
            self._add("---")
        elif tag == "img" and values.get("src"):
            self._say(
                f"![{inline.escape_text(values.get('alt', ''))}]({_format_target(values, 'src')})", kind=inline.RAW
            )
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
            self._say(" ".join(text.split("\n")), kind=inline.CODE)
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
                self.rows[-1] += [inline.format_runs(self.runs, cell=True), *[""] * (columns - 1)]
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
        words, self.runs = inline.format_runs(self.runs, one_line=bool(self.lead)), []
        lead, self.lead = self.lead, ""
        if words and lead:
            self._add(lead + re.sub(r"(#+)$", r"\\\1", words))
        elif words:
            self._add(inline.escape_line_starts(words))

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
