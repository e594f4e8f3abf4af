"""How many functions of ours a request enters on its way: whoever follows it has to read each of them.

Pure functions are not counted: what they decide is said by their names, and by tests of their own.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


PURE = frozenset({"rules.py", "statistics.py", "dispersion.py", "splits.py", "counts.py", "tracking.py"})
"""Modules of pure functions."""


class Way:
    """The functions of a folder that were entered, each once and in this order, until one whose name is `end` was."""

    def __init__(self, folder: str, end: str) -> None:
        self.folder, self.end = f"{ROOT / folder}/", end
        self.stays: dict[CodeType, str] = {}
        self.is_over = False

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """What `sys.setprofile` calls for each function that is entered or left. Comprehensions are no functions."""
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<"):
            return
        if code.co_qualname == self.end:
            self.is_over = True
            sys.setprofile(None)
        elif code.co_filename.startswith(self.folder) and (path := Path(code.co_filename)).name not in PURE:
            self.stays.setdefault(code, f"{path.relative_to(ROOT)}: {code.co_qualname}")

    def __str__(self) -> str:
        return "\n".join([f"{len(self.stays)} stays:", *self.stays.values()])


@contextmanager
def follow(folder: str, end: str) -> Iterator[Way]:
    """Note what is entered in this thread, in `folder`, until the function `end` is."""
    way, before = Way(folder, end), sys.getprofile()
    sys.setprofile(way.note)
    try:
        yield way
    finally:
        sys.setprofile(before)
