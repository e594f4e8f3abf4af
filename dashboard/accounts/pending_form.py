"""Work that was typed when the session or the token ended: back in its form after sign-in.

Of somebody who is signed out nothing is stored: the browser sends the form once more, to sign-in, whose page carries it as
one signed field, and it reaches the session with the account that signed in. Of an account whose token ended in the middle
of work it is kept in its session at once. The page it was typed on then shows it in the same form, and says so; no other
page does, and nothing is sent until the person presses that form's own button.
"""

import re
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from html import escape
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any, Final
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from dashboard.accounts import identity
from dashboard.shared import formats
from dashboard.shared.http import own_path

KEPT = "kept"
"""The entry of the session, and the field of the sign-in page."""
FORM = "form"
"""In the address of sign-in: where the form was going that is sent along."""
TYPED_BY = "typed_by"
"""A signed cookie: the account that this browser used last, so that its words are offered to no other."""
MOST = 2_500_000
"""Characters kept at most: an AI package of 2 MB fits."""
LASTS = 60 * 60 * 24 * 14
"""Seconds for which a sign-in page can hand over what it carries."""
SALT = "dashboard.accounts.pending_form"

NEVER_KEPT: Final = re.compile(rf"token|passw|secret|^{KEPT}$", re.IGNORECASE)
"""Names of fields."""


class Sent(HttpResponseRedirect):
    """Leads on with the whole form: the browser sends it again to where this leads."""

    status_code = 307


@dataclass(frozen=True)
class Kept:
    """A form that did not leave: where it was going, on which page it stood, its fields in order, who typed it and when."""

    action: str
    page: str
    fields: tuple[tuple[str, str], ...]
    account: str | None
    at: float
    """Seconds since the epoch."""


def to_sign_in(request: HttpRequest, *, refused: bool = False) -> HttpResponse:
    """Lead to sign-in and back, with what a POST carried; `refused` says that the platform turned the token down."""
    posts, account = request.method == "POST", request.session.get("account")
    query = {"next": _page_of(request)}
    if refused:
        query["refused"] = account or ""
    if posts and refused and account:
        keep(request, _kept_of(request, request.get_full_path(), query["next"], account))
    elif posts:
        query[FORM] = request.get_full_path()
    target = f"{reverse('accounts:sign_in')}?{urlencode(query)}"
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(target)
    return Sent(target) if FORM in query else HttpResponseRedirect(target)


def keep(request: HttpRequest, form: Kept | None) -> None:
    """Keep a form in the session of who is signed in."""
    if form:
        request.session[KEPT] = asdict(form)


def load_form(request: HttpRequest) -> Kept | None:
    """What is kept for the account in use, if anything."""
    form = _read(request.session.get(KEPT))
    return form if form and form.account in {None, request.session.get("account")} else None


def let_go(request: HttpRequest) -> None:
    """Forget the kept work: it was sent, or the person discarded it."""
    request.session.pop(KEPT, None)


def settle(request: HttpRequest, response: HttpResponse) -> None:
    """Put what is kept into its form on the page it was typed on; forget it once its form was sent and taken."""
    form = load_form(request) if request.session.get(KEPT) else None
    if form is None:
        return
    onward = response.headers.get("Location", "") or response.headers.get("HX-Redirect", "")
    if request.method == "POST" and form.action == request.get_full_path():
        if response.status_code < 400 and not onward.startswith("/sign-in/"):
            let_go(request)
    elif request.method == "GET" and _page_of(request) == form.page:
        if to := own_path(request, onward):
            keep(request, replace(form, page=to))
        elif response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming:
            response.content = _put_back(request, response.content.decode(), form)


def _put_back(request: HttpRequest, html: str, kept: Kept) -> str:
    """The page, or a part of it, with the kept values in their form; a whole page says so where it begins."""
    page = Page(html)
    filled = page.fill(kept)
    if main := next((element for element in page.elements if element.tag == "main"), None):
        context = {"form": filled, "at": formats.moment_or_time(datetime.fromtimestamp(kept.at, UTC))}
        page.edits.append((main.end, main.end, render_to_string("components/_kept.html", context, request)))
    return page.render()


def carried(request: HttpRequest) -> Kept | None:
    """The form that came to sign-in along with this request: sent there by its browser, or out of the page's own field."""
    if request.method != "POST":
        return None
    if action := own_path(request, request.GET.get(FORM, "")):
        page = own_path(request, request.GET.get("next", "")) or "/"
        return _kept_of(request, action, page, _typed_by(request))
    try:
        return _read(_loads(request.POST.get(KEPT, "")))
    except signing.BadSignature:
        return None


