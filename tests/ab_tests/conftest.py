"""What the tests of A/B tests share: pages as text, and answers of any shape about variants."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.platform_api.request import Request
from tests.answering import answer_with
from tests.forgetting import forget

KEY = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"
"""The key of a form that is sent more than once."""
Seen = Callable[..., str]
General = Callable[..., None]


@pytest.fixture
def seen(owner: Client) -> Seen:
    """`seen(test, "finish/")`: a page of A/B tests as text; with `status` it must have that status."""

    def get(test: str = "", part: str = "", status: int = 200) -> str:
        answer = owner.get(f"/dashboard/ab-tests/{f'{test}/' if test else ''}{part}")
        assert answer.status_code == status, answer.content.decode()[:2000]
        return answer.content.decode()

    return get


@pytest.fixture
def general(monkeypatch: pytest.MonkeyPatch) -> General:
    """`general(first, second, …)`: the answers about the variants, in the order in which they are asked for."""

    def let(*values: Any) -> None:
        order: list[str] = []

        def make(request: Request) -> Any:
            video_id = str(request.path[-1])
            if video_id not in order:
                order.append(video_id)
            return values[order.index(video_id) % len(values)]

        answer_with(monkeypatch, make, "analytics.general")
        forget()

    return let


def people(loads: int, played: int, days: int = 14) -> dict[str, Any]:
    """An answer that counts people who load the page once, the same on each of so many days."""
    first = date(2026, 11, 1)
    return {
        "views_data": {
            (first + timedelta(days=day)).isoformat(): {
                "view": _part(loads, day, days),
                "play": _part(played, day, days),
                "unique_view": _part(loads, day, days),
                "unique_play": _part(played, day, days),
            }
            for day in range(days)
        }
    }


def _part(whole: int, day: int, days: int) -> int:
    """What of a whole number falls on one of so many days: the parts add up to it."""
    return whole * (day + 1) // days - whole * day // days


@pytest.fixture
def draft(cast: dict[str, Any]) -> str:
    return str(cast["ab_tests"]["draft"])


@pytest.fixture
def running(cast: dict[str, Any]) -> str:
    return str(cast["ab_tests"]["in_progress"])
