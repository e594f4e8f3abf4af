"""A page of which nothing is known waits for one level of calls: what it reads leaves side by side.

Calls are held until no other one has come for a moment, and leave together: each time is a level.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from tests.forgetting import forget, make_old
from tests.house.addresses import ALL
from tests.house.things import address, make_things

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)

QUIET, SURELY_QUIET = 0.03, 0.5
"""Seconds without another call after which those that wait leave. What looks like a second level is looked at once more."""
APART = ("sandbox:", "review_portal:")
"""Apps whose pages read nothing with an account's token."""
SECOND_LEVEL = {
    "overview:most_watched": "a part that follows its page: the traffic of each video [4.12] that the ranking names",
    "ab_tests:result": "the comparison names the videos whose numbers are read [4.3]",
    "ab_tests:file": "the same, as a file",
    "ai_content:compare": "a language that nobody opened before: its video says where the file is [4.5]",
    "funnels:add": "the videos to choose from follow the funnel that they are for, which its own page has read",
    "analytics:traffic": "where no video was chosen, the ranking of the days says whose numbers are read [4.12]",
    "analytics:retention": "the same",
}
"""Addresses that need what one call answers for the next one, with the reason. A read beside the page may bring it first."""


ANEW = {
    "overview:figures": "a part that its page asks for when it did not come in time",
    "overview:most_watched": "the same",
    "ab_tests:tests": "a file does not follow what is read later",
    "ab_tests:result": "a page for paper, which cannot follow",
    "ab_tests:file": "a file, too",
    "analytics:file": "a file, too",
    "analytics:bundle": "a file, too",
    "credits:export": "a file, too",
    "funnels:review": "what is added next is compared with the funnel as the platform has it",
    "playlists:delete": "what is deleted for good is shown as the platform has it",
    "lives:start": "what starts is shown as the platform has it",
    "lives:finish": "what ends for good is shown as the platform has it",
}
"""Addresses that wait for the platform although an older answer is known, with the reason."""


class Levels:
    """The calls of pages by level, as operations."""

    def __init__(self) -> None:
        self.left: list[list[str]] = []
        self.quiet = QUIET
        self._waiting: list[str] = []
        self._changed = threading.Condition()
        self._last = 0.0

    def of(self, visit: Callable[[], object], most: int) -> list[list[str]]:
        """The operations that a visit waits for, level by level. More levels than `most` have been looked at twice."""
        for self.quiet in (QUIET, SURELY_QUIET):
            self.left.clear()
            visit()
            if len(self.left) <= most:
                break
        return [sorted(set(level)) for level in self.left]

    def wait(self, operation: str) -> None:
        """Hold a call until its level leaves."""
        with self._changed:
            level, self._last = len(self.left), time.monotonic()
            self._waiting.append(operation)
            while len(self.left) == level:
                rest = self._last + self.quiet - time.monotonic()
                if rest > 0:
                    self._changed.wait(rest)
                else:
                    self.left.append(self._waiting)
                    self._waiting = []
                    self._changed.notify_all()


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Levels:
    """The levels of calls that pages wait for; reads beside them are not held."""
    held, send = Levels(), Sender.send

    def wait_and_send(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        if not threading.current_thread().name.startswith("background"):
            held.wait(request.operation)
        return send(self, request, read)

    settings.READ_SIDE_BY_SIDE = True
    settings.PAGE_PATIENCE_MS = 60_000
    monkeypatch.setattr(Sender, "send", wait_and_send)
    return held


@pytest.fixture
def paths(owner: Client, cast: dict[str, Any]) -> dict[str, str]:
    """Every address of the dashboard, by name."""
    things = make_things(owner, cast)
    return {name: address(name, things) for name in ALL if not name.startswith(APART)}


def first_visit(owner: Client, path: str) -> None:
    """A visit to a page of which nothing is known."""
    forget()
    owner.get(path)


def later_visit(owner: Client, path: str) -> None:
    """A visit a day after the last one."""
    make_old(24 * 3600)
    cache.clear()
    owner.get(path)


def test_pages_of_which_nothing_is_known_wait_for_one_level_of_calls(
    owner: Client, paths: dict[str, str], levels: Levels
) -> None:
    found: dict[str, list[list[str]]] = {}
    for name, path in paths.items():
        left = levels.of(partial(first_visit, owner, path), most=1)
        if len(left) > 1:
            found[name] = left
    assert set(found) <= set(SECOND_LEVEL), found
    assert all(len(left) == 2 for left in found.values()), found


def test_pages_of_which_everything_is_known_wait_for_no_call_however_old_that_is(
    owner: Client, paths: dict[str, str], levels: Levels
) -> None:
    found: dict[str, list[list[str]]] = {}
    for name, path in paths.items():
        owner.get(path)
        left = levels.of(partial(later_visit, owner, path), most=0)
        if left:
            found[name] = left
    assert set(found) == set(ANEW), found
