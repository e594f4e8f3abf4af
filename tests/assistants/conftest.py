"""What is switched: an assistant at a video."""

from typing import Any

import pytest


@pytest.fixture
def pair(cast: dict[str, Any]) -> tuple[str, str]:
    """An assistant and a video."""
    return str(cast["assistants"]["main"]), str(cast["videos"]["plain"])
