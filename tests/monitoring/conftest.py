"""A log as operators get it."""

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from dashboard.monitoring.logs import JsonFormatter


@dataclass
class Log:
    """Everything that was logged, in production's format and at its most talkative."""

    stream: io.StringIO = field(default_factory=io.StringIO)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    def of(self, logger: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["logger"] == logger]


@pytest.fixture
def log() -> Iterator[Log]:
    made, root = Log(), logging.getLogger()
    handler, level = logging.StreamHandler(made.stream), root.level
    handler.setFormatter(JsonFormatter())
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield made
    root.setLevel(level)
    root.removeHandler(handler)
