"""Programs that start servers end them also when they are told to end."""

import signal
import sys
from typing import Any


def unwind_on_termination() -> None:
    """From now on SIGTERM and SIGHUP end this program as Ctrl-C does: what it started is ended by each `finally`."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _unwind)


def _unwind(number: int, _frame: Any) -> None:
    for other in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)  # a second one would break off what ends the servers
    sys.exit(128 + number)
