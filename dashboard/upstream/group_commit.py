"""Group commit: what threads of this process write at the same moment goes into one transaction.

A database file has one writer at a time. Twenty reads beside a page that each wrote their answer in a transaction of its own kept
a comment waiting for 0.8 s: each of them held the file while the others had the interpreter.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from django.db import connection

T = TypeVar("T")
PATIENCE: Final = 1.0
"""Seconds. Where somebody else holds the database, a page says so sooner than the thread that has the turn may."""


class GroupCommit(Generic[T]):
    """`write` puts rows into the database. It gets all that was brought while another thread's call of it was under way."""

    def __init__(self, write: Callable[[Sequence[T]], object]) -> None:
        self._write = write
        self._brought: list[T] = []
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def put(self, rows: Sequence[T]) -> None:
        """Return when these rows are written, by this thread or by another one that had its turn before.

        What `write` raises is raised in the thread that called it; to the others whose rows it had, nothing is said. Who has no
        turn within `PATIENCE` writes without: rows may be written twice.
        """
        if not rows:
            return
        if connection.in_atomic_block:  # the turn may be with a thread that waits for the end of this transaction
            self._write(rows)
            return
        with self._lock:
            self._brought += rows
        if not self._turn.acquire(timeout=PATIENCE):
            self._write(rows)
            return
        try:
            with self._lock:
                brought, self._brought = self._brought, []
            if brought:
                self._write(brought)
        finally:
            self._turn.release()
