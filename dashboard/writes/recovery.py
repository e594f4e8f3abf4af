"""What the worker does with a write that is due, and with one whose task was lost; and all open ones after a restore."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from dashboard.upstream import store
from dashboard.writes import entries, schedule, tasks
from dashboard.writes.failures import NOT_SENT, RESTORED, SENDER_DIED
from dashboard.writes.models import State, Write
from dashboard.writes.operations import SLOWEST_LOOK, is_known, next_look, operation_of, rarer
from dashboard.writes.outbox import deliver, move, settle_by_reading

log = logging.getLogger(__name__)

OVERDUE = timedelta(seconds=15)
"""A write that is due for so long has no task any more, unless the queue says that one waits."""
GIVEN_UP = timedelta(days=7)
"""A write that could not be sent for so long is not sent any more: its world has changed."""
FORGOTTEN = timedelta(minutes=1)
"""A write whose process died before it was sent is not sent after this, unless its operation waits: whoever pressed has
gone on."""
LONGEST_HOLD = timedelta(days=2)
"""No write is begun to be sent later than this: e-mails of a day wait the longest."""
CLOCK = timedelta(minutes=1)
"""How far the clocks of two machines may differ without anybody's harm."""
MOMENTS = ("created_at", "sent_at", "ended_at", "settled_at")
"""Of a write: when something happened to it."""


restored = Signal()
"""Sent when a backup has been restored, before its open writes are doubted: what is kept may be older than the platform."""


def follow(write: Write) -> None:
    """Do what is due: send what was held long enough, give up a sender that died, look after what was not confirmed."""
    now = timezone.now()
    if write.due_at is None or write.due_at > now:
        return
    if write.state == State.HELD and _is_forgotten(write):
        move(write, State.REFUSED, only=(State.HELD,), reason=NOT_SENT)
    elif write.state == State.HELD and not is_known(write):
        put_off(write)  # the version that begun it may run beside this one
    elif write.state == State.HELD:
        deliver(write)
    elif write.state == State.SENDING:
        _give_up_sender(write)
    if write.state == State.UNCONFIRMED:
        settle_by_reading(write)


def put_off(write: Write) -> None:
    """Look after a write later that cannot be looked after now: ever rarer with its age, so that none costs more and more."""
    now = timezone.now()
    due = Write.objects.filter(pk=write.pk, due_at__lte=now)
    due.update(due_at=now + rarer(now - (write.ended_at or write.created_at)))


def _give_up_sender(write: Write) -> None:
    """Nobody knows whether it arrived: reading tells, or a person."""
    write.ended_at = timezone.now()
    move(
        write,
        State.UNCONFIRMED,
        only=(State.SENDING,),
        ended_at=write.ended_at,
        due_at=next_look(write) and write.ended_at,  # no call can be out any more: where reading tells, it tells now
        reason=SENDER_DIED,
    )


def _is_forgotten(write: Write) -> bool:
    """Never one that its author just sent again: that one has been sent before and has no reason to be late."""
    age = timezone.now() - write.created_at
    if operation_of(write).waits:
        return age > GIVEN_UP and (write.attempt == 0 or bool(write.reason))
    return age > FORGOTTEN and write.attempt == 0


def recover(most: int = 200) -> int:
    """Put what is overdue into the queue again: its task died with a worker. Returns how many writes that were.

    A queue that is merely slow still has the task: it gets no second one. Runs in every worker every few seconds, and asks
    the database alone.
    """
    now = timezone.now()
    _bring_back(now)
    overdue = Q(due_at__lt=now - OVERDUE) | Q(state=State.SENDING, due_at__lt=now)
    writes = list(Write.objects.filter(overdue, due_at__lt=now).order_by("due_at")[:most])
    waiting = schedule.list_waiting(tasks.follow_write, [str(write.pk) for write in writes]) if writes else set()
    lost = [write for write in writes if write.state == State.SENDING or str(write.pk) not in waiting]
    for write in lost:
        try:
            _enqueue_again(write)
        except Exception:  # one broken row must not keep the others waiting
            log.exception("write %s of %s cannot be followed", write.pk, write.operation)
            put_off(write)
    return len(lost)


def _bring_back(now: datetime) -> None:
    """Nothing has happened in the future, and nothing is planned later than it can be: a clock ran ahead, and it is now.

    A sender whose clock is ahead by less is not dead before its time: what it sends may arrive.
    """
    ahead = now + CLOCK
    moved = Q(**{f"{name}__gt": ahead for name in MOMENTS}, _connector=Q.OR)
    planned = Q(due_at__gt=now + LONGEST_HOLD) | Q(attempt__gt=0, due_at__gt=ahead + SLOWEST_LOOK)
    wrong = planned | (moved & ~Q(state=State.SENDING))
    Write.objects.filter(wrong, due_at__gte=now).update(due_at=now - 2 * OVERDUE)
    for rows in (Write.objects.filter(due_at__isnull=False), Write.objects.filter(settled_at__gt=ahead)):
        if keys := list(rows.filter(moved).values_list("pk", flat=True)):
            for name in MOMENTS:
                Write.objects.filter(pk__in=keys, **{f"{name}__gt": ahead}).update(**{name: now})
    store.bring_back(CLOCK)


def _enqueue_again(write: Write) -> None:
    now = timezone.now()
    if write.state == State.SENDING:
        _give_up_sender(write)
    elif Write.objects.filter(pk=write.pk, state=write.state, due_at=write.due_at).update(due_at=now):
        write.due_at = now
        tasks.enqueue(write)


def doubt_restored() -> int:
    """After a restore, send nothing by itself that was open in the backup. Returns how many writes that were.

    It may have been sent since, of which the backup knows nothing: each is not confirmed, as after a time-out, and reading
    tells, or a person. Features that keep more than writes are told first.
    """
    with transaction.atomic():
        schedule.clear()
        restored.send(sender=None)
        writes = list(Write.objects.select_related("account").filter(state__in=(State.HELD, State.SENDING)))
        for write in writes:
            _doubt(write)
    return len(writes)


def _doubt(write: Write) -> None:
    """As if it had been sent once more, without an answer: another attempt, with its row in Activity."""
    write.ended_at = timezone.now()
    entries.open_entry(write)
    move(
        write,
        State.UNCONFIRMED,
        only=(State.HELD, State.SENDING),
        attempt=write.attempt + 1,
        ended_at=write.ended_at,
        due_at=next_look(write),
        reason=RESTORED,
        shown=True,
    )
