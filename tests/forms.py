"""Pages as a browser without script has them: their forms, what is typed into them, and which link or button is pressed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final, Self
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client

Values = list[tuple[str, str]]
Typed = Mapping[str, str | list[str]]
"""What somebody types or chooses, by the name of the field."""
NOT_SENT: Final = {"submit", "button", "image", "reset", "file"}
TICKED: Final = {"checkbox", "radio"}
VOID: Final = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}  # fmt: skip
UNSEEN: Final = {"template", "script", "style"}
TYPED: Final = {"select", "textarea"}
SCRIPTED: Final = {"hx-post", "data-chats", "data-composer", "data-edit-form", "data-withdraw-form", "data-sent"}
"""What a form carries that script sends: htmx's attribute, and those of our own modules."""


@dataclass
class Button:
    """What presses a form; its own address and value, where it has them."""

    name: str = ""
    value: str = ""
    action: str = ""
    disabled: bool = False


@dataclass(eq=False)
class Form:
    """One form. `values` is what it sends as it was drawn, without a button."""

    id: str
    action: str
    multipart: bool
    values: Values = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    script: bool = False
    """Whether script sends it without leaving the page."""

    def filled(self, values: Typed) -> Values:
        """What is sent once somebody has typed or chosen `values`."""
        typed = [
            (name, one) for name, given in values.items() for one in ([given] if isinstance(given, str) else given)
        ]
        return [(name, value) for name, value in self.values if name not in values] + typed