def packed(form: Kept | None) -> str:
    """The form as one field of the sign-in page, which nobody can change on its way."""
    return signing.dumps(asdict(form), key=identity.key(), salt=SALT, compress=True) if form else ""


def remember_who_types(request: HttpRequest, response: HttpResponse, account_id: str) -> None:
    """Let the browser know, signed, whose words it sends when its session is over."""
    if _typed_by(request) != account_id:
        response.set_cookie(
            TYPED_BY,
            identity.cookie_signer(TYPED_BY + SALT).sign(account_id),
            max_age=LASTS * 2,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )


def _typed_by(request: HttpRequest) -> str | None:
    try:
        return identity.cookie_signer(TYPED_BY + SALT).unsign(request.COOKIES.get(TYPED_BY, "")) or None
    except signing.BadSignature:
        return None


def _loads(text: str) -> Any:
    """What `packed` made. Raises `signing.BadSignature`."""
    key, *others = identity.all_keys()
    return signing.loads(text, key=key, salt=SALT, max_age=LASTS, fallback_keys=others)


def _kept_of(request: HttpRequest, action: str, page: str, account: str | None) -> Kept | None:
    fields = [
        (name, str(value)) for name, values in request.POST.lists() for value in values if not NEVER_KEPT.search(name)
    ]
    if sum(len(name) + len(value) for name, value in fields) > MOST:
        return None
    return Kept(action, page, fields=tuple(fields), account=account, at=time.time())


def _read(stored: Any) -> Kept | None:
    if not stored:
        return None
    fields = tuple((name, str(value)) for name, value in stored["fields"])
    return Kept(
        stored["action"], stored["page"], fields=fields, account=stored["account"], at=stored.get("at") or time.time()
    )


def _page_of(request: HttpRequest) -> str:
    """The page on which the person was: of a form and of a part, the one they stand on."""
    if getattr(request, "htmx", False) and (page := own_path(request, request.headers.get("HX-Current-URL", ""))):
        return page
    if request.method == "POST":
        return own_path(request, request.headers.get("Referer", "")) or request.path
    return request.get_full_path()


@dataclass
class Element:
    """An element of a page: where its start tag and its content stand, and what it stands in."""

    tag: str
    attrs: dict[str, str | None]
    start: int
    end: int
    inside: tuple["Element", ...]
    closes: int = 0
    text: str = ""

    @property
    def value(self) -> str:
        """What is sent of it when it is chosen."""
        if self.tag == "option":
            return self.attrs.get("value") or "" if "value" in self.attrs else " ".join(self.text.split())
        return self.attrs.get("value") or ("on" if self.attrs.get("type") in {"checkbox", "radio"} else "")


@dataclass
class Filled:
    """What became of a kept form. `name`: what its button says; of one that is not on the page, the page's title."""

    name: str
    rest: list[tuple[str, str]]
    """Kept values that have no field on the page."""
    anchor: str = ""
    """The id of the form; "" where it is not on the page."""
    has_files: bool = False


