"""Tasks of the portal: delete what reviewers watched when its link has been closed for long."""

from datetime import timedelta

from django_tasks import task

from dashboard.writes import schedule
from review_portal import viewings


@task()
def delete_old_viewings() -> int:
    """Returns how many were deleted."""
    return viewings.delete_old()


schedule.recur(delete_old_viewings, every=timedelta(days=1))
