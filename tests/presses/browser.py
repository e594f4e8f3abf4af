"""A browser that has a connection to each process of the server, and presses a form at both at the same instant."""

import http.client
import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from threading import Barrier
from urllib.parse import urlencode

from tests.forms import Button, Form, Typed, Values, read_forms

Found = tuple[Form, Button]
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    """What one press was answered."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def outcome(self) -> str:
        """What it says of the write: the status, where it leads, and the state that our script reads."""
        onward = self.headers.get("location") or self.headers.get("hx-redirect") or ""
        return " ".join(part for part in (str(self.status), onward, self.headers.get("reelroom-state", "")) if part)

    def links(self) -> list[str]:
        """Where its links lead."""
        return [unescape(address) for address in re.findall(r'<a [^>]*href="([^"]*)"', self.text)]

    def forms(self, address: str) -> list[Form]:
        return read_forms(self.text, address)


@dataclass
class Browser:
    """One person. `ports` are those of the server's processes."""

    ports: list[int]
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """A page, read from the first process."""
        return self._ask(self.ports[0], "GET", path)

    def form(self, page: str, to: str, button: str | None = None) -> Found:
        """The form of `page` that is sent to an address that ends with `to`, and its button of this value."""
        answer = self.get(page)
        return find_form(answer, page, to, button)

    def press(self, form: Form, values: Values, button: Button, *, script: bool) -> list[Answer]:
        """The form, sent at the same instant over a connection to each process, and once more afterwards."""
        action = button.action or form.action
        sent = values + ([(button.name, button.value)] if button.name else [])
        ready = Barrier(len(self.ports))
        cookies = dict(self.cookies)

        def at(port: int) -> Answer:
            ready.wait(20)
            return self._ask(port, "POST", action, sent, form=form, script=script, cookies=cookies)

        with ThreadPoolExecutor(len(self.ports)) as threads:
            answers = list(threads.map(at, self.ports))
        return [*answers, self._ask(self.ports[0], "POST", action, sent, form=form, script=script)]

    def post(self, found: Found, typed: Typed | None = None, *, script: bool = False) -> Answer:
        """The form, sent once."""
        form, button = found
        sent = form.filled(typed or {}) + ([(button.name, button.value)] if button.name else [])
        return self._ask(self.ports[0], "POST", button.action or form.action, sent, form=form, script=script)

    def _ask(
        self,
        port: int,
        method: str,
        path: str,
        values: Values | None = None,
        *,
        form: Form | None = None,
        script: bool = False,
        cookies: dict[str, str] | None = None,
    ) -> Answer:
        sent = self.cookies if cookies is None else cookies
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in sent.items()), "Accept-Language": "en"}
        if script:
            headers |= {"HX-Request": "true", "Reelroom-Part": "1"}
        body = None
        if values is not None:
            kind, body = encode(values, multipart=bool(form and form.multipart))
            headers["Content-Type"] = kind
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(method, path.partition("#")[0], body, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)


def find_form(answer: Answer, page: str, to: str, button: str | None = None) -> Found:
    """The form of an answer that is sent to an address that matches `to`, and its button of this value (None: the last)."""
    for form in answer.forms(page):
        buttons = [one for one in form.buttons or [Button()] if not one.disabled and one.name != "_dry_run"]
        for one in reversed(buttons):
            path = (one.action or form.action).partition("?")[0]
            if re.search(f"{to}$", path) and (button is None or one.value == button):
                return form, one
    said = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2] or answer.text)))
    raise LookupError(f"no form to {to} ({button}) on {page}: {answer.outcome} {said[:600]}")


def encode(values: Values, *, multipart: bool) -> tuple[str, bytes]:
    """The content type and the body."""
    if not multipart:
        return FORM, urlencode(values).encode()
    boundary = uuid.uuid4().hex
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{value}\r\n' for n, value in values]
    return f"multipart/form-data; boundary={boundary}", ("".join(parts) + f"--{boundary}--\r\n").encode()
