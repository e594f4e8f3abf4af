"""Finding the one video because of which a request for many was refused: the others are sent without it.

A request that was refused changed nothing, so its videos are planned again, in smaller requests with keys of their own. A video
is only told as refused once it was refused alone. A request without an answer is never split: it may have arrived.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F

from dashboard.platform_api.errors import CallError
from dashboard.runs.creation import note
from dashboard.runs.models import FOLLOWED, Run, RunEvent, RunItem
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.run_actions import ItemState, RunAction

AT_MOST: Final = "at_most"
"""In `RunItem.data`: with how many videos, itself among them, it may share a request."""


def list_parts(items: Iterable[RunItem], size: int) -> list[list[RunItem]]:
    """The videos of each request: `size` at most, and fewer of those that were refused together."""
    parts: list[list[RunItem]] = []
    most = 0
    for item in items:
        limit = min(size, item.data.get(AT_MOST, size))
        if not parts or len(parts[-1]) >= min(most, limit):
            parts.append([])
            most = limit
        parts[-1].append(item)
        most = min(most, limit)
    return parts


def is_split(action: RunAction, write: Write, part: Sequence[RunItem]) -> bool:
    """Whether a request was refused because of one of its videos, as far as can be told, so that the others may be sent."""
    error = write.error if write.state == State.REFUSED else None
    return len(part) > 1 and error is not None and action.may_concern_one(error)


def split_refused(run: Run, action: RunAction, items: Iterable[RunItem]) -> set[int]:
    """Plan the videos of refused requests again, in smaller ones. Returns the keys of these items."""
    parts: dict[UUID, list[RunItem]] = {}
    for item in items if action.size > 1 else ():
        if item.write is not None and item.state == ItemState.WAITING and item.write.state == State.REFUSED:
            parts.setdefault(item.write.pk, []).append(item)
    planned: set[int] = set()
    for write_key, part in parts.items():
        write = Write.objects.get(pk=write_key)
        if is_split(action, write, part) and write.error is not None:
            _plan_smaller(run, write, part, write.error)
            planned |= {item.pk for item in part}
    return planned


def _plan_smaller(run: Run, write: Write, part: Sequence[RunItem], error: CallError) -> None:
    """Plan them again: those that the refusal names alone, else in halves. Of two who try, one does."""
    named = [item for item in part if item.video_id in error.message]
    others = [item for item in part if item not in named]
    most = len(others) if named and others else -(-len(part) // 2)
    for item in part:
        item.data = {**item.data, AT_MOST: 1 if item in named else most}
    with transaction.atomic():
        out = RunItem.objects.filter(pk__in=[item.pk for item in part], state=ItemState.WAITING, write=write)
        if not out.update(state=ItemState.PLANNED, attempt=F("attempt") + 1, write=None):
            return
        RunItem.objects.bulk_update(part, ["data"])
        note(run, RunEvent.Kind.SENT, count=len(part), split=1, message=error.message[:300])
    outbox.dismiss(write)  # the run tells it


def replan_after(run: Run, action: RunAction, refused: RunItem) -> None:
    """Give planned videos what they need in the place of one that was refused. Done again, it changes nothing.

    They get another attempt: a worker that has read them before sends none of them.
    """
    if not action.is_named_by_others(refused.as_target()):
        return
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)  # of two who follow, the second finds it done
        planned = list(run.items.filter(state=ItemState.PLANNED))
        data = action.replace_refused(refused.as_target(), [item.as_target() for item in planned])
        changed = [item for item in planned if item.video_id in data]
        for item in changed:
            item.data, item.attempt = {**item.data, **data[item.video_id]}, item.attempt + 1
        RunItem.objects.bulk_update(changed, ["data", "attempt"], batch_size=1000)


def count_refused_in_a_row(run: Run, most: int) -> int:
    """How many of the videos that left last were refused, `most` at most, since somebody last let the run go on.

    A video that left and was not refused, or not yet, ends the row.
    """
    events = run.events.filter(kind__in=(RunEvent.Kind.STARTED, RunEvent.Kind.CONTINUED, RunEvent.Kind.RETRIED))
    left = run.items.filter(state__in=(*FOLLOWED, ItemState.DONE, ItemState.REFUSED), write__sent_at__isnull=False)
    since: datetime | None = events.values_list("at", flat=True).first()
    if since is not None:
        left = left.filter(write__sent_at__gt=since)
    states = list(left.order_by("-write__sent_at", "-position").values_list("state", flat=True)[:most])
    return next((place for place, state in enumerate(states) if state != ItemState.REFUSED), len(states))
