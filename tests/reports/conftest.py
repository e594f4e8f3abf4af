"""What the tests of reports share: a fixed Wednesday, and an account whose plays are known by day and video."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Video
from tests.analytics.conftest import Answers, answers
from tests.moments import Freeze

__all__ = ["answers"]
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
"""A Wednesday: the last week that is over is that of Monday 9 November."""
WEEK = [date(2026, 11, 9) + timedelta(days=n) for n in range(7)]
BEFORE = [day - timedelta(days=7) for day in WEEK]


@dataclass
class Audience:
    """Plays by day and video id, which a test can change; each play had two views. Days that are not named have no numbers."""

    plays: dict[date, dict[str, int]] = field(default_factory=dict)
    alone: int = 0
    """Plays of each day that the account has and no video."""

    def answer(self, operation: str, query: dict[str, Any]) -> Any:
        start, end = date.fromisoformat(query["start_date"]), date.fromisoformat(query["end_date"])
        days = {day: videos for day, videos in self.plays.items() if start <= day <= end}
        if operation == "analytics.browser":
            sums = {day: sum(videos.values()) + self.alone for day, videos in days.items()}
            return {"views_data": {str(day): {"view": 2 * total, "play": total} for day, total in sums.items()}}
        totals: dict[str, int] = {}
        for videos in days.values():
            for video, count in videos.items():
                totals[video] = totals.get(video, 0) + count
        rows = [{"video_id": video, "title": video, "view": 2 * n, "play": n} for video, n in totals.items()]
        return {"data": rows}


@pytest.fixture
def clock(freeze: Freeze) -> Freeze:
    """The clock of the pages and of the worker stands at `NOW`, until `clock(moment)` sets it."""
    freeze(NOW)
    return freeze


@pytest.fixture
def account(account: Account) -> Account:
    """The account of the owner, in São Paulo."""
    account.zone = "America/Sao_Paulo"
    account.save(update_fields=["zone"])
    return account


@pytest.fixture
def videos(cast: dict[str, Any]) -> list[Video]:
    """The owner's videos, the folders' ones first."""
    organization = Video.objects.get(pk=cast["videos"]["plain"]).organization
    return sorted(
        Video.objects.filter(organization=organization), key=lambda video: (not video.folder_id, str(video.pk))
    )


@pytest.fixture
def audience(owner: Client, clock: Freeze, account: Account, videos: list[Video], answers: Answers) -> Audience:
    """Ten plays a day of each of four videos, then fifteen."""
    ids = [str(video.pk) for video in videos[:4]]
    plays = {day: dict.fromkeys(ids, 10) for day in BEFORE} | {day: dict.fromkeys(ids, 15) for day in WEEK}
    audience = Audience(plays)
    answers(audience.answer)
    return audience


@pytest.fixture
def seen(owner: Client) -> Callable[..., str]:
    """`seen("?week=2026-11-02")`: a report as text; with `status` it must have that status."""

    def get(path: str = "", status: int = 200, **headers: str) -> str:
        answer = owner.get(f"/dashboard/reports/{path}", headers=headers)
        assert answer.status_code == status, answer.content.decode()[:2000]
        return answer.content.decode()

    return get
