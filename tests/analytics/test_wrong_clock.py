"""What a clock that ran ahead has noted keeps no reading back once the clock is right again."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficVideo

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days", "due"), [(None, True), (-3, True), (0, False), (31, True)])
def test_traffic_is_read_on_from_the_last_day_that_can_be(days: int | None, due: bool) -> None:
    account = Account.objects.create(name="Studio")
    yesterday = traffic_history.get_yesterday()
    last_day = None if days is None else yesterday + timedelta(days=days)
    video = TrafficVideo.objects.create(
        account=account, video_id=str(uuid4()), last_day=last_day, listed_at=datetime.now(UTC)
    )
    assert traffic_history.list_next_videos(account, 5) == ([video.video_id] if due else [])
    asked = traffic_history._get_days(video)
    assert asked.end == yesterday
    assert (asked.end - asked.start > timedelta(days=31)) is (days is None or days > 0), "else days would be left out"
