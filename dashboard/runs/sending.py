"""Sending a run: a group of videos at a time, one after the other, and following each video to its end.

Each video is one write of the outbox, or shares one with others (`RunAction.size`), and that is stored together with its item
before it leaves: a process that is killed loses and doubles nothing. Of several workers one has the run, until `due_at`: once a
person has moved that, it plans nothing more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.errors import CallError
from dashboard.runs import tasks
from dashboard.runs.creation import note
from dashboard.runs.models import ALL_REFUSED, FOLLOWED, Run, RunEvent, RunItem, RunState
from dashboard.writes import outbox
from dashboard.writes.failures import RESTORED, certainly_not_received, pause_after
from dashboard.writes.models import State, Write
from dashboard.writes.recovery import restored
from dashboard.writes.run_actions import ItemState, RunAction, find_action

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


GROUP: Final = 10
"""Videos that are sent before anybody looks whether the run was paused; requests, where one takes many videos."""
LEASE: Final = timedelta(minutes=10)
"""A process that has not come back to its run after this is dead."""
LONGEST: Final = 2 * LEASE
"""What is due later than this was planned by a clock that ran ahead."""
READ: Final = ("run", "video_id", "title", "state", "attempt", "data", "write__state", "write__attempt")
"""Columns by which thousands of videos are followed."""
SILENCE: Final = timedelta(seconds=30)
"""Pause after a call without an answer."""


@dataclass
class GroupResult:
    """How sending one group ended. `resume_at`: no further video is sent before that; `error`: why."""

    sent: int = 0
    refused: int = 0
    message: str = ""
    error: errors.CallError | None = None
    resume_at: datetime | None = None


def advance(run: Run) -> None:
    """Send the next group of the run, unless somebody else does; then follow what is out."""
    now = timezone.now()
    is_due = Q(due_at__lte=now) | Q(due_at__gt=now + LONGEST)
    due = Run.objects.filter(is_due, pk=run.pk, state=RunState.RUNNING)
    action, lease = find_action(run.action), now + LEASE
    if not due.update(due_at=lease) or action is None:
        return
    if action.size > 1:
        follow(run)  # how earlier requests ended decides what the next ones name
    items = list(run.items.filter(state=ItemState.PLANNED)[: get_group_size(action)])
    result = _send_group(run, action, items)
    if result.sent or result.error:
        _note_group(run, result)
    follow(run)
    _plan_next(run, action, result, lease)


def get_group_size(action: RunAction) -> int:
    """How many videos are sent before anybody looks whether the run was paused."""
    return max(GROUP, action.size)


def follow(run: Run) -> None:
    """Bring the items that are out up to date, and finish the run when nothing is left to send or to wait for."""
    action = find_action(run.action)
    items = list(run.items.filter(state__in=FOLLOWED).select_related("write").only(*READ))
    if action is None:
        return
    again = split_refused(run, action, items)
    items = [item for item in items if item.pk not in again]
    states = action.read_states([item.as_target() for item in items])
    for item in items:
        if states.get(item.video_id) == ItemState.REFUSED:
            replan_after(run, action, item)
    now = timezone.now()
    changed = sum(_move(item, states.get(item.video_id), now) for item in items)
    if changed or again:
        Run.objects.filter(pk=run.pk).update(changed_at=now)
    if run.state != RunState.RUNNING:
        return
    if _select_open(run).exists():
        _send_planned(run, now)
    else:
        _finish(run, now)


def count_states(run: Run) -> dict[str, int]:
    """How many videos are in each state."""
    rows = run.items.order_by().values("state").annotate(count=Count("pk"))
    return {row["state"]: row["count"] for row in rows}


def count_states_of(runs: Iterable[Run]) -> dict[UUID, dict[str, int]]:
    """The same of several runs, in one query."""
    counts: dict[UUID, dict[str, int]] = {run.pk: {} for run in runs}
    rows = RunItem.objects.filter(run__in=counts).order_by().values("run", "state").annotate(count=Count("pk"))
    for row in rows:
        counts[row["run"]][row["state"]] = row["count"]
    return counts


def _send_group(run: Run, action: RunAction, items: list[RunItem]) -> GroupResult:
    result = GroupResult()
    for part in list_parts(items, action.size)[:GROUP]:
        write = _send(run, action, part)
        if write is None:
            continue
        error = write.raised
        if error is not None and _is_postponed(write, error):
            _postpone(part, write)
            result.error, result.resume_at = error, timezone.now() + timedelta(seconds=pause_after(error, 1))
            return result
        if is_split(action, write, part):  # `follow` does it, and whoever follows after this process was killed
            return result
        if write.state == State.CANCELLED:  # what was to be changed is not as it was checked any more: nothing left
            continue
        result.sent += len(part)
        if write.state == State.HELD:
            result.error, result.resume_at = write.error, write.due_at
            return result
        if write.state == State.REFUSED:
            outbox.dismiss(write)  # the run tells it
            result.refused += len(part)
            result.message = write.message
            if any(action.is_named_by_others(item.as_target()) for item in part):  # `follow` gives the others another
                return result
        if write.state == State.UNCONFIRMED:
            result.error, result.resume_at = error, timezone.now() + SILENCE
            return result
    return result


def _send(run: Run, action: RunAction, part: Sequence[RunItem]) -> Write | None:
    """Store the write of these videos together with their items, and send it. None where somebody else has taken one."""
    attempt = max(item.attempt for item in part)
    with transaction.atomic():
        if _select(part, ItemState.PLANNED).update(state=ItemState.WAITING) < len(part):
            transaction.set_rollback(True)
            return None
        write, _is_new = outbox.begin(
            action.build_joint_intent(run.order(), [item.as_target() for item in part], attempt)
        )
        action.supersede(write)
        RunItem.objects.filter(pk__in=[item.pk for item in part]).update(write=write)
    return outbox.deliver(write) if write.state == State.HELD else write


def _select(part: Sequence[RunItem], state: ItemState) -> "QuerySet[RunItem]":
    """Of these videos those that are still in this state, at the same attempt."""
    same = reduce(or_, (Q(pk=item.pk, attempt=item.attempt) for item in part))
    return RunItem.objects.filter(same, state=state)


def _is_postponed(write: Write, error: errors.CallError) -> bool:
    """Whether a write that does not wait by itself could not be sent just now: it is no refusal of this video."""
    return write.state == State.REFUSED and certainly_not_received(error)


def _postpone(part: Sequence[RunItem], write: Write) -> None:
    """Plan the videos again, unless a page has just told them as refused: then their run may be finished."""
    outbox.dismiss(write)
    _select(part, ItemState.WAITING).update(state=ItemState.PLANNED, attempt=F("attempt") + 1, write=None)


def _note_group(run: Run, result: GroupResult) -> None:
    if result.sent:
        note(run, RunEvent.Kind.SENT, count=result.sent, refused=result.refused, message=result.message[:300])


def _plan_next(run: Run, action: RunAction, result: GroupResult, lease: datetime) -> None:
    """Say when the next group is sent: at once, later where the platform wants a pause, or never.

    Where a person has continued the run meanwhile, or planned videos again, that is said already.
    """
    now = timezone.now()
    running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING, due_at=lease)
    are_planned = run.items.filter(state=ItemState.PLANNED).exists()
    if isinstance(result.error, errors.BadToken):
        _stop(run, type(result.error).__name__)
    elif result.sent == result.refused >= GROUP and are_planned:
        _stop(run, ALL_REFUSED, count=result.refused)
    elif action.size > 1 and result.refused and are_planned and count_refused_in_a_row(run, GROUP) == GROUP:
        _stop(run, ALL_REFUSED, count=GROUP)
    elif result.error is not None:
        until = result.resume_at or now + SILENCE
        if running.update(due_at=until, reason=type(result.error).__name__, changed_at=now):
            note(run, RunEvent.Kind.WAITED, until=until.isoformat(), reason=type(result.error).__name__)
            tasks.enqueue(run, at=until)
    elif are_planned:
        if running.update(due_at=now, reason="", changed_at=now):
            tasks.enqueue(run)
    else:
        running.update(due_at=None, reason="", changed_at=now)


def _stop(run: Run, reason: str, **data: Any) -> None:
    """Pause the run by itself: a person has to do something first."""
    running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING)
    if running.update(state=RunState.PAUSED, due_at=None, reason=reason, changed_at=timezone.now()):
        note(run, RunEvent.Kind.PAUSED, reason=reason, **data)


def _move(item: RunItem, state: ItemState | None, now: datetime) -> bool:
    if state is None or state == item.state:
        return False
    ended_at = None if state in FOLLOWED else now
    if state == ItemState.REFUSED and item.write is not None:
        outbox.dismiss(item.write)
    moved = RunItem.objects.filter(pk=item.pk, state=item.state, attempt=item.attempt)
    return bool(moved.update(state=state, ended_at=ended_at))


def count_running(accounts: Sequence[Account]) -> dict[UUID, int]:
    """How many runs of each of these accounts are in progress, by the account's id, without those that have none."""
    running = Run.objects.filter(account__in=accounts, state=RunState.RUNNING).order_by()
    return dict(running.values_list("account_id").annotate(count=Count("pk")))


