"""How the C library keeps the memory that Python gives back."""

import contextlib
import ctypes
from typing import Final

TRIM_THRESHOLD: Final = -1
MMAP_THRESHOLD: Final = -3
ARENA_MAX: Final = -8
"""Parameters of glibc's `mallopt`."""
ARENAS: Final = 2
LARGE: Final = 128 * 1024
"""Bytes from which a block is the system's again as soon as it is free, and so is what is free at an arena's end."""


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
