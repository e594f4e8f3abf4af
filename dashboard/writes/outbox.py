"""Sending exactly once.

Every change of state is one conditional update on state and attempt, in one transaction with what it changes elsewhere: the
copy that a feature keeps, and the row in Activity. Whoever's update finds no row does nothing.

| what came back | then |
|---|---|
| an answer | done |
| no connection was made, 429 | certainly not received: held again where the operation waits, else refused |
| 401 | not received: held until the account has a good token or the form comes again |
| any other 4xx | refused, with the platform's words |
| 5xx, a reset, a time-out, an answer that cannot be read | unconfirmed: never sent again by itself, settled by reading |
"""

import logging
import time
import uuid
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.monitoring import metrics
from dashboard.platform_api import errors
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients
from dashboard.writes import beside, entries, tasks
from dashboard.writes.failures import (
    CONFIRMED_BY_PERSON,
    LOST,
    NOT_RECEIVED,
    REPLACED,
    UNREADABLE,
    certainly_not_received,
    is_ambiguous,
    pause_after,
)
from dashboard.writes.models import LABEL_MAX, NAME_MAX, OPEN, SETTLED, SUBJECT_MAX, State, Write
from dashboard.writes.operations import (
    ABSENT,
    SUPERSEDED,
    Found,
    NotRead,
    NotWanted,
    next_look,
    operation_of,
    tell_of_change,
)

log = logging.getLogger(__name__)

SETTLE = timedelta(seconds=20)
"""A late request may still be on its way: a write that a read does not find counts as lost only so long after its end."""
ORPHANED = timedelta(seconds=5)
"""A write that is to be sent at once and still is held after this lost its process."""
STAYS_OPEN = timedelta(minutes=1)
"""An unconfirmed write that reads have not settled in this time may be settled by its author."""

wait_for_answer = beside.wait_for_answer


@dataclass(frozen=True)
class Intent:
    """What is to be written. The names are those of `Write`'s fields; `key` comes from the form (see `requests.KEY_FIELD`)."""

    operation: str
    scope: str
    key: uuid.UUID
    request: dict[str, Any] = field(default_factory=dict)
    account: Account | None = None
    author: str = ""
    actor: str = ""
    subject: str = ""
    label: str = ""
    before: Any = None
    after: Any = None
    undoes: Entry | None = None


def begin(intent: Intent, *, hold: timedelta | None = timedelta()) -> tuple[Write, bool]:
    """Store the write, due after `hold` (None: not before it is sent on purpose); the same key again gives the first one.

    Returns the write and whether it is new.
    """
    first = find(intent.scope, intent.key)
    if first is not None:
        return first, False
    values = {name: entries.make_storable(value) for name, value in vars(intent).items()}
    fields = values | {
        "actor": values["actor"][:NAME_MAX],
        "subject": values["subject"][:SUBJECT_MAX],
        "label": values["label"][:LABEL_MAX],
        "before": entries.mask_secrets(values["before"]),
        "after": entries.mask_secrets(values["after"]),
        "due_at": None if hold is None else timezone.now() + (hold or ORPHANED),
    }
    try:
        with transaction.atomic():
            write = Write.objects.create(**fields)
            if hold:
                tasks.enqueue(write)  # what is sent at once needs no task: `recover` finds it if its process dies
            operation_of(write).changed(write)
    except IntegrityError:
        return Write.objects.get(scope=intent.scope, key=intent.key), False
    return write, True


def release(write: Write, *, after: timedelta = timedelta()) -> bool:
    """Make a write due that was begun without a time. False where it is due, or has left, already."""
    waiting = Write.objects.filter(pk=write.pk, state=State.HELD, due_at=None)
    with transaction.atomic():
        released = waiting.update(due_at=timezone.now() + after)
        if released:
            write.refresh_from_db(fields=["due_at"])
            tasks.enqueue(write)
    return bool(released)


def find(scope: str, key: uuid.UUID) -> Write | None:
    """The write that this key began, or None."""
    return Write.objects.select_related("account").filter(scope=scope, key=key).first()


def deliver(write: Write) -> Write:
    """Send a held write; one that somebody else took is returned as it stands. How it ended is in `state` and `error`.

    Where the platform lets a request wait for too long, it is still being sent.
    """
    if _claim(write):
        beside.run(write, _send, _keep_unsent)
    else:
        write.refresh_from_db()
    return write


def _send(write: Write) -> None:
    operation = operation_of(write)
    started = time.perf_counter()
    try:
        with budget.can_wait() if operation.waits else nullcontext():
            answer = operation.send(write)
    except NotWanted:
        entries.remove_entry(write)
        move(write, State.CANCELLED, shown=False)
    except errors.CallError as error:
        _record_error(write, error, started)
    except Unreadable:  # the stored token's key is gone: nothing was sent
        _record_error(write, errors.BadToken(write.operation), started)
    else:
        try:
            _finish(write, answer, started)
        except ValueError:
            move(write, State.UNCONFIRMED, due_at=next_look(write), ended_at=timezone.now(), reason=UNREADABLE)


