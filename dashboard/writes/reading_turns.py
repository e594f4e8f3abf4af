"""How many calls the worker has in flight for one account: four, whatever it reads of it, in all processes together."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.core.cache import cache

AT_ONCE: Final = 4
"""Calls of one group, which leave side by side."""
WAIT_STEP: Final = 0.05
NEXT_SECONDS: Final = 2
"""How long a reading that waits is let through first, after its last look."""


@contextmanager
def take_turn(account_id: UUID, seconds: float = 0.0) -> Iterator[None]:
    """Wait until no other reading has calls in flight for the account, and keep others waiting meanwhile.

    Of those that wait, one is named as the next: whoever has just had a turn does not take it from them. The turn of a process
    that was killed ends after `seconds` (0: the platform's patience), the longest that a group takes.
    """
    turn, following = f"reading-turn:{account_id}", f"reading-next:{account_id}"
    me, longest = uuid4().hex, int(seconds or settings.PLATFORM_TIMEOUT) + 1
    while cache.get(following, me) != me or not cache.add(turn, 1, longest):
        cache.add(following, me, NEXT_SECONDS)
        time.sleep(WAIT_STEP)
    if cache.get(following) == me:
        cache.delete(following)
    try:
        yield
    finally:
        cache.delete(turn)
