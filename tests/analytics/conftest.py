"""What the tests of analytics share: a fixed day, answers of any shape, panels that are late."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from dashboard.analytics import tasks
from dashboard.platform_api.request import Request
from dashboard.upstream import intervals
from tests.analytics.lesson_library import LESSONS, NOW, OPERATIONS, Library
from tests.answering import answer_with
from tests.forgetting import forget
from tests.moments import Freeze

FIGURES = tuple(name for name in intervals.SECONDS if name.startswith("analytics.") and name != "analytics.traffic")
Answers = Callable[[Any], None]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """`answers(value)`: every analytics question is answered with `value`; a function gets the operation and the query."""

    def let(value: Any) -> None:
        def make(request: Request) -> Any:
            return value(request.operation, dict(request.query)) if callable(value) else value

        answer_with(monkeypatch, make, *FIGURES)
        forget()

    return let


@pytest.fixture
def seen(owner: Client) -> Callable[..., str]:
    """`seen("browsers/?range=7d")`: a page of analytics as text; with `status` it must have that status."""

    def get(path: str = "", status: int = 200, **headers: str) -> str:
        answer = owner.get(f"/dashboard/analytics/{path}", headers=headers)
        assert answer.status_code == status, answer.content.decode()[:2000]
        return answer.content.decode()

    return get


@pytest.fixture
def at_noon(freeze: Freeze) -> datetime:
    """The pages' clock stands at `NOW`."""
    return freeze(NOW)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, at_noon: datetime) -> Library:
    platform = Library()
    answer_with(monkeypatch, platform.answer, *OPERATIONS)
    forget()
    return platform


@pytest.fixture
def read(owner: Client, library: Library) -> Library:
    """Everything is read and compared."""
    owner.get(LESSONS)
    tasks.read_retention.call()
    return library
