"""What the worker reads on of an account whose owner looked lately: piece by piece, with what others leave of the call budget."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from types import UnionType
from typing import Final, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.core.cache import cache
from django.db import models
from django.db.models import F, Max, Q
from django.utils import timezone

from dashboard.accounts.models import Account, Device
from dashboard.platform_api.errors import CallError, OverBudget, RateLimited
from dashboard.shared.entries import Entry
from dashboard.shared.locks import lock
from dashboard.upstream import budget, library
from dashboard.upstream.library import Groups
from dashboard.upstream.reads import Reads
from dashboard.writes.failures import pause_after, rebuild_error

WANTED: Final = timedelta(days=30)
"""The worker reads on for as long after somebody looked."""
LONG_PAUSE: Final = timedelta(hours=1)
"""Until the worker looks again whether there is more to read."""
LEAST_PAUSE: Final = 60
"""Seconds until the worker asks again after trouble."""
EVERY: Final = timedelta(seconds=70)
"""How often a task of this kind runs: once what the last run used is no part of the budget's minute any more."""
SECONDS: Final = 20.0
"""How long one run begins new reads: well below `EVERY`."""
TURN_SECONDS: Final = int(SECONDS) + 40
"""How long a worker that was killed keeps others from reading on: less than `EVERY`."""


class ReadOn(models.Model):
    """A row of an account, which says when the worker reads on and why it pauses."""

    wanted_at = models.DateTimeField(null=True)
    """When somebody last looked, to the hour: the worker reads on only where that was lately."""
    next_at = models.DateTimeField(null=True)
    """When the worker reads on; None for as soon as it can."""
    reason = models.CharField(max_length=40, db_default="")
    """Why the last slice ended early: the operation that failed and the class of its `PlatformError`; "" where none did."""

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=ReadOn)


def want(model: type[Row], account: Account) -> Row:
    """Let the worker read on for this account: somebody looks at what it reads."""
    now = timezone.now()
    row, is_new = model._default_manager.get_or_create(account=account, defaults={"wanted_at": now})
    if not is_new and (row.wanted_at is None or row.wanted_at < now - timedelta(hours=1)):
        model._default_manager.filter(pk=row.pk).update(wanted_at=now)
    return row


def want_for_all_seen(model: type[Row]) -> None:
    """The same for everybody who was signed in lately, whatever they looked at."""
    lately = Device.objects.filter(seen_at__gt=timezone.now() - WANTED)
    seen_at = dict(lately.order_by().values("account_id").annotate(at=Max("seen_at")).values_list("account_id", "at"))
    known = dict(model._default_manager.filter(account__in=seen_at).values_list("account_id", "wanted_at"))
    for account_id in seen_at.keys() - known.keys():
        model._default_manager.get_or_create(account_id=account_id, defaults={"wanted_at": seen_at[account_id]})
    for account_id, wanted_at in known.items():
        if wanted_at is None or wanted_at < seen_at[account_id] - timedelta(hours=1):
            model._default_manager.filter(account_id=account_id).update(wanted_at=seen_at[account_id])


def due(model: type[Row]) -> list[Row]:
    """For whom the worker reads on now, those that waited longest first."""
    return list(_due(model).order_by(F("next_at").asc(nulls_first=True), "pk"))


def _due(model: type[Row]) -> "models.QuerySet[Row]":
    now = timezone.now()
    recent = model._default_manager.filter(wanted_at__gt=now - WANTED, account__in=Account.objects.connected())
    is_due = Q(next_at=None) | Q(next_at__lte=now) | Q(next_at__gt=now + 2 * LONG_PAUSE)  # of a clock that ran ahead
    return recent.filter(is_due).select_related("account", "account__parent")


def is_due(model: type[Row]) -> bool:
    """Whether the worker reads on for anybody now."""
    return _due(model).exists()


