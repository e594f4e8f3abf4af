"""How Python and the C library ask the system for memory, and what they keep of it."""

import contextlib
import ctypes
import gc
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

TRIM_THRESHOLD: Final = -1
MMAP_THRESHOLD: Final = -3
ARENA_MAX: Final = -8
"""Parameters of glibc's `mallopt`."""
ARENAS: Final = 2
LARGE: Final = 128 * 1024
"""Bytes from which a block is the system's again as soon as it is free, and so is what is free at an arena's end."""
YOUNG: Final = 5_000
"""New objects before the collector looks for garbage among them; Python's default is 700. What it costs and
saves is in docs/decisions.md."""
FRAME: Final = 2**15 + 1
"""Values that the frame of `call_in_one_block` has room for, and never holds: 256 kB of a block of 512 kB. What is not written to
takes no memory."""


def keep_little() -> None:
    """Give free memory back to the system, and share two arenas between all threads. Call it before there are threads.

    glibc's default is an arena for each thread, up to eight for each core, and each keeps what its thread has needed once; the
    largest block that was ever freed also becomes the size from which blocks are given back. One thread at a time runs
    Python, so more arenas are no faster. A C library without `mallopt` is left as it is.
    """
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        for parameter, value in ((ARENA_MAX, ARENAS), (MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE)):
            library.mallopt(parameter, value)


def give_back() -> None:
    """Give the system what is free between blocks in use, as far as it is whole pages: 3 MB of a busy process, in 1 ms."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def search_garbage_seldom() -> None:
    """Never look for garbage in what is loaded now, and among new objects only after `YOUNG` of them.

    To go through everything that is loaded costs a page 70 ms. What needs a search is objects that refer to each other in a
    circle. Requests leave few of them (docs/decisions.md), and those stay for longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


def call_in_one_block(call: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """Call it so that all calls below it, some hundred deep, have their frames in one block of memory.

    CPython keeps the frames of a thread in blocks of 16 kB, and gives a block back as soon as its first frame has ended. A
    loop that calls functions just where a block ends asks the system for a block with each call: a page took up to
    twice its CPU, by how many calls lay around it (python/cpython#142183; Python 3.13 and 3.14 keep one block since 2026).
    A frame that needs more than a block gets a block of its size, rounded up to a power of two, and those below it lie in
    what is left there.
    """
    return call(*args, **kwargs)


call_in_one_block.__code__ = call_in_one_block.__code__.replace(co_stacksize=FRAME)
