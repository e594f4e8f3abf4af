"""The traffic of every video of an account, kept as the worker keeps it."""

from datetime import UTC, datetime, timedelta

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficDay, TrafficVideo

DAYS = 57


def keep_traffic(account: Account) -> int:
    """Keep 57 days of each video, another size each day. Returns how many videos there are."""
    traffic_history.list_videos(account, pages=100)
    yesterday = traffic_history.get_yesterday()
    days = [yesterday - timedelta(days=n) for n in range(DAYS)]
    videos = list(TrafficVideo.objects.filter(account=account).values_list("video_id", flat=True))
    for number, video in enumerate(videos):
        TrafficDay.objects.bulk_create(
            TrafficDay(account=account, video_id=video, day=day, bytes=10**7 * (1 + (number + n) % 90))
            for n, day in enumerate(days)
        )
    now = datetime.now(UTC)
    TrafficVideo.objects.filter(account=account).update(
        first_day=days[-1], last_day=yesterday, read_at=now, tried_at=now
    )
    return len(videos)