def _list_typed(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields that a person can read."""
    return [(name, value) for name, value in fields if value and not name.startswith("_")]


CONTROLS: Final = {"input", "textarea", "select", "button"}
EMPTY: Final = {"input", "img", "br", "hr", "meta", "link", "source", "track", "wbr", "col", "area", "base", "embed"}
UNTOUCHED: Final = {"submit", "button", "image", "reset", "file", "password"}


class Page(HTMLParser):
    """A page of HTML whose forms can be filled: only the tags of the fields in question are written anew."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html, self.elements, self.edits = html, list[Element](), list[tuple[int, int, str]]()
        self._open: list[Element] = []
        self._lines = [0, *accumulate(len(line) + 1 for line in html.split("\n"))]
        self.feed(html)
        self.close()

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._place()
        end = start + len(self.get_starttag_text() or "")
        self.elements.append(Element(tag, dict(attrs), start=start, end=end, inside=tuple(self._open)))
        if tag not in EMPTY:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        at = next((at for at in range(len(self._open) - 1, -1, -1) if self._open[at].tag == tag), None)
        if at is not None:
            self._open[at].closes = self._place()
            del self._open[at:]

    def handle_data(self, data: str) -> None:
        for element in self._open:
            if element.tag in {"button", "option", "title"}:
                element.text += data

    def render(self) -> str:
        """The page with its edits."""
        parts, at = [], 0
        for start, end, text in sorted(self.edits):
            parts += [self.html[at:start], text]
            at = end
        return "".join([*parts, self.html[at:]])

    def fill(self, kept: Kept) -> Filled:
        """Write the kept values into the form that sends to the same address, of several the one that has most of them."""
        forms = [form for form in self.elements if form.tag == "form" and kept.action in self._list_targets(form, kept)]
        if not forms:
            title = next((element.text for element in self.elements if element.tag == "title"), "")
            return Filled(title.rpartition(" · ")[0].strip(), _list_typed(kept.fields))
        form = max(forms, key=lambda form: self._count_matches(form, kept))
        values: dict[str, list[str]] = {}
        for name, value in kept.fields:
            values.setdefault(name, []).append(value)
        buttons = [control for control in self._list_controls(form) if control.tag == "button"]
        pressed = [button for button in buttons if (button.attrs.get("name"), button.value) in kept.fields]
        for button in pressed:
            values.pop(button.attrs["name"] or "", None)
        for control in self._list_controls(form):
            self._fill_control(control, values)
        for element in form.inside:
            if element.tag == "details":
                self._set(element, open="")
        if "id" not in form.attrs:
            self._set(form, id="kept-form")
        named = [button for button in (*pressed, *buttons) if button.attrs.get("type", "submit") == "submit"]
        return Filled(
            name=" ".join(named[0].text.split()) if named else "",
            rest=_list_typed((name, value) for name, left in values.items() for value in left),
            anchor=form.attrs.get("id") or "kept-form",
            has_files=any(control.attrs.get("type") == "file" for control in self._list_controls(form)),
        )

    def _list_controls(self, form: Element) -> list[Element]:
        def is_of(control: Element) -> bool:
            if "form" in control.attrs:
                return control.attrs["form"] == form.attrs.get("id")
            return form in control.inside

        return [element for element in self.elements if element.tag in CONTROLS and is_of(element)]

    def _list_targets(self, form: Element, kept: Kept) -> set[str | None]:
        """The addresses to which a form posts: its own and those of its buttons."""
        targets = {form.attrs.get("hx-post")}
        if (form.attrs.get("method") or "").lower() == "post":
            targets.add(form.attrs.get("action") or kept.page)
        for control in self._list_controls(form):
            targets |= {control.attrs.get("formaction"), control.attrs.get("hx-post")}
        return targets

    def _count_matches(self, form: Element, kept: Kept) -> tuple[int, int]:
        """How many hidden fields of a form have kept values, and how many fields kept names."""
        controls, names = self._list_controls(form), {name for name, _value in kept.fields}
        hidden = [control for control in controls if control.attrs.get("type") == "hidden"]
        matching = sum((control.attrs.get("name"), control.value) in kept.fields for control in hidden)
        return matching, len({control.attrs.get("name") for control in controls} & names)

    def _fill_control(self, control: Element, values: dict[str, list[str]]) -> None:
        """Write into a control what was typed in it, and take that out of `values`."""
        name, kind = control.attrs.get("name") or "", control.attrs.get("type") or "text"
        if control.tag == "button" or kind in UNTOUCHED or not name or "disabled" in control.attrs:
            return
        left = values.get(name, [])
        if kind == "checkbox" or (kind == "radio" and name in values):
            self._choose(control, "checked", left)
        elif control.tag == "select":
            for option in (
                element for element in self.elements if control in element.inside and element.tag == "option"
            ):
                self._choose(option, "selected", left)
        elif kind != "radio" and left:
            value = left.pop(0)
            if control.tag == "textarea":
                self.edits.append((control.end, control.closes, "\n" + escape(value)))
            else:
                self._set(control, value=value)

    def _choose(self, element: Element, mark: str, left: list[str]) -> None:
        is_chosen = element.value in left
        if is_chosen:
            left.remove(element.value)
        self._set(element, **{mark: "" if is_chosen else None})

    def _set(self, element: Element, **values: str | None) -> None:
        """Write its start tag anew with these attributes; without those that are None."""
        attrs: dict[str, str | None] = {name: value for name, value in element.attrs.items() if name not in values}
        attrs |= {name: value for name, value in values.items() if value is not None}
        words = [name if not value else f'{name}="{escape(value)}"' for name, value in attrs.items()]
        self.edits.append((element.start, element.end, f"<{' '.join([element.tag, *words])}>"))
