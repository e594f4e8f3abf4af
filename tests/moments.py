"""When something happened, held against the time that its test took: the same on a slow machine."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest
from django.db import connections
from django.utils import timezone

Freeze: TypeAlias = Callable[[datetime], datetime]


@pytest.fixture
def freeze(monkeypatch: pytest.MonkeyPatch) -> Freeze:
    """`freeze(moment)`: it is that moment for pages and the worker, until another one is named. What is `now`."""

    def stand_at(moment: datetime) -> datetime:
        monkeypatch.setattr(timezone, "now", lambda: moment)
        return moment

    return stand_at


@contextmanager
def at_statement(pattern: str, act: Callable[[], object], after: str = "", using: str = "default") -> Iterator[None]:
    """`act` is done before the first statement that fits: somebody else is faster there, or the process dies.

    `after`: the first one that follows a statement that fits this.
    """
    patterns, waiting = [pattern, after] if after else [pattern], [act]

    def run(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        if waiting and re.search(patterns[-1], sql):
            patterns.pop()
            if not patterns:
                waiting.pop()()
        return execute(sql, *given)

    with connections[using].execute_wrapper(run):
        yield


def hurry(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """In one module a minute passes between any two looks at the clock: whatever it has time for is over at once."""
    replace_time(monkeypatch, module, monotonic=partial(next, count(time.monotonic(), 60.0)))


@dataclass
class Span:
    """From the beginning of a block to its end."""

    began: datetime
    ended: datetime

    def holds(self, moment: datetime | None, later: timedelta = timedelta()) -> bool:
        """Whether `moment` lies in the block, or as much `later`."""
        return moment is not None and self.began + later <= moment <= self.ended + later


@contextmanager
def measure_span() -> Iterator[Span]:
    """`with measure_span() as span: …`, then `assert span.holds(write.ended_at)`."""
    span = Span(timezone.now(), timezone.now())
    yield span
    span.ended = timezone.now()


def replace_time(monkeypatch: pytest.MonkeyPatch, module: str, **functions: Callable[..., Any]) -> None:
    """Give one module another clock, or another sleep: `sleep=moments.append`. Everything else in the process keeps its own."""
    monkeypatch.setattr(f"{module}.time", SimpleNamespace(**{**vars(time), **functions}))
