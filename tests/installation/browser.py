"""A browser without a screen, behind a proxy that speaks https: cookies, forms as they stand in a page, no redirects."""

import ssl
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Final

import httpx

from tests.forms import Form, read_forms

CERTIFICATES: Final = ssl.create_default_context()
"""Loaded once: it takes as long as several requests."""


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

    def form(self, path: str, action: str) -> Form:
        """The form of the page at `path` that is sent to `action`, as it stands there."""
        forms = read_forms(self.page(path), path)
        found = next((form for form in forms if form.action.partition("?")[0].endswith(action)), None)
        assert found, f"{path} has no form for {action}"
        return found

    def send(self, form: Form, path: str, **typed: str) -> httpx.Response:
        """A form of the page at `path`, filled in."""
        return self._send("POST", form.action, dict(form.filled(typed)), path)

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
