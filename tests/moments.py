"""When something happened, held against the time that its test took: the same on a slow machine."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone


@dataclass
class Span:
    """From the beginning of a block to its end."""

    began: datetime
    ended: datetime

    def holds(self, moment: datetime | None, later: timedelta = timedelta()) -> bool:
        """Whether `moment` lies in the block, or as much `later`."""
        return moment is not None and self.began + later <= moment <= self.ended + later


@contextmanager
def measure_span() -> Iterator[Span]:
    """`with measure_span() as span: …`, then `assert span.holds(write.ended_at)`."""
    span = Span(timezone.now(), timezone.now())
    yield span
    span.ended = timezone.now()


def replace_time(monkeypatch: pytest.MonkeyPatch, module: str, **functions: Callable[..., Any]) -> None:
    """Give one module another clock, or another sleep: `sleep=moments.append`. Everything else in the process keeps its own."""
    monkeypatch.setattr(f"{module}.time", SimpleNamespace(**{**vars(time), **functions}))
