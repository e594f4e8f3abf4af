"""Forms of a page as a browser sends them: what is in them, and which button was pressed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

Values = list[tuple[str, str]]
Typed = Mapping[str, str | list[str]]
"""What somebody types or chooses, by the name of the field."""
NOT_SENT = {"submit", "button", "image", "reset", "file"}


@dataclass
class Button:
    """What presses a form; its own address and value, where it has them."""

    name: str = ""
    value: str = ""
    action: str = ""
    disabled: bool = False


@dataclass(eq=False)
class Form:
    """One form that is posted. `values` is what it sends as it was drawn, without a button."""

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


SCRIPTED = ("hx-post", "data-chats", "data-composer", "data-edit-form", "data-withdraw-form", "data-sent")
"""What a form carries that script sends: htmx's attribute, and those of our own modules."""


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.stray: list[tuple[str, dict[str, str], str]] = []
        self._form: Form | None = None
        self._in_template = 0
        self._area: tuple[dict[str, str], list[str]] | None = None
        self._select: tuple[dict[str, str], list[tuple[str, bool]]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._in_template += 1
        if self._in_template:
            return
        if tag == "form" and given.get("method", "").lower() == "post":
            action = urljoin(self.address, given.get("action") or self.address)
            script = any(name in given for name in SCRIPTED) or given.get("id") == "act"
            multipart = given.get("enctype", "") == "multipart/form-data"
            self._form = Form(given.get("id", ""), action, multipart, script=script)
            self.forms.append(self._form)
        elif tag == "form":
            self._form = None
        elif tag == "input":
            kind = given.get("type", "text")
            chosen = kind not in ("checkbox", "radio") or "checked" in given
            if kind not in NOT_SENT and chosen:
                self._add(given, given.get("value", "on" if kind in ("checkbox", "radio") else ""))
        elif tag == "button" and given.get("type", "submit") == "submit":
            self.stray.append(("button", given, ""))
            self._keep_place(given)
        elif tag == "textarea":
            self._area = (given, [])
        elif tag == "select":
            self._select = (given, [])
        elif tag == "option" and self._select:
            self._select[1].append((given.get("value", ""), "selected" in given))

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._in_template -= 1
        if self._in_template:
            return
        if tag == "form":
            self._form = None
        elif tag == "textarea" and self._area:
            self._add(self._area[0], "".join(self._area[1]).removeprefix("\n"))
            self._area = None
        elif tag == "select" and self._select:
            options = self._select[1]
            chosen = next((value for value, selected in options if selected), options[0][0] if options else "")
            self._add(self._select[0], chosen)
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._area:
            self._area[1].append(data)

    def _add(self, given: dict[str, str], value: str) -> None:
        if given.get("name") and "disabled" not in given:
            self.stray.append(("value", given, value))
            self._keep_place(given)

    def _keep_place(self, given: dict[str, str]) -> None:
        """Which form it is of: the one that it names, else the one around it."""
        given["form"] = given.get("form") or (f"#{self.forms.index(self._form)}" if self._form else "")

    def done(self) -> list[Form]:
        named = {form.id: form for form in self.forms if form.id} | {f"#{n}": f for n, f in enumerate(self.forms)}
        for kind, given, value in self.stray:
            form = named.get(given["form"])
            if form is None:
                continue
            if kind == "value":
                form.values.append((given["name"], value))
            else:
                action = urljoin(self.address, given["formaction"]) if given.get("formaction") else ""
                form.buttons.append(
                    Button(given.get("name", ""), given.get("value", ""), action, disabled="disabled" in given)
                )
        return self.forms


def read_forms(html: str, address: str) -> list[Form]:
    """The forms of a page that are posted, in the order in which they are drawn."""
    reader = _Reader(address)
    reader.feed(html)
    return reader.done()
