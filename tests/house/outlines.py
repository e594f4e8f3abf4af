"""What the pages offer, as lines that are the same on every day: controls, links, heads of tables, and what polls or hides.

`outlines.txt` keeps the lines of every address. A change that is meant is written there with
`WRITE_OUTLINES=1 uv run --group test pytest -n 0 tests/house/test_addresses.py -k outline`, and stands in the same commit.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

FILE: Final = Path(__file__).with_name("outlines.txt")
OVERVIEW: Final = "overview:overview read"
"""The page whose frame is looked at: all have the same."""
_SHOWN: Final = frozenset(
    {"a", "audio", "button", "dialog", "form", "h1", "input", "meter", "select", "template", "textarea", "th", "video"}
)
_QUOTED: Final = frozenset({"button", "h1"})
"""What is quoted with its words: a wrong one is pressed by mistake."""
_TELLING: Final = re.compile(r"hx-|aria-(?!hidden|label$|valuenow)|role$|hidden$|data-")
_KEPT: Final = re.compile(
    r"(?:name|value|type|method|for|form|list|scope|role|hidden|disabled|readonly|required|checked|multiple|open|download"
    r"|tabindex|max|maxlength|href|action|formaction|target|hx-.*|aria-(?!label$|valuenow).*)$"
)
_ADDRESSES: Final = {"href", "action", "formaction", "hx-get", "hx-post"}
_CHANGING: Final = re.compile(r"[\w~:.+-]{24,}|[0-9a-f-]*\d[0-9a-f-]*|[{\[].*[}\]]")
"""Keys, tokens, moments and numbers."""
_MAIN: Final = re.compile("<main.*</main>", re.DOTALL)
_OF_SOME_DAYS: Final = re.compile(
    r"a href=(?:/dashboard/analytics/why/|/dashboard/review-links/inbox/$|/dashboard/lives/0/start/$|/\S* target=_blank"
    r"|\?start&end&granularity&compare&zone )|h1 “Good "
)
"""The greeting; links to why a figure moved, to what is unread, to a live that is due, to what was watched, and to the days
chosen now.
"""


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: Counter[str] = Counter()
        self._drawings = 0
        self._quoted: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._drawings += tag == "svg"
        if not self._drawings and (tag in _SHOWN or any(_TELLING.match(name) for name, _ in attrs)):
            line = " ".join([tag, *(_format(name, value or "") for name, value in attrs if _is_kept(name))])
            if tag in _QUOTED:
                self._quoted = [line, ""]
            else:
                self._count(line)

    def handle_data(self, data: str) -> None:
        if self._quoted and not self._drawings:
            self._quoted.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._drawings -= tag == "svg"
        if tag in _QUOTED and self._quoted:
            line, *words = self._quoted
            self._quoted = []
            self._count(f"{line} “{_CHANGING.sub('0', ' '.join(''.join(words).split()))}”")

    def _count(self, line: str) -> None:
        if not _OF_SOME_DAYS.match(line):
            self.lines[line] += 1


def _is_kept(name: str) -> bool:
    return name.startswith("data-") or bool(_KEPT.match(name))


def _format(name: str, value: str) -> str:
    if name.startswith("data-"):
        return name
    if name in _ADDRESSES:
        parts = urlsplit(value)
        query = "&".join(dict.fromkeys(key for key, _ in parse_qsl(parts.query, keep_blank_values=True)))
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        value = f"{parts.path}{'?' * bool(query)}{query}{fragment}"
    return f"{name}={_CHANGING.sub('0', value)}" if value else name


def build_outline(text: str) -> list[str]:
    """Each kind of element in the main part of a page, once, in its order."""
    main = _MAIN.search(text)
    return _list_lines(main[0] if main else text)


def _list_lines(text: str) -> list[str]:
    parser = _Outline()
    parser.feed(text)
    return [line if count == 1 else f"{line} *" for line, count in parser.lines.items()]


def build_outlines(pages: Mapping[str, str]) -> Iterator[str]:
    """A line with the address and how it was asked, and below it what it offers; of a part or a refusal what is new in it."""
    outlines = {name: build_outline(text) for name, text in pages.items()}
    outlines["frame read"] = _list_lines(_MAIN.sub("", pages[OVERVIEW]))
    for name in sorted(outlines):
        address, _, asked = name.partition(" ")
        known = [] if asked == "read" else outlines.get(f"{address} read", [])
        yield name
        yield from (f"  {line}" for line in outlines[name] if line not in known)


def pair_lines(lines: Iterable[str]) -> set[str]:
    """Each line with the name of its page."""
    page, paired = "", set()
    for line in lines:
        page = page if line.startswith(" ") else line
        paired.add(f"{page}:{line}" if line != page else page)
    return paired
