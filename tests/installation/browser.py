"""A browser without a screen, behind a proxy that speaks https: cookies, forms as they stand in a page, no redirects."""

import ssl
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import Final

import httpx

CERTIFICATES: Final = ssl.create_default_context()
"""Loaded once: it takes as long as several requests."""


class FormReader(HTMLParser):
    """The fields of the first form whose action ends as asked, as a browser would send them untouched."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action, self.fields, self.address = action, dict[str, str](), ""
        self._inside = False
        self._typing = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and not self.address and given.get("action", "").split("?")[0].endswith(self.action):
            self._inside, self.address = True, given["action"]
        elif self._inside and (name := given.get("name", "")):
            unticked = given.get("type") in {"radio", "checkbox"} and "checked" not in given
            if tag == "input" and not unticked and given.get("type") != "submit":
                self.fields[name] = given.get("value", "on" if given.get("type") == "checkbox" else "")
            elif tag == "textarea":
                self._typing = name
                self.fields[name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        self._typing = "" if tag == "textarea" else self._typing

    def handle_data(self, data: str) -> None:
        if self._typing:
            self.fields[self._typing] += data


@dataclass
class Browser:
    """One person's. Every request is a connection of its own, so that any process may answer it."""

    address: str
    host: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> httpx.Response:
        """A page."""
        return self._send("GET", path)

    def page(self, path: str) -> str:
        """The text of a page that must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, f"{path} answers {answer.status_code}"
        return answer.text

    def submit(self, path: str, action: str, **typed: str) -> httpx.Response:
        """The form of the page at `path` that is sent to `action`, filled in."""
        return self.send(self.form(path, action), path, **typed)

    def form(self, path: str, action: str) -> FormReader:
        """The form of the page at `path` that is sent to `action`, as it stands there."""
        form = FormReader(action)
        form.feed(self.page(path))
        assert form.address, f"{path} has no form for {action}"
        return form

    def send(self, form: FormReader, path: str, **typed: str) -> httpx.Response:
        """A form of the page at `path`, filled in."""
        return self._send("POST", form.address, {**form.fields, **typed}, path)

    def _send(self, method: str, path: str, data: dict[str, str] | None = None, came_from: str = "") -> httpx.Response:
        headers = {
            "Host": self.host,
            "X-Forwarded-Proto": "https",
            "Referer": f"https://{self.host}{came_from}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        answer = httpx.request(
            method, self.address + path, headers=headers, data=data, timeout=60, trust_env=False, verify=CERTIFICATES
        )
        for line in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return answer
