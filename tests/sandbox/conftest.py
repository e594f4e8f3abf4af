"""What the embedded platform's tests start from."""

from collections.abc import Iterator

import pytest

from dashboard.sandbox import clock as sandbox_clock
from tests.sandbox.world import NOW, Api, World
from tests.snapshots import Snapshots


@pytest.fixture(scope="module", autouse=True)
def empty_platform(request: pytest.FixtureRequest) -> None:
    """These tests make a world of their own, also when others have seeded the database before."""
    states: Snapshots = request.getfixturevalue("platform_states")
    states.use("empty")


@pytest.fixture
def clock() -> Iterator[sandbox_clock.Frozen]:
    """Noon, and it stays noon."""
    frozen = sandbox_clock.Frozen(NOW)
    sandbox_clock.set_clock(frozen)
    yield frozen
    sandbox_clock.set_clock(sandbox_clock.Wall())


@pytest.fixture
def world(db: None, clock: sandbox_clock.Frozen) -> World:
    """A small world at noon."""
    return World().fill()


@pytest.fixture
def api(world: World) -> Api:
    """The way to call, in this world."""
    return Api()
