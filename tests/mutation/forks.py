"""A function's answer from a forked process: whatever it breaks, this process and the databases stay as they are."""

import os
import pickle
import select
import shutil
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from django.conf import settings
from django.db import connections

from tests.snapshots import Snapshots

T = TypeVar("T")
STATES = pytest.StashKey[Snapshots]()
"""The states of the embedded platform's database, from the test that makes them to the plugin."""
KEPT = ".kept"
"""Beside a database file: the file as it was before the first fork."""


def run_in_fork(work: Callable[[], T], limit: float) -> T | None:
    """What `work` returns, or None when it took longer than `limit` seconds or its process died.

    Raises `RuntimeError` with the traceback of what `work` raised.
    """
    _restore_databases()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    answer = _read(reading, time.monotonic() + limit)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if not answer:
        return None
    value, error = pickle.loads(answer)  # noqa: S301  (our own process wrote it)
    if error:
        raise RuntimeError(error)
    return value  # type: ignore[no-any-return]  # what `work` returned


def keep_databases() -> None:
    """From now on every fork begins with the databases as they are."""
    for file in _files():
        shutil.copy(file, f"{file}{KEPT}")


def forget_databases() -> None:
    """Remove the copies."""
    for file in _files():
        Path(f"{file}{KEPT}").unlink(missing_ok=True)


def _restore_databases() -> None:
    for file in _files():
        if Path(f"{file}{KEPT}").exists():
            for beside in ("-wal", "-shm"):
                Path(f"{file}{beside}").unlink(missing_ok=True)
            shutil.copy(f"{file}{KEPT}", file)


def _files() -> list[str]:
    """The database files, with nothing of this process open in them."""
    connections.close_all()
    return [str(connections[alias].settings_dict["NAME"]) for alias in settings.DATABASES]


def _answer(work: Callable[[], T], writing: int) -> None:
    """Hand the answer over and end without any tidying: that belongs to the process that forked."""
    try:
        answer = pickle.dumps((work(), ""))
    except BaseException:
        answer = pickle.dumps((None, traceback.format_exc()))
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(answer)
    os._exit(0)


def _read(reading: int, until: float) -> bytes:
    """All that comes; b"" when it is not over in time."""
    parts: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(until - time.monotonic(), 0))[0]:
            if not (part := pipe.read(65536)):
                return b"".join(parts)
            parts.append(part)
    return b""
