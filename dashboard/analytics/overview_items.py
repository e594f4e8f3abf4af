"""Overview items of analytics: the video that loses the most minutes, and traffic that moved; out of what is kept."""

from collections.abc import Iterator
from datetime import UTC, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.analytics import lesson_messages, lesson_queries, traffic_history
from dashboard.analytics.change_steps import build_bytes_change
from dashboard.analytics.charts import format_days
from dashboard.analytics.lesson_queries import LessonFilter
from dashboard.analytics.models import RetentionList, TrafficList
from dashboard.analytics.retention_history import get_compared_days
from dashboard.analytics.video_facts import DAYS, get_recent_days
from dashboard.overview.registry import NextStep, provides
from dashboard.shared.addresses import address, path_of
from dashboard.shared.charts import figures
from dashboard.shared.http import OwnerRequest

MOVED: Final = 0.05
"""Traffic that changed by less is not worth a line."""
RECENT: Final = timedelta(days=7)
"""What was compared over days that ended longer before today is not worth a line either."""


@provides("analytics", asks_platform=False)
def analytics(request: OwnerRequest) -> Iterator[NextStep]:
    """What is kept of lessons and of traffic."""
    yield from _list_lessons(request)
    yield from _list_traffic(request)


def _list_lessons(request: OwnerRequest) -> Iterator[NextStep]:
    """The video that loses the most minutes beyond what is usual, over the days of the last comparison."""
    listing = RetentionList.objects.filter(account=request.account).first()
    days = get_compared_days(listing) if listing is not None else None
    if days is None or days.end < timezone.now().astimezone(UTC).date() - RECENT:
        return
    video = lesson_queries.list_losing(request.account, LessonFilter()).defer("curve", "typical").first()
    if video is not None and video.moment is not None:
        lessons = path_of("analytics:lessons")
        title = _("“%(title)s” loses the most minutes") % {"title": video}
        sentence = f"{lesson_messages.format_minutes(video.minutes)}, {format_days(days)}"
        yield NextStep(title, lessons, sentence, pgettext("button", "Open"), lessons)


def _list_traffic(request: OwnerRequest) -> Iterator[NextStep]:
    """The traffic of the last 28 whole days against the 28 before, where all of both is known."""
    listing = TrafficList.objects.filter(account=request.account).first()
    if listing is None:
        return
    progress, now = traffic_history.get_progress(request.account, listing), get_recent_days()
    past = now.moved(-DAYS)
    if (
        not progress.complete
        or progress.days is None
        or past.start not in progress.days
        or now.end not in progress.days
    ):
        return
    total, before = (sum(traffic_history.get_bytes_by_video(request.account, days).values()) for days in (now, past))
    if not before or abs(total / before - 1) < MOVED:
        return
    values = {"size": build_bytes_change(total, before).words, "share": figures.change(total, before)}
    rose, fell = _("Traffic rose by %(size)s (%(share)s)"), _("Traffic fell by %(size)s (%(share)s)")
    query = {"start": now.start.isoformat(), "end": now.end.isoformat(), "zone": "UTC"}
    why = address("analytics:traffic_why", "causes", **query)
    traffic = address("analytics:traffic", **query)
    sentence = _("The last 28 days against the 28 before")
    yield NextStep((rose if total > before else fell) % values, traffic, sentence, _("Why?"), why)
