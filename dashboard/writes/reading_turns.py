"""How many calls the worker has in flight for one account: four, whatever it reads of it, in all processes together."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.core.cache import cache

from dashboard.shared.entries import Entry
from dashboard.upstream import library
from dashboard.upstream.library import Groups
from dashboard.upstream.reads import Reads

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
