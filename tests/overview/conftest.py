"""What the overview shows, of a few sources."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import pytest

from dashboard.overview import registry

Offer: TypeAlias = Callable[[dict[str, registry.Provider]], None]


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Offer:
    """`offer({"one": Provider(source)})`: these sources have what waits, and no others."""
    return partial(monkeypatch.setattr, registry, "PROVIDERS")
