"""What subtitles add to a report: how many were finished in its week, and which jobs failed."""

from collections.abc import Iterator

from django.utils.translation import ngettext

from dashboard.reports.registry import Done, Next, Span, adds
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles.models import PlannedCell
from dashboard.subtitles.tracking import Status


@adds("subtitles")
def list_subtitle_lines(span: Span) -> Iterator[Done | Next]:
    """Of the jobs that were sent from here."""
    finished, failed = _count_ended(span, Status.FINISHED), _count_ended(span, Status.ERROR)
    if finished:
        text = ngettext("%(count)s subtitle track was made.", "%(count)s subtitle tracks were made.", finished)
        yield Done(text % {"count": formats.number(finished)}, address("subtitles:jobs"))
    if failed:
        text = ngettext("%(count)s subtitle job failed.", "%(count)s subtitle jobs failed.", failed)
        yield Next(text % {"count": formats.number(failed)}, address("subtitles:jobs"))


def _count_ended(span: Span, status: Status) -> int:
    cells = PlannedCell.objects.filter(batch__account=span.account, status=status.value)
    videos = cells.filter(ended_at__gte=span.start, ended_at__lt=span.end).values_list("video_id", flat=True)
    return sum(span.videos is None or video in span.videos for video in videos)
