"""Memory that is given back stays no process's."""

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THREADS_THAT_ALLOCATE = """
import ctypes, sys, threading
from dashboard import memory
if sys.argv[1] == "kept":
    memory.keep_little()
meet = threading.Barrier(12)
def work():
    meet.wait()
    held = [bytes(50_000) for _ in range(50)]
    meet.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
library = ctypes.CDLL(None)
library.fdopen.restype = ctypes.c_void_p
library.malloc_info(0, ctypes.c_void_p(library.fdopen(1, b"w")))
library.fflush(None)
"""


def _arenas(kept: str) -> int:
    command = [sys.executable, "-c", THREADS_THAT_ALLOCATE, kept]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return len(re.findall(r"<heap nr=", printed))


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="the C library is not glibc")
def test_threads_share_two_arenas_of_memory_where_production_asks_for_it() -> None:
    assert _arenas("kept") <= 2 < _arenas("as it is")


def test_production_limits_the_memory_of_its_threads_before_it_loads_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard import gunicorn, memory

    def begin() -> None:
        raise InterruptedError

    monkeypatch.setattr(memory, "keep_little", begin)
    with pytest.raises(InterruptedError):
        gunicorn.on_starting(None)
