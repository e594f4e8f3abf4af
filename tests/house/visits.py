"""Every address, visited once for all rules: as its owner sees it, as another account does, and while the platform fails.

The owner reads it, asks for it as a part of a page, and sends it a form that says nothing.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx
import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client

from dashboard.middleware import FOR_PROGRAMS
from dashboard.platform_api import Platform, PlatformConfig
from dashboard.platform_api.sending import Call
from dashboard.sandbox import faults
from dashboard.upstream import clients
from tests.conftest import signed_in
from tests.house.addresses import (
    ALL,
    GUARDED,
    OF_AN_OBJECT,
    body,
    is_opaque,
    opened,
    stand_in_address,
    undone,
    walk,
    whereto,
)
from tests.house.headers import list_wrong_headers
from tests.house.things import address, make_things

BROKEN_ON_PURPOSE = {"healthz", "readyz", "metrics"}
"""What programs read there is no page."""
SEARCHES = {"search:search": "?q=video", "assistants:assistants": "?find=a", "videos:videos": "?missing=fr"}
"""Pages that show more when something is asked for."""
SAYS_THE_SAME_TWICE = "reports:stop_weekly"
"""The same form twice is one: it says that the report is stopped."""
NOTHING = {"loaded": "{}"}
"""What a form says that says nothing: what its page showed when it was loaded."""


WITHOUT_TOKEN = {"public_review.read_link", "public_review.comments", "ai_workflow.read_package"}
"""Reads that are sent without the account's token: when they are refused, signing in again would not help."""
FROM_A_COPY = {
    **dict.fromkeys(
        (
            f"ai_content:{name}"
            for name in ["import", "mindmap_json", "preview", "question", "question_json", "settings", "version"]
        ),
        "a draft is edited here without the platform; who saves it is led to sign-in, with the draft kept",
    ),
    **dict.fromkeys(
        (f"review_links:{name}" for name in ["answer", "link", "video", "video_export", "video_print"]),
        "comments are read from the portal's own copy; only what the film looks like was refused",
    ),
}
"""Addresses that go on from what is kept here when a read with a refused token would only have added something."""
TROUBLES: dict[str, dict[str, Any]] = {
    "401": {"status": 401},
    "403": {"status": 403},
    "404": {"status": 404},
    "429": {"status": 429},
    "500": {"status": 500},
    "time-out": {"broken": "hangs"},
}
RIGHT: dict[str, set[int]] = {
    "401": {302},
    "403": {403, 502},
    "404": {404, 502},
    "429": {503, 502},
    "500": {502},
    "time-out": {504, 502},
}
"""What a page that cannot do without the platform answers. One that can answers as always and says what is missing."""
CALM = {200, 204, 302, 400, 404, 405, 409, 422}
"""Answers of pages that did not need what failed, or were sent an empty form."""


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
    """A walk over every address: the visits of its owner by the names of the addresses, and every answer to them in HTML.

    `pages` has each by its address and how it was asked for: read, asked, part, refused. The lists say what was wrong, and
    `told` is what is said of a thing that is not there. Addresses that ask the platform are in `asking`.
    """

    by_name: dict[str, Visit] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    asking: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    raised: list[str] = field(default_factory=list)
    wrong_headers: list[str] = field(default_factory=list)
    wrong_for_another: list[str] = field(default_factory=list)
    wrong_in_trouble: list[str] = field(default_factory=list)
    _led_to: dict[str, int] = field(default_factory=dict)

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

    def visit_as_another(self, client: Client, name: str, path: str) -> None:
        """Open an address whose thing is of another account, or never existed: one page that shows nothing and leads on."""
        answer = opened(client, path)
        text = body(answer)
        page = text.partition('<div class="empty">')[2]
        sentence = " ".join(re.sub("<[^>]+>", " ", page.partition('<div class="button-row">')[0]).split())
        onward = re.findall('button--primary" href="([^"]+)"', page)
        problems = [] if answer.status_code == 404 else [f"{answer.status_code} instead of 404"]
        problems += list_wrong_headers(name, answer)
        if self.told and sentence not in self.told:
            problems.append(f"says “{sentence}”")
        self.told.add(sentence)
        if [self._status(client, unescape(link)) for link in onward] != [200]:
            problems.append(f"leads to {onward}")
        problems += [word for word in ("Traceback", "Try again", "Nothing was deleted") if word in page]
        self.wrong_for_another += [f"{name}: {problem}" for problem in problems]

    def visit_in_trouble(self, client: Client, name: str, path: str, trouble: str, calls: list[Call]) -> None:
        """Open an address of a platform that fails: no traceback, and whoever's token was refused is led to sign-in."""
        calls.clear()
        faults.set("*", **TROUBLES[trouble])
        answer = opened(client, path)
        problems = [] if answer.status_code in RIGHT[trouble] | CALM else [""]
        if "Traceback" in body(answer):
            problems.append("with a traceback")
        refused = {call.operation for call in calls if call.error == "BadToken"}
        turned_down = trouble == "401" and refused - WITHOUT_TOKEN
        if turned_down and name not in FROM_A_COPY and "/sign-in/" not in whereto(answer):
            problems.append(f"after {sorted(refused)}, and nobody is led to sign-in")
        self.wrong_in_trouble += [f"{name}: {trouble}: {answer.status_code} {problem}" for problem in problems]

    def _status(self, client: Client, onward: str) -> int:
        if onward not in self._led_to:
            self._led_to[onward] = client.get(onward).status_code
        return self._led_to[onward]

    def _keep(self, name: str, answer: HttpResponseBase) -> None:
        address_name = name.partition(" ")[0]
        self.wrong_headers += [f"{name}: {wrong}" for wrong in list_wrong_headers(address_name, answer)]
        is_page = address_name not in BROKEN_ON_PURPOSE
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
    with transaction.atomic(), transaction.atomic(using="sandbox"), observed() as calls:
        owner = signed_in(Client(), cast["tokens"]["owner"])
        things = make_things(owner, cast)
        other = signed_in(Client(), cast["tokens"]["other"])

        def judge(name: str, path: str) -> list[str]:
            calls.clear()
            found.visit(owner, name, path)
            if name in GUARDED and calls:
                found.asking.add(name)
                for (
                    trouble
                ) in TROUBLES:  # the clock stands still: a call that hangs is given up at once, by a clock that moved
                    with undone(owner):
                        found.visit_in_trouble(owner, name, path, trouble, calls)
            if name in OF_AN_OBJECT:
                with undone(other):
                    found.visit_as_another(other, name, path)
            if name in OF_AN_OBJECT and is_opaque(name) and name != SAYS_THE_SAME_TWICE:
                with undone(other):
                    found.visit_as_another(other, f"{name} that never existed", stand_in_address(name))
            return []

        names = sorted(set(ALL) - FOR_PROGRAMS)
        found.raised = walk(owner, {name: path_of(name, things) for name in names}, judge)
        yield found
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="sandbox")


@contextmanager
def observed() -> Iterator[list[Call]]:
    """Every call of the platform. Nobody waits between two attempts of a read."""
    made: list[Call] = []

    def connected(config: PlatformConfig, http: httpx.Client, token: str, **about: Any) -> Platform:
        return Platform(config, http, token, **{**about, "observe": made.append, "sleep": lambda seconds: None})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clients, "Platform", connected)
        yield made


def path_of(name: str, things: dict[str, Any]) -> str:
    """The address with the owner's things in it, or with anything that it takes where a public one names none of them."""
    try:
        return address(name, things)
    except AssertionError:
        if name in GUARDED:
            raise
        return stand_in_address(name)
