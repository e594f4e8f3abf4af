"""What the worker does for the library: it looks at the subtitles of all videos where somebody searches for gaps."""

from django.core.cache import cache
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.videos import gaps
from dashboard.videos.models import SubtitleReading
from dashboard.writes import reading_on, schedule


def begin(account: Account) -> None:
    """Let the worker look at the videos of this account that nobody has looked at for a while, beginning now."""
    row = reading_on.want(SubtitleReading, account)
    if not row.reason:
        SubtitleReading.objects.filter(pk=row.pk).update(next_at=None)
    if cache.add(f"videos:{account.pk}:gaps-begun", 1, reading_on.EVERY.total_seconds()):
        read_subtitles.enqueue()


@task()
def read_subtitles() -> int:
    """Read on for accounts whose gaps somebody looked for lately, those that waited longest first.

    Returns how many videos were looked at. Each account has at most the background's share of the call budget in one run.
    """
    return reading_on.read_due(SubtitleReading, gaps.read_on)


schedule.recur(read_subtitles, every=reading_on.EVERY)
