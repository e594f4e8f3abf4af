"""Every address as its owner sees it: read, as a part of a page, and sent a form that says nothing, once for all rules."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client

from dashboard.middleware import OPENLY_CACHED
from dashboard.posted_addresses import FOR_PROGRAMS
from tests.conftest import signed_in
from tests.house.addresses import ALL, body, stand_in_address, undone, walk
from tests.house.headers import list_wrong_headers
from tests.house.things import address, make_things

APART = {"sandbox:platform"}
"""Of programs."""
BROKEN_ON_PURPOSE = {"healthz", "readyz", "metrics"}
"""What programs read there is no page."""
SEARCHES = {"search:search": "?q=video", "assistants:assistants": "?find=a", "videos:videos": "?missing=fr"}
"""Pages that show more when something is asked for."""
NOTHING = {"loaded": "{}"}
"""What a form says that says nothing: what its page showed when it was loaded."""


CHECKS: list[Callable[[str, HttpResponseBase], list[str]]] = [list_wrong_headers]
"""What holds for each response of the walk: from the name of its address and the response, what is wrong with it."""


@dataclass(frozen=True)
class Answer:
    """What an address answered."""

    status: int
    headers: dict[str, str]

    @classmethod
    def from_response(cls, response: HttpResponseBase) -> "Answer":
        """The part of a response that the rules look at."""
        return cls(response.status_code, dict(response.items()))


@dataclass(frozen=True)
class Visit:
    """What the owner was answered at an address, and the status of the page that it led to, where it only takes a form."""

    path: str
    read: Answer
    sent: Answer
    page: int | None


@dataclass
class Visits:
    """A walk over every address: the visits by the names of the addresses, what was raised, what `CHECKS` found,
    and every answer in HTML.

    `pages` has each by its address and how it was asked for: read, asked, part, refused.
    """

    by_name: dict[str, Visit] = field(default_factory=dict)
    raised: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    led_to: dict[str, int] = field(default_factory=dict)

    def visit(self, client: Client, name: str, path: str) -> None:
        """Read an address, and send it a form in the same world as before."""
        response = client.get(path)
        self._keep(f"{name} read", response)
        read, page = Answer.from_response(response), None
        if "Allow" in read.headers and read.status == 302:
            page = self._status(client, read.headers["Location"])
        if name in SEARCHES:
            self._keep(f"{name} asked", client.get(path + SEARCHES[name]))
        self._keep(f"{name} part", client.get(path, headers={"HX-Request": "true"}))
        with undone(client):
            response = client.post(path, NOTHING)
            self._keep(f"{name} refused", response)
        self.by_name[name] = Visit(path, read, Answer.from_response(response), page)

    def _status(self, client: Client, onward: str) -> int:
        if onward not in self.led_to:
            self.led_to[onward] = client.get(onward).status_code
        return self.led_to[onward]

    def _keep(self, name: str, answer: HttpResponseBase) -> None:
        self.wrong += [f"{name}: {wrong}" for check in CHECKS for wrong in check(name.partition(" ")[0], answer)]
        is_page = name.partition(" ")[0] not in BROKEN_ON_PURPOSE
        if (
            is_page
            and answer.headers.get("Content-Type", "").startswith("text/html")
            and (text := body(answer)).strip()
        ):
            self.pages[name] = text


@contextmanager
def visit_all(cast: dict[str, Any]) -> Iterator[Visits]:
    """The walk. The rows that it made are there as long as it is looked at."""
    found = Visits()
    with transaction.atomic(), transaction.atomic(using="sandbox"):
        client = signed_in(Client(), cast["tokens"]["owner"])
        things = make_things(client, cast)

        def judge(name: str, path: str) -> list[str]:
            found.visit(client, name, path)
            return []

        names = sorted(set(ALL) - FOR_PROGRAMS - OPENLY_CACHED - APART)
        found.raised = walk(client, {name: path_of(name, things) for name in names}, judge)
        yield found
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="sandbox")


def path_of(name: str, things: dict[str, Any]) -> str:
    """The address with the owner's things in it, or with anything that it takes where it names none of them."""
    try:
        return address(name, things)
    except AssertionError:
        return stand_in_address(name)
