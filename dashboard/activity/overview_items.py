"""Overview items of Activity: writes that are not confirmed, and writes that wait to be sent."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.activity.models import Entry, Outcome
from dashboard.activity.pages import get_write
from dashboard.activity.recorder import name_of
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.writes.operations import page_of
from dashboard.writes.pages import waiting_sentence

NAMED = 3
DAYS = 3
"""How long a row is listed that no write of the outbox will ever complete."""
SETTLING = timedelta(minutes=2)
"""A write that left just now is being sent, not unconfirmed."""
MOST = 5
COUNTED_MOST = 500
"""Open rows that are counted."""


@provides("activity", asks_platform=False)
def activity(request: OwnerRequest) -> Iterator[Todo]:
    """Writes that have not ended: those that wait at once, those without an answer after two minutes."""
    now = timezone.now()
    unconfirmed = Q(outcome=Outcome.UNCONFIRMED, at__lte=now - SETTLING)
    alive = Q(write__isnull=False) | Q(at__gte=now - timedelta(days=DAYS))
    rows = Entry.objects.select_related("write").filter(
        alive,
        unconfirmed | Q(outcome=Outcome.WAITING),
        account_id=request.account.pk,
        outcome__in=(Outcome.UNCONFIRMED, Outcome.WAITING),
    )
    acts: dict[tuple[str, str], list[Entry]] = {}
    for entry in rows[:COUNTED_MOST]:
        acts.setdefault((entry.operation, entry.outcome), []).append(entry)
    for entries in list(acts.values())[:MOST]:
        yield _build_todo(entries[0]) if len(entries) == 1 else _build_grouped_todo(entries)


def _build_todo(entry: Entry) -> Todo:
    write, here = get_write(entry), address("activity:entry", entry.pk)
    waits = entry.outcome == Outcome.WAITING
    if write is not None and waits:
        why = waiting_sentence(write)
    elif write is not None and write.due_at is not None:
        why = _("%(when)s. We keep checking automatically.") % {"when": formats.ago(entry.at)}
    else:
        why = _("%(when)s. The platform didn't answer: check whether it was done.") % {"when": formats.ago(entry.at)}
    return Todo(
        rank=Rank.ASKED if waits else Rank.BROKEN,
        shape="queue" if waits else "unknown",
        word=_("Waiting") if waits else _("Not confirmed"),
        title=f"{name_of(entry.operation)}: {entry.label or entry.target}",
        address=here,
        why=why,
        action=_("Details"),
        action_address=(page_of(write) if write else "") or here,
        at=entry.at,
    )


def _build_grouped_todo(entries: list[Entry]) -> Todo:
    """One entry for many writes of one kind: how many, and what they are about."""
    first = _build_todo(entries[0])
    here = address("activity:activity", operation=entries[0].operation, outcome=entries[0].outcome)
    return replace(
        first,
        word=f"{formats.number(len(entries))} {first.word.lower()}",
        title=name_of(entries[0].operation),
        address=here,
        why=formats.named([entry.label or entry.target for entry in entries], NAMED),
        action_address=here,
    )
