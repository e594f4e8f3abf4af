"""Whose turn it is to ask the platform: of all who have one question at the same moment, in all processes, one asks.

A turn is a key in the cache that all processes share. Whoever waits for one that is held in the same process is woken when it
ends; what another process holds is looked at every few milliseconds.
"""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from django.conf import settings
from django.core.cache import cache

from dashboard.upstream import visit

WAIT_STEP: Final = 0.02
REMEMBERED: Final = 60
"""Seconds for which it is known that a turn has ended: longer than a read that looked up its answer waits for a thread."""


class Turn(Enum):
    """What came of asking for a turn. After another one, what that one read may be known by now; after none, nothing new is."""

    FIRST = auto()
    AFTER_ANOTHER = auto()
    OF_ANOTHER = auto()


_held: dict[str, threading.Event] = {}
"""Turns that threads of this process have, and what wakes those who wait for them."""
_ended: set[str] = set()
"""Turns whose read is over in this process, and which keep other processes off until its answer is written."""
_awaited: Counter[str] = Counter()
"""The ends of how many pages such a turn waits for: any of them may be the one that writes the answer."""
_lock = threading.Lock()


def take(turn: str) -> Turn:
    """Ask for a turn. Whoever gets it, first or after another, ends it."""
    if cache.add(turn, 1, settings.PLATFORM_TIMEOUT):
        state = Turn.FIRST if cache.get(_trace(turn)) is None else Turn.AFTER_ANOTHER
    elif _take_ended(turn):
        state = Turn.AFTER_ANOTHER
    else:
        return Turn.OF_ANOTHER
    _held[turn] = threading.Event()
    return state


def wait(turn: str, seconds: float) -> None:
    """Wait until a turn of this process ends, at most so long; for one of another process a moment."""
    event = _held.get(turn)
    if event is None:
        time.sleep(WAIT_STEP)
    else:
        event.wait(seconds)


def end(turn: str, *, is_written: bool) -> None:
    """End a turn: for all processes at once, or for this one where the others find the answer only when its page has gone."""
    if is_written:
        _drop([turn])
    else:
        with _lock:
            _ended.add(turn)
            _awaited[turn] += 1
        visit.afterwards(_end_for_all, turn, last=True)
    event = _held.pop(turn, None)
    if event is not None:
        event.set()


def _take_ended(turn: str) -> bool:
    """Have the turn of a read that is over in this process, so that no page waits for its own end. One thread gets it."""
    with _lock:
        if turn not in _ended:
            return False
        _ended.remove(turn)
        return True


def _end_for_all(turns: Sequence[str]) -> None:
    """A turn that another thread has taken meanwhile is ended by that one."""
    with _lock:
        _awaited.subtract(turns)
        ended = {turn for turn in _ended.intersection(turns) if _awaited[turn] <= 0}
        _ended.difference_update(ended)
        for turn in [turn for turn in set(turns) if _awaited[turn] <= 0]:
            del _awaited[turn]
    _drop(sorted(ended))


def _drop(turns: Sequence[str]) -> None:
    """The trace comes first: whoever takes the turn next finds it."""
    cache.set_many({_trace(turn): 1 for turn in turns}, REMEMBERED)
    cache.delete_many(turns)


def _trace(turn: str) -> str:
    return f"{turn}:ended"
