"""What a page offers to be sent: its forms, read and posted, and the parameters in its links."""

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from tests.forms import Button, read_forms

Fields = list[tuple[str, str]]
LINKS: Final = ("href", "action", "formaction", "hx-get", "hx-post", "data-address", "data-poll")


@dataclass(frozen=True)
class Offer:
    """A request that a page can make: `fields` as it would send them. `file` names a field for files."""

    method: str
    path: str
    fields: tuple[tuple[str, str], ...]
    file: str = ""


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.offers: list[Offer] = []
        self.files: dict[str, str] = {}
        self._action, self._method, self._fields = address, "", Fields()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._action = urljoin(self.address, given.get("action") or self.address)
            self._method, self._fields = given.get("method", "get").lower(), Fields()
        elif tag in ("input", "select", "textarea") and given.get("name"):
            if given.get("type") == "file":
                self.files[self._action] = given["name"]
            self._fields.append((given["name"], given.get("value", "")))
        for name in LINKS:
            parts = urlsplit(given.get(name, ""))
            if parts.query and not parts.netloc:
                path = urlsplit(urljoin(self.address, parts.path or self.address)).path
                method = "POST" if name in ("hx-post", "formaction") else "GET"
                self.offers.append(Offer(method, path, tuple(parse_qsl(parts.query, keep_blank_values=True))))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._method == "get" and self._fields:
            self.offers.append(Offer("GET", urlsplit(self._action).path, tuple(self._fields)))


def read_offers(html: str, address: str) -> list[Offer]:
    """Each request once, in the order of the page."""
    reader = _Reader(address)
    reader.feed(html)
    for form in read_forms(html, address):
        file = reader.files.get(form.action, "")
        without: list[Button | None] = [None]  # a form without a button is sent by script
        for button in form.buttons or without:
            pressed = [(button.name, button.value)] if button is not None and button.name else []
            path = urlsplit((button.action if button is not None else "") or form.action).path
            reader.offers.append(Offer("POST", path, (*form.values, *pressed), file))
    return list(dict.fromkeys(reader.offers))
