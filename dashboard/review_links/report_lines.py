"""What review links add to a report: comments and decisions of its week, and comments that wait for an answer."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.reports.registry import Done, Next, Span, adds
from dashboard.review_links import tasks
from dashboard.review_links.pages import format_read, format_so_far
from dashboard.shared import formats
from dashboard.shared.addresses import address
from review_portal import owner_queries


@adds("review_links")
def list_review_lines(span: Span) -> Iterator[Done | Next]:
    """Out of the portal's own copy, and of what that is where not all links are read yet."""
    reading = tasks.begin(span.account)
    so_far = format_so_far(reading)
    if reading is not None:
        text = f"{_('Reading your review links')}: {format_read(reading)}"
        yield Next(text, address("review_links:review_links"))
    week = owner_queries.count_week(span.account, span.start, span.end, span.videos)
    if week.comments:
        values = {"answered": formats.number(week.answered), "count": formats.number(week.comments)}
        text = ngettext(
            "%(answered)s of %(count)s new comment was answered or resolved.",
            "%(answered)s of %(count)s new comments were answered or resolved.",
            week.comments,
        )
        yield Done(_add(text % values, so_far), address("review_links:inbox"))
    if week.decisions:
        text = ngettext("Reviewers made %(count)s decision.", "Reviewers made %(count)s decisions.", week.decisions)
        yield Done(text % {"count": formats.number(week.decisions)}, address("review_links:review_links"))
    yield from _list_open(span, so_far)


def _list_open(span: Span, so_far: str) -> Iterator[Next]:
    counts = owner_queries.count_open_comments(span.account)
    opened = [
        count for video, (count, _all) in counts.items() if count and (span.videos is None or str(video) in span.videos)
    ]
    if not opened:
        return
    text = ngettext("Answer %(count)s open comment.", "Answer %(count)s open comments.", sum(opened))
    yield Next(_add(text % {"count": formats.number(sum(opened))}, so_far), address("review_links:inbox", show="open"))


def _add(sentence: str, so_far: str) -> str:
    return f"{sentence.removesuffix('.')}, {so_far}." if so_far else sentence
