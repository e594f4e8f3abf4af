"""Sending beside the request that asks for it: a platform that hangs keeps no request longer than `ANSWER_WAIT`.

The worker, commands, and whoever is in a transaction send on the spot.
"""

import copy
import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db import connection

from dashboard.platform_api.circuits import Circuits
from dashboard.upstream import parallel
from dashboard.writes.models import State, Write

ANSWER_WAIT: Final = 3.0
"""Seconds that a request waits for the answer to what it sent, and a second press for the answer to the first one."""
LOOK_AGAIN: Final = 0.05

_circuits: Final = Circuits()
"""Of each operation only so many are sent at once, and none while several get no answer. A failure closes nothing: what
cannot leave is kept, and tried again."""


def run(write: Write, send: Callable[[Write], None], otherwise: Callable[[Write], None]) -> None:
    """`send` the write. Where its answer takes longer than a request waits, the write is left as it stands, and ends later.

    `otherwise`: what is done at once where others of its operation hang already, so that this one is not sent now.
    """
    if not _is_in_request():
        send(write)
        return
    entered = _circuits.enter(write.operation)
    if entered is None:
        otherwise(write)
        return
    sent = copy.copy(write)  # of the other thread, which may still change it when the request has gone on

    def work() -> None:
        try:
            send(sent)
        finally:
            _circuits.leave(write.operation, entered, failed=None)

    if parallel.finish_within(work, ANSWER_WAIT):
        vars(write).update(vars(sent))
    else:
        write.refresh_from_db()
        write.is_waited_for = True


def wait_for_answer(write: Write) -> None:
    """Wait a moment for the call that another request is making."""
    deadline = time.monotonic() + (0.0 if write.is_waited_for else ANSWER_WAIT)
    while write.state == State.SENDING and time.monotonic() < deadline:
        time.sleep(LOOK_AGAIN)
        write.refresh_from_db()


def _is_in_request() -> bool:
    here = settings.READ_SIDE_BY_SIDE and parallel.current_visit() is not None
    return here and not connection.in_atomic_block  # no other thread sees what a transaction has written
