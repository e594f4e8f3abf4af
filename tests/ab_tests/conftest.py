"""What the tests of A/B tests share: pages as text, and answers of any shape about variants."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from dashboard.platform_api.operations.analytics import AnalyticsQueries
from dashboard.platform_api.records.analytics import Analytics

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

        def asked(self: Any, video_id: Any, start: Any = None, end: Any = None) -> Analytics:
            if str(video_id) not in order:
                order.append(str(video_id))
            return Analytics.from_json(values[order.index(str(video_id)) % len(values)])

        monkeypatch.setattr(AnalyticsQueries, "general", asked)
        cache.clear()

    return let


def people(viewers: int, played: int) -> dict[str, Any]:
    """An answer that counts people."""
    return {"views_data": {"2026-11-10": {"unique_view": viewers, "unique_play": played}}}
