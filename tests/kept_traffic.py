"""The traffic of every video of an account, kept as the worker keeps it."""

from datetime import UTC, datetime, timedelta

from django.db import connection, transaction

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficVideo

DAYS = 57
KEEP = """
INSERT INTO analytics_trafficday (account_id, video_id, day, bytes, read_at)
SELECT account_id, video_id, %s, 10000000 * (1 + (length(title) * 7 + %s) %% 90), CURRENT_TIMESTAMP
FROM analytics_trafficvideo WHERE account_id = %s
"""


def keep_traffic(account: Account) -> int:
    """Keep 57 days of each video, another size each day. Returns how many videos there are."""
    traffic_history.list_videos(account, pages=100)
    yesterday = traffic_history.get_yesterday()
    days = [yesterday - timedelta(days=n) for n in range(DAYS)]
    key = TrafficVideo._meta.get_field("account").get_db_prep_value(account.pk, connection)
    with transaction.atomic(), connection.cursor() as cursor:
        for number, day in enumerate(days):
            cursor.execute(KEEP, [day, number, key])
    now = datetime.now(UTC)
    mine = TrafficVideo.objects.filter(account=account)
    return mine.update(first_day=days[-1], last_day=yesterday, read_at=now, tried_at=now)
