"""Recurring work of the portal: tell of what is new, and forget what was left on links that closed long ago."""

from datetime import timedelta

from django.utils import timezone
from django_tasks import task

from dashboard.notices import subscriptions
from dashboard.notices.rules import FORGET
from dashboard.writes import schedule
from review_portal import news, viewings


@task()
def tell_news() -> None:
    """Write notices of what happened on review links since the last run."""
    while news.scan() == news.MOST:
        pass


@task()
def forget_addresses() -> None:
    """Delete e-mail addresses that reviewers left on links which closed 30 days ago."""
    scopes = subscriptions.list_left_on()
    subscriptions.delete_left_on(news.list_long_closed(scopes, timezone.now() - FORGET))


@task()
def delete_old_viewings() -> int:
    """Delete what reviewers watched on links that closed 30 days ago. Returns how many rows were deleted."""
    return viewings.delete_left_on(news.list_long_closed(viewings.list_links(), timezone.now() - FORGET))


schedule.recur(tell_news, every=timedelta(seconds=15), when=lambda: news.select_changed().exists())
schedule.recur(forget_addresses, every=timedelta(days=1))
schedule.recur(delete_old_viewings, every=timedelta(days=1))
