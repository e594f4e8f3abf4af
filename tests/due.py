"""Time for writes: what is due is done as the worker does it, without a worker."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db.models import F

from dashboard.writes import outbox, recovery
from dashboard.writes.models import State, Write


@contextmanager
def dies_before_sending() -> Iterator[None]:
    """Inside, the process ends with the first write that it has stored: nothing leaves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outbox, "deliver", lambda write: sys.exit())
        with pytest.raises(SystemExit):
            yield


def outlast() -> None:
    """The answer that is under way comes after its request has gone on: whoever waits for it has given up this attempt."""
    Write.objects.filter(state=State.SENDING).update(attempt=F("attempt") + 1)


MOMENTS = ("due_at", "sent_at", "ended_at", "created_at")


def pass_by(seconds: float) -> None:
    """Let `seconds` pass for every write."""
    for write in Write.objects.all():
        for name in MOMENTS:
            if getattr(write, name) is not None:
                setattr(write, name, getattr(write, name) - timedelta(seconds=seconds))
        write.save(update_fields=MOMENTS)


def run_due(seconds: float = 0) -> None:
    """Let `seconds` pass, and the worker do what is due then."""
    pass_by(seconds)
    recovery.recover()
    for write in Write.objects.exclude(due_at=None).select_related("account").order_by("created_at"):
        recovery.follow(write)
