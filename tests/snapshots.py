"""The embedded platform's database as tests find it: empty, or seeded now and then and copied back in milliseconds."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

FRESH_SECONDS = 180.0
"""What runs in the seed ends by the clock some minutes later: an older state is made anew."""


class Snapshots:
    """States of one SQLite file, kept in memory. `make` brings the file, which is empty, into a state."""

    def __init__(self, file: str, make: dict[str, Callable[[], None]]) -> None:
        self.file = file
        self.make = make
        self.kept: dict[str, sqlite3.Connection] = {}
        self.made_at: dict[str, float] = {}
        self.current = "empty"
        self._keep("empty")

    def use(self, state: str, *, again: bool = False) -> None:
        """Bring the file into a state. `again`: also when it should be in it, because a test may have written."""
        if state not in self.kept or self.is_old(state):
            self.use("empty", again=True)
            self.make[state]()
            self._keep(state)
        elif again or self.current != state:
            with closing(sqlite3.connect(self.file, timeout=20)) as target:
                self.kept[state].backup(target)
        self.current = state

    def close(self) -> None:
        """Forget everything."""
        for memory in self.kept.values():
            memory.close()

    def is_old(self, state: str) -> bool:
        """Whether the next use makes it anew."""
        return state in self.make and time.monotonic() - self.made_at[state] > FRESH_SECONDS

    def _keep(self, state: str) -> None:
        if state in self.kept:
            self.kept[state].close()
        self.made_at[state] = time.monotonic()
        self.kept[state] = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self.file, timeout=20)) as source:
            source.backup(self.kept[state])
