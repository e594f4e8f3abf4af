"""A page of which nothing is known waits for one level of calls: what it reads leaves side by side, and nothing leaves twice.

Calls are held until no other one has come for a moment, and leave together: each time is a level.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from tests.forgetting import forget, make_old
from tests.upstream.test_asked_once import Background, asked, background, list_doubled, load_parts

__all__ = ["asked", "background"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)

QUIET, SURELY_QUIET = 0.03, 0.5
"""Seconds without another call after which those that wait leave. What looks like a second level is looked at once more."""
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
        self.quiet = 0.0
        self._waiting: list[str] = []
        self._changed = threading.Condition()
        self._last = 0.0

    def of(self, visit: Callable[[], Any], most: int) -> tuple[list[list[str]], Any]:
        """The operations that a visit waits for, level by level, and its page. More levels than `most` are looked at twice."""
        for self.quiet in (QUIET, SURELY_QUIET):
            self.left.clear()
            page = visit()
            if len(self.left) <= most:
                break
        self.quiet = 0.0
        return [sorted(set(level)) for level in self.left], page

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


@dataclass(frozen=True)
class Visits:
    """Looks at pages: which calls they wait for, and what they ask for twice."""

    owner: Client
    levels: Levels
    asked: list[str]
    background: Background

    def look(self, path: str, prepare: Callable[[], None], most: int) -> tuple[list[list[str]], list[str]]:
        """The levels of calls of a page, and what it, its parts and what goes on beside them ask for more than once."""

        def visit() -> Any:
            self.background.end()
            prepare()
            self.asked.clear()
            return self.owner.get(path)

        left, page = self.levels.of(visit, most)
        load_parts(self.owner, page)
        self.background.end()
        return left, list_doubled(self.asked)


@pytest.fixture
def visits(owner: Client, levels: Levels, asked: list[str], background: Background) -> Visits:
    return Visits(owner, levels, asked, background)


def a_day_passes() -> None:
    """All that is known is old."""
    make_old(24 * 3600)
    cache.clear()


def test_pages_wait_for_one_level_of_calls_or_none_of_what_is_known_and_ask_for_nothing_twice(
    visits: Visits, paths: dict[str, str]
) -> None:
    second_level: dict[str, list[list[str]]] = {}
    anew: dict[str, list[list[str]]] = {}
    twice: dict[str, list[str]] = {}
    for name, path in paths.items():
        left, twice[f"{name}, nothing known"] = visits.look(path, forget, most=1)
        if len(left) > 1:
            second_level[name] = left
        left, twice[f"{name}, all old"] = visits.look(path, a_day_passes, most=0)
        if left:
            anew[name] = left
    assert set(second_level) <= set(SECOND_LEVEL), second_level
    assert all(len(left) == 2 for left in second_level.values()), second_level
    assert set(anew) == set(ANEW), anew
    assert {visit: reads for visit, reads in twice.items() if reads} == {}
