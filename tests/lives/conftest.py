"""A live of the demo that can be started."""

from typing import Any

import pytest


@pytest.fixture
def live(cast: dict[str, Any]) -> str:
    return str(cast["lives"]["scheduled"])
