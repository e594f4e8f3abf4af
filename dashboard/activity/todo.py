"""What the log says to the owner: writes whose answer never came, which somebody should look at."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import name_of
from dashboard.shared import words
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.todo import Rank, Todo, provides

DAYS = 3
SETTLING = timedelta(minutes=2)
"""A write that left just now is on its way, not unconfirmed."""
MOST = 5


@provides("activity")
def activity(request: OwnerRequest) -> Iterator[Todo]:
    """Unconfirmed writes of the last days."""
    now = timezone.now()
    rows = Entry.objects.filter(
        account_id=request.account.pk,
        outcome=Outcome.UNCONFIRMED,
        at__gte=now - timedelta(days=DAYS),
        at__lte=now - SETTLING,
    )
    for entry in rows[:MOST]:
        yield Todo(
            rank=Rank.BROKEN,
            shape="unknown",
            word=_("Not confirmed"),
            title=f"{name_of(entry.operation)}: {entry.label or entry.target}",
            address=address("activity:entry", entry.pk),
            why=_("%(when)s. The platform did not answer: look whether it was done.") % {"when": words.ago(entry.at)},
            action=_("Look"),
            action_address=address("activity:entry", entry.pk),
            at=entry.at,
        )
