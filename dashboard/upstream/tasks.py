"""What the worker does for what is known of the platform: it drops what nobody asks for any more."""

from datetime import timedelta

from django_tasks import task

from dashboard.upstream import store
from dashboard.writes import schedule


@task()
def prune_answers() -> int:
    """Delete answers that were not read anew for `store.FORGOTTEN_AFTER`, in small steps; how many."""
    return store.prune()


schedule.recur(prune_answers, every=timedelta(days=1))
