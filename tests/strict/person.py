"""Somebody in front of the product: opens pages, fills the forms that they really have, without script."""

from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.forms import Typed
from tests.presses.browser import Answer, Found, encode, find_form

SITE = "https://testserver/"


@dataclass
class Person:
    """One browser without script. `language`: what it asks for."""

    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True))
    language: str = "en"

    def get(self, path: str) -> Answer:
        """A page, after at most five redirects."""
        for _step in range(5):
            response = self.client.get(path.partition("#")[0], secure=True, headers=self._headers())
            if response.status_code not in (301, 302, 303):
                break
            path = response.headers["Location"]
        return _answer(response)

    def form(self, page: str, to: str, button: str | None = None) -> Found:
        """The form of a page that is sent to an address that ends with `to`, and its button of this value."""
        return find_form(self.get(page), page, to, button)

    def post(self, found: Found, typed: Typed | None = None) -> Answer:
        """The form, filled and sent; where its answer leads is not followed."""
        form, button = found
        values = form.filled(typed or {}) + ([(button.name, button.value)] if button.name else [])
        kind, body = encode(values, multipart=form.multipart)
        action = (button.action or form.action).partition("#")[0]
        response = self.client.generic("POST", action, body, kind, secure=True, headers=self._headers())
        return _answer(response)

    def press(self, found: Found, typed: Typed | None = None) -> Answer:
        """The form, filled and sent, and the page that its answer leads to."""
        answer = self.post(found, typed)
        return self.get(answer.headers["location"]) if answer.status in (302, 303) else answer

    def _headers(self) -> dict[str, str]:
        return {"Accept-Language": self.language, "Referer": SITE}


def _answer(response: Any) -> Answer:
    content = b"".join(response) if response.streaming else response.content
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, headers, content.decode(errors="replace"))