@dataclass(eq=False)
class Element:
    """One element of a page, with what is in it."""

    tag: str
    attrs: dict[str, str]
    parent: Self | None = None
    parts: list[Self | str] = field(default_factory=list)
    file: Any = None
    """What was chosen in a field for files."""

    def all(self, *tags: str) -> Iterator[Self]:
        """The elements inside of these kinds, in the order of the page; none of templates."""
        for part in self.parts:
            if not isinstance(part, str) and part.tag not in UNSEEN:
                if part.tag in tags or not tags:
                    yield part
                yield from part.all(*tags)

    def around(self) -> Iterator[Self]:
        """The elements around this one, from the nearest."""
        one = self.parent
        while one:
            yield one
            one = one.parent

    @property
    def text(self) -> str:
        """All that is written inside and read aloud, but what was typed or chosen, as it stands in the source."""
        seen = (one for one in self.parts if isinstance(one, str) or not one.is_silent)
        return "".join(one if isinstance(one, str) else one.text for one in seen)

    @property
    def is_silent(self) -> bool:
        return self.tag in UNSEEN | TYPED or "hidden" in self.attrs or self.attrs.get("aria-hidden") == "true"

    @property
    def words(self) -> str:
        """What is written inside, with single spaces."""
        return " ".join(self.text.split())

    @property
    def value(self) -> str:
        """What a field is sent with."""
        if self.tag == "textarea":
            return self.text.removeprefix("\n")
        if self.tag == "select":
            options = list(self.all("option"))
            chosen = [one for one in options if "selected" in one.attrs] or options[:1]
            return chosen[0].attrs.get("value", chosen[0].words) if chosen else ""
        return self.attrs.get("value", "on" if self.attrs.get("type") in TICKED else "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.document = self.inside = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(tag, {name: value or "" for name, value in attrs}, self.inside)
        self.inside.parts.append(one)
        if tag not in VOID:
            self.inside = one

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<path/>` of a drawing; `/` says nothing in HTML, and none of its own is written so."""
        self.inside.parts.append(Element(tag, {name: value or "" for name, value in attrs}, self.inside))

    def handle_endtag(self, tag: str) -> None:
        open_ = next((one for one in (self.inside, *self.inside.around()) if one.tag == tag), None)
        if open_ and open_.parent:
            self.inside = open_.parent

    def handle_data(self, data: str) -> None:
        self.inside.parts.append(data)


def parse(html: str) -> Element:
    """What is around all of a page."""
    reader = _Reader()
    reader.feed(html)
    return reader.document


def by_form(page: Element) -> dict[Element, list[Element]]:
    """The fields and buttons of each form: those that name it, and those inside of it that name none."""
    found: dict[Element, list[Element]] = {form: [] for form in page.all("form")}
    named = {form.attrs["id"]: form for form in found if "id" in form.attrs}
    for one in page.all("input", "textarea", "select", "button"):
        form = named.get(one.attrs["form"]) if "form" in one.attrs else None
        form = form or next((around for around in one.around() if around.tag == "form"), None)
        if form:
            found[form].append(one)
    return found


def values_of(fields: list[Element]) -> list[tuple[str, Any]]:
    """What these fields are sent with, where they are."""
    sent: list[tuple[str, Any]] = []
    for one in fields:
        kind, name = one.attrs.get("type", "text"), one.attrs.get("name")
        if not name or one.tag == "button" or "disabled" in one.attrs:
            continue
        if one.file:
            sent.append((name, one.file))
        elif one.tag != "input" or (kind not in NOT_SENT and (kind not in TICKED or "checked" in one.attrs)):
            sent.append((name, one.value))
    return sent


def read_forms(html: str, address: str) -> list[Form]:
    """The forms of a page that are posted, in the order in which they are drawn."""
    forms = []
    for one, fields in by_form(parse(html)).items():
        if one.attrs.get("method", "").lower() != "post":
            continue
        form = Form(
            one.attrs.get("id", ""),
            urljoin(address, one.attrs.get("action") or address),
            one.attrs.get("enctype") == "multipart/form-data",
            values_of(fields),
            script=bool(SCRIPTED & set(one.attrs)) or one.attrs.get("id") == "act",
        )
        for button in fields:
            given = button.attrs
            if button.tag == "button" and given.get("type", "submit") == "submit":
                action = urljoin(address, given["formaction"]) if given.get("formaction") else ""
                form.buttons.append(Button(given.get("name", ""), given.get("value", ""), action, "disabled" in given))
        forms.append(form)
    return forms


class PlainBrowser:
    """A person's browser without script: links and buttons are pressed by their words, fields are found by their labels.

    `near` chooses among several of the same name: the one that stands closest to these words.
    """

    def __init__(self, client: Client) -> None:
        client.handler.enforce_csrf_checks = True
        self.client = client
        self.address, self.document = "/", Element("", {})
        self.answer: Any = None

    def open(self, address: str) -> Self:
        """The page at an address."""
        return self._show(self.client.get(urljoin(self.address, address).partition("#")[0], follow=True), address)

    @property
    def text(self) -> str:
        """What the page says."""
        return next(self.document.all("body"), self.document).words

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements of these kinds."""
        return self.document.all(*tags)

    def follow(self, words: str, near: str = "") -> Self:
        """The page that a link leads to."""
        return self.open(self.link(words, near).attrs["href"])

    def link(self, words: str, near: str = "") -> Element:
        """A link by its words."""
        return self._named(["a"], words, near)

    def button(self, words: str, near: str = "") -> Element:
        """A button by its words."""
        return self._named(["button"], words, near)

    def has(self, tag: str, words: str) -> bool:
        """Whether an element of this kind has these words."""
        return any(words in one.words for one in self.document.all(tag))

    def field(self, label: str, near: str = "") -> Element:
        """A field by its label."""
        labels = {one.attrs["for"]: one.words for one in self.document.all("label") if "for" in one.attrs}

        def name(one: Element) -> str:
            around = next((label.words for label in one.around() if label.tag == "label"), "")
            return one.attrs.get("aria-label") or labels.get(one.attrs.get("id", ""), "") or around

        return self._nearest(list(self.document.all("input", "textarea", "select")), name, label, near)

    def fill(self, label: str, text: Any, near: str = "") -> Self:
        """Type into a field, or choose a file."""
        one = self.field(label, near)
        if one.tag == "textarea":
            one.parts = [text]
        elif one.attrs.get("type") == "file":
            one.file = text
        else:
            one.attrs["value"] = text
        return self

    def choose(self, label: str, option: str, near: str = "") -> Self:
        """Choose from a list, by words or value."""
        options = list(self.field(label, near).all("option"))
        wanted = next((one for one in options if option in (one.words, one.attrs.get("value"))), None)
        assert wanted, f"{option!r} is none of {[one.words for one in options]}"
        for one in options:
            one.attrs.pop("selected", None)
        wanted.attrs["selected"] = ""
        return self

    def check(self, label: str, near: str = "") -> Self:
        """Tick a box, or choose one of several."""
        self.tick(self.field(label, near))
        return self

    def tick(self, one: Element) -> None:
        """Tick this very box."""
        assert "disabled" not in one.attrs
        if one.attrs["type"] == "radio":
            for other in self.document.all("input"):
                if other.attrs.get("name") == one.attrs["name"]:
                    other.attrs.pop("checked", None)
        one.attrs["checked"] = ""

    def press(self, words: str, near: str = "") -> Self:
        """Send the form of a button."""
        one = self.button(words, near)
        form, fields = next(
            ((form, fields) for form, fields in by_form(self.document).items() if one in fields), (None, [])
        )
        assert form and "disabled" not in one.attrs, f"{words!r} sends nothing"
        sent = values_of(fields)
        if name := one.attrs.get("name"):
            sent.append((name, one.attrs.get("value", "")))
        action = urljoin(self.address, one.attrs.get("formaction") or form.attrs.get("action") or self.address)
        path = action.partition("#")[0]
        if form.attrs.get("method", "get").lower() != "post":
            return self.open(f"{path.partition('?')[0]}?{urlencode(sent)}")
        data: dict[str, list[Any]] = {}
        for key, value in sent:
            data.setdefault(key, []).append(value)
        return self._show(self.client.post(path, data, follow=True), action)

    def _show(self, answer: Any, address: str) -> Self:
        """Keep a page; a file leaves the page where it is."""
        self.answer = answer
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            led = [self.address, address, *(to for to, _status in answer.redirect_chain)]
            for to in led:
                self.address = urljoin(self.address, to)
            self.address = urlsplit(self.address)._replace(scheme="", netloc="").geturl()
            self.document = parse(answer.content.decode())
        return self

    def _named(self, tags: list[str], words: str, near: str) -> Element:
        def name(one: Element) -> str:
            return one.attrs.get("aria-label") or one.words

        return self._nearest([one for one in self.document.all(*tags) if "hidden" not in one.attrs], name, words, near)

    def _nearest(self, ones: list[Element], name: Any, words: str, near: str) -> Element:
        named = [one for one in ones if name(one) == words] or [one for one in ones if name(one).startswith(words)]
        assert named, f"{words!r} is none of {sorted({name(one) for one in ones})} on {self.address}: {self.text[:600]}"
        if not near:
            return named[0]
        return min(named, key=lambda one: next((n for n, it in enumerate(one.around()) if near in it.words), 99))
