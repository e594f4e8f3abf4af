"""Where viewers leave, over 5,000 videos: what the page costs with everything known, and what a comparison of all costs."""

import random
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from tests.bench.figure import Figure, cpu

LESSONS = "/dashboard/analytics/lessons/"
VIDEOS = 5_000
FOLDERS = 500


def figures(runs: int = 20) -> list[Figure]:
    """Everything measured, on a database that is there and empty."""
    from dashboard.accounts.models import Account
    from dashboard.analytics import retention_history  # models, after Django is set up
    from dashboard.analytics.models import RetentionList, VideoRetention
    from dashboard.analytics.traffic_history import get_yesterday
    from dashboard.sandbox import models as platform

    studio = platform.Organization.objects.create(name="Bench lessons", pullzone="vz-00000000-002")
    user = platform.User.objects.create(organization=studio, name="Bench lessons", email="lessons@example.org")
    platform.Token.objects.create(value="bench-lessons", user=user)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": "bench-lessons", "name": "Bench lessons", "person": "Ana"})
    account, now = Account.objects.get(name="Bench lessons"), timezone.now()
    VideoRetention.objects.bulk_create(_rows(account), batch_size=500)
    listing = RetentionList(
        account=account, videos=VIDEOS, read=VIDEOS, wanted_at=now, listed_at=now, next_at=now + timedelta(days=1)
    )
    listing.last_day = get_yesterday()
    listing.save()
    compared = cpu(lambda: retention_history.judge(listing), 2)
    pages = {"": "", ", in a course": f"?folder=course-{FOLDERS // 20}", ", those not judged": "?list=unjudged"}
    costs = [
        Figure(f"where viewers leave{name}: CPU", _cost(client, query, runs), 100, "ms")
        for name, query in pages.items()
    ]
    return [*costs, Figure("comparing 5,000 videos, by the worker: CPU", compared, 10_000, "ms")]


def _cost(client: Client, query: str, runs: int) -> float:
    assert client.get(f"{LESSONS}{query}").status_code == 200
    return cpu(lambda: client.get(f"{LESSONS}{query}"), runs)


def _rows(account: Any) -> list[Any]:
    """Videos in courses and modules, each with a curve of its own; every tenth was hardly played."""
    from dashboard.analytics.models import VideoRetention
    from dashboard.analytics.rules import SHARES, STEPS

    dice, rows = random.Random(0), list[Any]()
    for number in range(VIDEOS):
        module = number % FOLDERS
        course = module // 10
        highest = SHARES if number % 3 else SHARES // 2
        curve = sorted((dice.randint(SHARES // 5, highest) for _step in range(STEPS)), reverse=True)
        few = number % 10 == 0
        rows.append(
            VideoRetention(
                account=account,
                video_id=f"00000000-0000-4000-8000-{number:012d}",
                title=f"Lesson {number} of the course",
                folders=[[f"course-{course}", f"Course {course:04}"], [f"module-{module}", f"Module {module:04}"]],
                folder_path=f"/course-{course}/module-{module}/",
                length=180 + number * 37 % 1_200,
                plays=50 if few else 100 + number % 900,
                obstacle="few_plays" if few else "",
                curve=None if few else [SHARES, *curve],
            )
        )
    return rows
