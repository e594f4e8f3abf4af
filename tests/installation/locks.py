"""Another process that holds SQLite's lock for writing."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(file: str) -> Iterator[None]:
    """The lock of `file` is held as long as this lasts."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield
    finally:
        process.communicate("")
