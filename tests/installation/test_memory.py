"""Memory that is given back stays no process's, and what is done with is given back at once."""

import ctypes
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from dashboard.platform_api.errors import Unreachable
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Failed

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


HOLES = """
from pathlib import Path
from dashboard import memory
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
memory.keep_little()
held = [bytes(20_000) for _ in range(2_000)]
held = held[::5]
before = resident()
memory.give_back()
print(before - resident())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not glibc")
def test_what_is_free_between_blocks_in_use_is_given_back() -> None:
    printed = subprocess.run([sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert int(printed) > 20_000_000, "four fifths of 40 MB"


def test_a_process_of_the_server_gives_back_what_is_free_after_every_200_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dashboard import gunicorn, memory

    given: list[int] = []
    answered: list[None] = []
    monkeypatch.setattr(memory, "give_back", lambda: given.append(len(answered)))
    for _request in range(600):  # this process has answered some before
        gunicorn.post_request(None, None, None, None)
        answered.append(None)
    assert len(given) == 3 and [later - first for first, later in pairwise(given)] == [200, 200]


def test_production_limits_the_memory_of_its_threads_before_it_loads_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard import gunicorn, memory

    def begin() -> None:
        raise InterruptedError

    monkeypatch.setattr(memory, "keep_little", begin)
    with pytest.raises(InterruptedError):
        gunicorn.on_starting(None)


def test_a_read_that_failed_keeps_no_frame_of_the_thread_that_made_it() -> None:
    def fail() -> None:
        raise Unreachable("videos.list")

    outcome = parallel.gather(fail=fail)["fail"]
    assert isinstance(outcome, Failed)
    assert outcome.error.__traceback__ is None
