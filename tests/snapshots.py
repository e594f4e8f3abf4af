"""The embedded platform's database as tests find it: empty, or seeded once per session and copied back in milliseconds."""

import sqlite3
from collections.abc import Callable
from contextlib import closing


class Snapshots:
    """States of one SQLite file, kept in memory. `make` brings the file, which is empty, into a state."""

    def __init__(self, file: str, make: dict[str, Callable[[], None]]) -> None:
        self.file = file
        self.make = make
        self.kept: dict[str, sqlite3.Connection] = {}
        self.current = "empty"
        self._keep("empty")

    def use(self, state: str, *, again: bool = False) -> None:
        """Bring the file into a state. `again`: also when it should be in it, because a test may have written."""
        if state not in self.kept:
            self.use("empty")
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

    def _keep(self, state: str) -> None:
        self.kept[state] = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self.file, timeout=20)) as source:
            source.backup(self.kept[state])
