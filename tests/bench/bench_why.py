"""Why traffic rose, over 5,000 videos in 10,000 folders whose traffic of 56 days is known: CPU to the page's last byte."""

from datetime import UTC, datetime, timedelta
from functools import partial

from django.test import Client
from django.utils.module_loading import import_string

from tests.bench.figure import Figure, cpu

DAYS = 57
MOST_MS = 100
PAGES = ("causes/?", "videos/?", "folders/?", "videos/?cause=more-plays&")


def figures() -> list[Figure]:
    """Each split with everything known, and the list of a cause."""
    roles = import_string("dashboard.sandbox.seed.cast")()
    import_string("dashboard.sandbox.seed.large.plant_large")(datetime.now(UTC))
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    videos = _keep_traffic(client.session["account"])
    found = []
    for path in PAGES:
        ask = partial(client.get, f"/dashboard/analytics/why/traffic/{path}range=28d&zone=UTC")
        page = ask().content.decode()
        assert "panel-why" in page and "Can't tell" not in page
        found.append(Figure(f"why traffic, {path.rstrip('?&')}, {videos:,} videos", cpu(ask, 8), MOST_MS, "ms CPU"))
    return found


def _keep_traffic(account_id: str) -> int:
    """Keep the traffic of every video as the worker does, larger from week to week. Returns how many videos there are."""
    history = import_string("dashboard.analytics.traffic_history")
    video_model, day_model = history.TrafficVideo, history.TrafficDay
    account = import_string("dashboard.accounts.models.Account").objects.get(pk=account_id)
    history.list_videos(account, pages=100)
    yesterday = history.get_yesterday()
    days = [yesterday - timedelta(days=n) for n in range(DAYS)]
    videos = list(video_model.objects.filter(account=account).values_list("video_id", flat=True))
    for number, video in enumerate(videos):
        day_model.objects.bulk_create(
            day_model(account=account, video_id=video, day=day, bytes=10**7 * (1 + (number + n) % 90))
            for n, day in enumerate(days)
        )
    video_model.objects.filter(account=account).update(
        first_day=days[-1], last_day=yesterday, read_at=datetime.now(UTC), tried_at=datetime.now(UTC)
    )
    return len(videos)