def _send_planned(run: Run, now: datetime) -> None:
    """Send what somebody planned again while somebody else found nothing left to send. Of two who see it, one does."""
    are_planned = Exists(RunItem.objects.filter(run=OuterRef("pk"), state=ItemState.PLANNED))
    idle = Run.objects.filter(are_planned, pk=run.pk, state=RunState.RUNNING, due_at=None)
    if idle.exists() and idle.update(due_at=now, changed_at=now):
        tasks.enqueue(run)


def _select_open(run: Run) -> "QuerySet[RunItem]":
    """The videos for which the run goes on."""
    return run.items.filter(state__in=(ItemState.PLANNED, ItemState.WAITING))


def _finish(run: Run, now: datetime) -> None:
    """Finish the run, unless somebody plans videos of it again at this moment."""
    running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING)
    with transaction.atomic():
        if running.select_for_update().first() is None or _select_open(run).exists():
            return
        running.update(state=RunState.FINISHED, finished_at=now, due_at=None, reason="", changed_at=now)
        run.state = RunState.FINISHED
        note(run, RunEvent.Kind.FINISHED)


@receiver(restored)
def pause_restored(**_signal: object) -> None:
    """What a run had still to send may have been sent after the backup: a person says whether it goes on."""
    unfinished = Run.objects.filter(state__in=(RunState.RUNNING, RunState.PAUSED), items__state=ItemState.PLANNED)
    for run in unfinished.distinct():
        run.state, run.due_at, run.reason, run.changed_at = RunState.PAUSED, None, RESTORED, timezone.now()
        run.save(update_fields=["state", "due_at", "reason", "changed_at"])
        note(run, RunEvent.Kind.PAUSED, reason=RESTORED)
