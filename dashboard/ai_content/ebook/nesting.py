"""Limit the nesting of HTML: cleaning takes the square of the depth.

Deeper tags are left out, their words stay. What comes out is written anew, balanced and escaped, so its depth is known
whatever the HTML was; nothing in it is clean yet.
"""

import re
from html import escape
from html.parser import HTMLParser
from typing import Final

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
