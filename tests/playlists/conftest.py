"""A playlist of the demo."""

from typing import Any

import pytest


@pytest.fixture
def playlist(cast: dict[str, Any]) -> str:
    return str(cast["playlists"]["own"])