def _keep_unsent(write: Write) -> None:
    _record_error(write, errors.Unreachable(write.operation, sent=False), time.perf_counter())


def perform(intent: Intent) -> Write:
    """Store and send at once. A second press waits a moment for the first one's answer.

    Returns the write done, unconfirmed, held until the platform can be reached (where the operation waits), or still being
    sent by somebody else. Raises the `PlatformError` of a refusal, and
    of a call that never left; and `Rehearsed`, with nothing stored, where the request is only to be shown.
    """
    if clients.is_rehearsing():
        operation_of(preview := Write(**vars(intent))).send(preview)
    write, _new = begin(intent)
    if write.state == State.HELD:
        deliver(write)
    if write.state == State.SENDING:
        wait_for_answer(write)
    is_reported = write.state == State.REFUSED or (write.state == State.HELD and write.due_at is None)
    if is_reported and (error := write.raised or write.error) is not None:
        if write.state == State.REFUSED:
            dismiss(write)  # it is told where the form is
        raise error
    if write.state == State.REFUSED:  # lost, or never sent: nothing of it is on the platform
        raise errors.Unreachable(write.operation, sent=False)
    return write


def cancel(write: Write) -> bool:
    """Withdraw a held write. False when it is too late: it has left."""
    if write.ended_at is not None:  # an earlier attempt may have arrived: reading tells, nothing is sent any more
        move(write, State.UNCONFIRMED, only=(State.HELD,), due_at=next_look(write))
        return False
    cancelled = move(write, State.CANCELLED, only=(State.HELD,), shown=False)
    if not cancelled:
        write.refresh_from_db()
    return cancelled


def send_again(write: Write) -> Write:
    """Send an unconfirmed write once more because its author says that it did not arrive, or one that never left.

    What was refused because it was lost is sent as a new write, of which two presses make one. Returns the write sent.
    """
    if write.state == State.REFUSED and write.reason in LOST:
        dismiss(write)
        write = _repeat(write)
    if write.state == State.HELD:
        return deliver(write)
    with transaction.atomic():  # nobody meets it held in between
        claimed = renew(write) and _claim(write)
    if claimed:
        beside.run(write, _send, _keep_unsent)
    return write


def renew(write: Write, **changes: Any) -> bool:
    """Hold an unconfirmed write to be sent once more, with another `request` where its author wants something newer sent.

    Once that has left, reads look for it alone. False when the write is not unconfirmed any more, or in another attempt.
    """
    changes |= {"due_at": timezone.now(), "shown": True, "reason": "", "message": ""}
    return move(write, State.HELD, only=(State.UNCONFIRMED,), **changes)


def note_found(write: Write, answer: Any = None) -> None:
    """Settle a write that has left as done: a read that was made for something else shows that it arrived."""
    if write.state in IN_FLIGHT:
        _finish(write, answer, None)


def _repeat(write: Write) -> Write:
    same = {name: getattr(write, name) for name in Intent.__dataclass_fields__}
    return begin(Intent(**same | {"key": uuid.uuid5(write.key, "again")}))[0]


def confirm(write: Write) -> None:
    """Settle an unconfirmed write as done because its author says that it arrived."""
    with transaction.atomic():
        if move(write, State.DONE, only=(State.UNCONFIRMED,), reason=CONFIRMED_BY_PERSON, shown=False):
            operation_of(write).confirmed(write)
            return
    write.refresh_from_db()


def may_decide(write: Write) -> bool:
    """Whether its author is asked how an unconfirmed write ended: nothing can be read, or reading has not told."""
    if write.state != State.UNCONFIRMED:
        return False
    return write.due_at is None or timezone.now() - (write.ended_at or write.created_at) > STAYS_OPEN


def dismiss(write: Write) -> None:
    """Its author has seen how it ended, or does not want it any more: it is shown no longer, and not sent."""
    if write.state == State.HELD and cancel(write):
        return
    Write.objects.filter(pk=write.pk, state__in=(State.REFUSED, State.UNCONFIRMED)).update(shown=False)
    write.refresh_from_db()


def settle_by_reading(write: Write) -> Write:
    """Settle an unconfirmed write by reading. While it is too early, or the platform cannot be read, it stays.

    Where nothing can be read, now or ever, a person decides: it is due no more.
    """
    settle = operation_of(write).settle
    if write.state != State.UNCONFIRMED or (settle is None and write.due_at is None):
        return write
    outcome: Any = None
    began, soon = timezone.now(), False
    try:
        with budget.can_wait():  # after a 429 it is looked for when the pause is over
            outcome = settle(write) if settle is not None else None
        if isinstance(outcome, Found):
            _finish(write, outcome.answer, None)
            return write
    except NotRead:
        soon = True
    except errors.CallError as error:
        soon = certainly_not_received(error) or is_ambiguous(error)
    except Unreadable:
        pass  # the key of its account's token is gone: looked after as rarely as what no read can tell
    except ValueError:
        move(write, State.UNCONFIRMED, due_at=next_look(write), reason=UNREADABLE)
        return write
    except Exception:  # one that cannot be settled is a person's in the end, like one of which no read tells
        log.exception("write %s of %s cannot be settled", write.pk, write.operation)
    if outcome is ABSENT and began - (write.ended_at or write.created_at) > SETTLE:
        move(write, State.REFUSED, reason=NOT_RECEIVED)
    elif outcome is SUPERSEDED:
        move(write, State.DONE, reason=REPLACED, shown=False)
    else:
        move(write, State.UNCONFIRMED, due_at=next_look(write, soon=soon))
    return write


