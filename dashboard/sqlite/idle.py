"""Open connections to SQLite's files that no thread of this process uses now.

A connection that is opened reads the whole schema and keeps it: 1 ms and 250 kB for the file of the product. Threads wait
most of the time, for people or for the platform, so a process needs far fewer connections than it has threads.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIFETIME: Final = 60.0
"""Seconds after which a connection is closed, at its next return: so what a busy minute has opened does not stay."""

_idle: dict[tuple[Path, int], "list[Opened]"] = {}
"""By file and process. What a fork inherits stays under its parent's number: closed, it would take the file's locks from
their owner."""


@dataclass(frozen=True, eq=False, slots=True)
class Opened:
    """A connection, and the file that it has open: `inode` 0 where there is none."""

    connection: sqlite3.Connection
    file: Path
    inode: int
    ends: float

    @property
    def is_over(self) -> bool:
        """Whether it has been open for long enough."""
        return time.monotonic() >= self.ends


def take(file: Path, connect: Callable[[], sqlite3.Connection]) -> Opened:
    """A connection to the file for this thread alone: an idle one, else the one that `connect` opens.

    The one that was used last comes first. None is given whose file has been replaced by another of its name.
    """
    idle, inode = _of(file), _inode(file)
    while idle:
        with contextlib.suppress(IndexError):  # another thread was faster
            opened = idle.pop()
            if inode and opened.inode == inode and not opened.is_over:
                return opened
            opened.connection.close()
    connection = connect()
    return Opened(connection, file, inode or _inode(file), time.monotonic() + LIFETIME)


def give_back(opened: Opened) -> None:
    """Let other threads use it. One that has been open for long is closed, and so are those that wait and have been."""
    idle = _of(opened.file)
    idle.append(opened)
    for old in [waiting for waiting in idle if waiting.is_over]:
        with contextlib.suppress(ValueError):  # another thread has taken it
            idle.remove(old)
            old.connection.close()


def _of(file: Path) -> list[Opened]:
    return _idle.setdefault((file, os.getpid()), [])


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return 0
