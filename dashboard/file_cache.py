"""A cache that all processes of one machine share: one SQLite file, used where no Redis is configured.

Django's own cache in a database table would do the same through the ORM's connection at ten times the CPU per read, and inside the
transaction of whoever asks. Redis is for more than one machine.
"""

import logging
import os
import pickle
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

from dashboard.monitoring import metrics

log = logging.getLogger(__name__)

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value BLOB NOT NULL, expires REAL NOT NULL, written REAL NOT NULL);
CREATE INDEX IF NOT EXISTS entry_expires ON entry (expires);
DROP INDEX IF EXISTS entry_written; -- of earlier releases: every write changed it, and only a full file asks for it
"""
WRITE: Final = (
    "INSERT INTO entry (key, value, expires, written) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE "
    "SET value = excluded.value, expires = excluded.expires, written = excluded.written"
)
AHEAD: Final = 60
"""Seconds from which an entry was written in the future: by a clock that ran ahead, whose locks nobody gives back."""
LIVES: Final = "expires > ? AND written < ?"
"""Of an entry, with `_moments()`."""
PRUNE_EVERY: Final = 500
"""Writes of a process between two looks at what can go, of which the first comes with its first write."""
MOST_BYTES: Final = 256 * 1024 * 1024
NEVER: Final = float("inf")
PAGE_CACHE_KB: Final = 256
"""Of one connection. The system keeps the file's pages anyway."""

_locks: dict[tuple[Path, int, str], threading.Lock] = {}
"""Who of a process reads or writes, by file, process and which of the two. SQLite lets who comes while another writes sleep
for longer and longer, up to 0.1 s."""
_connections: dict[tuple[Path, int, str], sqlite3.Connection] = {}
"""By the same. What a fork inherits stays under its parent's number: closed, it would take the file's locks from their owner."""
_writes: dict[tuple[Path, int], "count[int]"] = {}
"""Counts the writes, by file and process: Django makes a cache object for each context, which is each read beside a page."""


def _moments() -> tuple[float, float]:
    now = time.time()
    return now, now + AHEAD


