"""What an inbox holds over all its rows, counted when they change: a page costs the same however many there are."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from django.db.models import Count, Min, Q, Sum

from dashboard.accounts.models import Account
from dashboard.review_links.models import InboxIndex, InboxItem


@dataclass(frozen=True)
class Totals:
    """Numbers of rows by state, by video (in the order of titles) and by who wrote first (most first)."""

    states: Mapping[str, int] = field(default_factory=dict)
    videos: Sequence[tuple[str, int]] = ()
    people: Sequence[tuple[str, int]] = ()


def count_rows(index: InboxIndex, now: datetime) -> None:
    """Write what the index's account has now into `index`, for the version that it shows."""
    rows = InboxItem.objects.filter(account=index.account_id)
    states = {state.value: Count("pk", filter=Q(state=state)) for state in InboxItem.State}
    answerable = Q(state=InboxItem.State.UNANSWERED, until__gt=now)
    counts = rows.aggregate(
        words=Sum("heard"), waits=Count("pk", filter=answerable), closes=Min("until", filter=answerable), **states
    )
    people = sorted(rows.values_list("author").annotate(Count("pk")), key=lambda row: (-row[1], row[0]))
    by_title = rows.values_list("title", "video_id").annotate(Count("pk")).order_by("title", "video_id")
    videos = [(str(video_id), count) for _title, video_id, count in by_title]
    totals = Totals({state: counts[state] for state in states}, videos, people)
    index.totals, index.counted = asdict(totals), index.version
    index.waiting, index.closes = counts["waits"], counts["closes"]
    index.heard = f"{sum(totals.states.values())}-{counts['words'] or 0}"


def load_totals(account: Account) -> tuple[InboxIndex, Totals]:
    """The account's index as it was counted last; an account without links has an empty one."""
    index = InboxIndex.objects.filter(account=account).defer("videos").first() or InboxIndex(account=account)
    return index, Totals(**(index.totals or {}))