def read_due(model: type[Row], read_on: Callable[[Row, float], int]) -> int:
    """Read on for accounts that are due, those that waited longest first, until `SECONDS` are over. Returns how much was read.

    `read_on` begins no read after the moment of `time.monotonic` that it is given. Of two runs at the same time, one reads an
    account: both would have twice as many calls in flight.
    """
    end, read = time.monotonic() + SECONDS, 0
    with budget.background():
        for row in due(model):
            if time.monotonic() > end:
                break
            with lock(f"{model._meta.label_lower}:{row.pk}:turn", TURN_SECONDS) as is_ours:
                still_due = _due(model).filter(pk=row.pk).first() if is_ours else None  # another run may have read it
                read += read_on(still_due, end) if still_due is not None else 0
    return read


def estimate_minutes(calls: int) -> int:
    """How many minutes so many calls take: each run makes those of one minute, and the next one comes after `EVERY`."""
    return ceil(calls / budget.background_calls() * EVERY / timedelta(minutes=1))


def wait_for_budget(error: CallError | None, until: float) -> bool:
    """Wait until the call budget has room again; False where that is after `until`, or the error is another one."""
    if not isinstance(error, OverBudget) or error.until is None:
        return False
    wait = max(0.0, error.until - time.time())
    if time.monotonic() + wait > until:
        return False
    time.sleep(wait)
    return True


def first_ending(troubles: Iterable[CallError], passing: type[CallError] | UnionType) -> CallError | None:
    """Of errors in one slice the one that ends it, a pause that was asked for first; `passing` ones are about one thing."""
    ending = [error for error in troubles if not isinstance(error, passing)]
    return next((error for error in ending if isinstance(error, RateLimited)), next(iter(ending), None))


def put_off(row: ReadOn, error: CallError | None, *, is_done: bool) -> None:
    """Note when the next slice is read, and why the last one ended early; `is_done`: there is nothing left to read."""
    pause = LONG_PAUSE if is_done else timedelta()
    if isinstance(error, OverBudget):  # no trouble: others come first, and it goes on with the next run
        error = None
    if error is not None:
        pause = timedelta(seconds=max(LEAST_PAUSE, pause_after(error, 1)))
    reason = f"{error.operation} {type(error).__name__}" if error is not None else ""
    type(row)._default_manager.filter(pk=row.pk).update(next_at=timezone.now() + pause, reason=reason)


def trouble_of(reason: str, next_at: datetime | None = None) -> CallError | None:
    """Why the last slice ended early, as it was noted; None where it did not. `next_at`: when the next one is read."""
    operation, _space, name = reason.partition(" ")
    error = rebuild_error(name, operation, None, "", sent=False)
    if isinstance(error, RateLimited) and next_at is not None:
        error.put_off((next_at - timezone.now()).total_seconds())
    return error


AT_ONCE: Final = 4
"""Calls of one group, which leave side by side."""
WAIT_STEP: Final = 0.05
NEXT_SECONDS: Final = 2
"""How long a reading that waits is let through first, after its last look."""


@contextmanager
def take_turn(account_id: UUID, seconds: float = 0.0) -> Iterator[None]:
    """Wait until no other reading has calls in flight for the account, and keep others waiting meanwhile.

    Of those that wait, one is named as the next: whoever has just had a turn does not take it from them. The turn of a process
    that was killed ends after `seconds` (0: the platform's patience), the longest that a group should take; one that takes longer
    does not end the turn of whoever came after it.
    """
    turn, following = f"reading-turn:{account_id}", f"reading-next:{account_id}"
    me, longest = uuid4().hex, int(seconds or settings.PLATFORM_TIMEOUT) + 1
    while cache.get(following, me) != me or not cache.add(turn, me, longest):
        cache.add(following, me, NEXT_SECONDS)
        time.sleep(WAIT_STEP)
    if cache.get(following) == me:
        cache.delete(following)
    try:
        yield
    finally:
        if cache.get(turn) == me:
            cache.delete(turn)


def read_entries(reader: Reads, seconds: float) -> list[Entry]:
    """Every video of the account, as listed at most so many seconds ago, in turns with all else that the worker reads of it.

    Raises a `PlatformError`.
    """
    longest = 2 * settings.PLATFORM_TIMEOUT  # a list that is refused as a whole is asked for in parts
    return library.all_entries(reader, seconds, Groups(AT_ONCE, partial(take_turn, reader.account.pk, longest)))