def _claim(write: Write) -> bool:
    """Take a held write for sending. Its sender counts as dead when no call can be out any more."""
    now = timezone.now()
    lease = operation_of(write).longest_send()
    with transaction.atomic():
        claimed = Write.objects.filter(pk=write.pk, state=State.HELD, attempt=write.attempt).update(
            state=State.SENDING, attempt=write.attempt + 1, sent_at=now, due_at=now + lease
        )
        if claimed:
            write.refresh_from_db()
            entries.open_entry(write)
            tell_of_change(write)
    return bool(claimed)


def _record_error(write: Write, error: errors.CallError, started: float) -> None:
    now = timezone.now()
    fields: dict[str, Any] = {
        "reason": type(error).__name__,
        "status": error.status,
        "message": error.message,
        "milliseconds": _since(started),
    }
    write.raised = error
    refused_token = isinstance(error, errors.BadToken) and not write.author  # a reviewer has no token to renew
    if refused_token or certainly_not_received(error):
        waits = operation_of(write).waits
        if waits or refused_token:
            move(write, State.HELD, due_at=_next_attempt(write, error) if waits else None, **fields)
        else:
            _refuse(write, fields)
    elif is_ambiguous(error):
        move(write, State.UNCONFIRMED, ended_at=now, due_at=next_look(write), **fields)
    else:
        _refuse(write, fields)


def _refuse(write: Write, fields: dict[str, Any]) -> None:
    """Settle as refused; where an earlier attempt may have arrived, reading tells, not the refusal of this one.

    Where nothing can be read, its author has said that the earlier one did not arrive.
    """
    look_at = next_look(write)
    if write.ended_at is None or look_at is None:
        move(write, State.REFUSED, **fields)
    else:
        move(write, State.UNCONFIRMED, due_at=look_at, **fields)


def _next_attempt(write: Write, error: errors.CallError) -> datetime:
    return timezone.now() + timedelta(seconds=pause_after(error, write.attempt))


def _finish(write: Write, answer: Any, started: float | None) -> None:
    """Keep the answer and settle as done, together. Raises `ValueError` for an answer that does not say what was made."""
    with transaction.atomic():
        if _is_settled(write):
            return
        operation_of(write).keep(write, answer)
        fields: dict[str, Any] = {} if started is None else {"milliseconds": _since(started)}
        move(
            write,
            State.DONE,
            only=OPEN,
            shown=False,
            subject=write.subject[:SUBJECT_MAX],
            result=write.result,
            after=entries.mask_secrets(write.after),
            **fields,
        )


def _is_settled(write: Write) -> bool:
    """Whether somebody else settled this attempt or began another; the row stays locked until the transaction ends."""
    now = Write.objects.select_for_update().filter(pk=write.pk).values("state", "attempt").get()
    if now["state"] in SETTLED or now["attempt"] != write.attempt:
        write.refresh_from_db()
        return True
    return False


IN_FLIGHT = (State.SENDING, State.UNCONFIRMED)


def move(
    write: Write,
    state: State,
    *,
    only: tuple[State, ...] = IN_FLIGHT,
    milliseconds: int | None = None,
    **fields: Any,
) -> bool:
    """One change of state, if the row is still in one of `only` and in the attempt that `write` knows.

    `due_at` is cleared unless given, and so is the reason of a write that is done. Activity and those who watch learn of it
    in the same transaction.
    """
    storable = {name: entries.make_storable(value) for name, value in fields.items()}
    fields = (
        {"due_at": None} | ({"reason": "", "status": None, "message": ""} if state == State.DONE else {}) | storable
    )
    fields |= {"settled_at": timezone.now()} if state in SETTLED else {}
    with transaction.atomic():
        moved = Write.objects.filter(pk=write.pk, attempt=write.attempt, state__in=only).update(state=state, **fields)
        if not moved:
            write.refresh_from_db()
            return False
        for name, value in {"state": state.value, **fields}.items():
            setattr(write, name, value)
        entries.complete_entry(write, milliseconds)
        metrics.count_write(write.operation, state)
        tell_of_change(write)
        if write.due_at is not None:
            tasks.enqueue(write)
    return True


def _since(started: float) -> int:
    return int((time.perf_counter() - started) * 1000)