class FileCache(BaseCache):
    """`LOCATION` is the file. A file that cannot be read or written is an empty cache, with a line in the log."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._file = Path(location)

    def validate_key(self, key: str) -> None:
        """Every key will do: what Django warns of are limits of memcached."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value, or `default` where there is none or its time is over."""
        return self.get_many([key], version=version).get(key, default)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """The values that there are, by key."""
        names = {self.make_and_validate_key(key, version=version): key for key in keys}
        places = ",".join("?" * len(names))
        question = f"SELECT key, value FROM entry WHERE key IN ({places}) AND {LIVES}"  # noqa: S608  (question marks)
        try:
            rows = self._read(question, (*names, *_moments()))
        except sqlite3.Error as error:
            self._failed(error)
            return {}
        metrics.count_cache_reads(len(names), len(rows))
        return {names[name]: pickle.loads(value) for name, value in rows}  # noqa: S301  (only we write the file)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep `value` in the place of what was there."""
        self._keep([self._row(key, value, timeout, version)])

    def set_many(self, data: Mapping[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> Any:
        """Keep these values, in one step. Returns the keys that cannot be kept, which are none."""
        self._keep([self._row(key, value, timeout, version) for key, value in data.items()])
        return []

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep `value` where there is none, in one step: of all who try at once, one is told True."""
        return self._keep(
            [self._row(key, value, timeout, version)],
            f"WHERE entry.expires <= excluded.written OR entry.written > excluded.written + {AHEAD}",
        )

    def _row(self, key: str, value: Any, timeout: Any, version: int | None) -> tuple[Any, ...]:
        """The columns of an entry."""
        lives = self.get_backend_timeout(timeout)
        name = self.make_and_validate_key(key, version=version)
        return name, pickle.dumps(value, pickle.HIGHEST_PROTOCOL), NEVER if lives is None else lives, time.time()

    def _keep(self, rows: Sequence[tuple[Any, ...]], condition: str = "") -> bool:
        """Whether one of them was written; where the file cannot be used, as if it was."""
        try:
            with self._connection("writes") as connection, connection:
                if len(rows) > 1:
                    connection.execute("BEGIN IMMEDIATE")
                written = sum(connection.execute(f"{WRITE} {condition}", row).rowcount for row in rows) > 0
            if next(_writes.setdefault((self._file, os.getpid()), count())) % PRUNE_EVERY == 0:
                self.prune()
        except sqlite3.Error as error:
            self._failed(error)
            return True
        return written

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count in one step, so that processes that count at once lose nothing. Raises ValueError without a value."""
        name = self.make_and_validate_key(key, version=version)
        try:
            with self._connection("writes") as connection, connection:
                connection.execute("BEGIN IMMEDIATE")
                question = f"SELECT value FROM entry WHERE key = ? AND {LIVES}"  # noqa: S608  (question marks)
                row = connection.execute(question, (name, *_moments())).fetchone()
                if row is not None:
                    total: int = pickle.loads(row[0]) + delta  # noqa: S301  (as above)
                    change = "UPDATE entry SET value = ?, written = ? WHERE key = ?"
                    connection.execute(change, (pickle.dumps(total), time.time(), name))
        except sqlite3.Error as error:
            self._failed(error)
            row = None
        if row is None:
            raise ValueError(f"Key '{key}' not found")
        return total

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Let a value live longer."""
        lives = self.get_backend_timeout(timeout)
        name = self.make_and_validate_key(key, version=version)
        change = f"UPDATE entry SET expires = ? WHERE key = ? AND {LIVES}"  # noqa: S608  (as above)
        return self._changed(change, (NEVER if lives is None else lives, name, *_moments()))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Drop a value."""
        return self._changed("DELETE FROM entry WHERE key = ?", (self.make_and_validate_key(key, version=version),))

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Drop values, in one step."""
        names = tuple(self.make_and_validate_key(key, version=version) for key in keys)
        self._changed(f"DELETE FROM entry WHERE key IN ({','.join('?' * len(names))})", names)  # noqa: S608

    def clear(self, *, but: str | None = None) -> None:
        """Drop everything, or everything but the keys that begin with `but`."""
        begin = self.make_key(but) if but else ""
        self._changed("DELETE FROM entry WHERE ? = '' OR substr(key, 1, ?) <> ?", (begin, len(begin), begin))

    def prune(self) -> None:
        """Drop what is over; above the limits of entries or bytes, also the third that was written longest ago."""
        self._change(f"DELETE FROM entry WHERE NOT ({LIVES})", _moments())  # noqa: S608  (as above)
        questions = ("SELECT count(*) FROM entry", "PRAGMA page_count", "PRAGMA freelist_count", "PRAGMA page_size")
        entries, pages, free, size = (self._read(question)[0][0] for question in questions)
        if entries > self._max_entries or (pages - free) * size > MOST_BYTES:
            oldest = "SELECT key FROM entry ORDER BY written LIMIT ?"
            self._change(f"DELETE FROM entry WHERE key IN ({oldest})", (entries // self._cull_frequency,))  # noqa: S608

    def _changed(self, statement: str, values: tuple[Any, ...]) -> bool:
        try:
            return self._change(statement, values) > 0
        except sqlite3.Error as error:
            self._failed(error)
            return False

    def _read(self, statement: str, values: Any = ()) -> list[Any]:
        """The rows of a statement."""
        with self._connection("reads") as connection:
            return connection.execute(statement, values).fetchall()

    def _change(self, statement: str, values: Any = ()) -> int:
        """How many rows a statement has changed."""
        with self._connection("writes") as connection:
            return connection.execute(statement, values).rowcount

    @contextmanager
    def _connection(self, use: str) -> Iterator[sqlite3.Connection]:
        """The connection of this process that "reads" or "writes", for this thread alone. A failure closes it."""
        key = (self._file, os.getpid(), use)
        with _locks.setdefault(key, threading.Lock()):
            try:
                if key not in _connections:
                    _connections[key] = self._open()
                yield _connections[key]
            except sqlite3.Error:
                if broken := _connections.pop(key, None):
                    broken.close()
                raise

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=2, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # nothing is lost that could not be read again
        connection.execute(f"PRAGMA cache_size=-{PAGE_CACHE_KB}")
        connection.executescript(SCHEMA)
        return connection

    def _failed(self, error: sqlite3.Error) -> None:
        log.warning("the cache of this machine failed (%s): %s", type(error).__name__, error)
