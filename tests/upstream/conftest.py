"""An account, another one, a platform with one video, and reads beside pages that wait until a test runs them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.upstream import parallel
from dashboard.upstream.parallel import Outcome
from tests.house.addresses import ALL
from tests.house.things import address, make_things
from tests.review_portal.conftest import account, stranger, world
from tests.snapshots import Snapshots

__all__ = ["account", "stranger", "world"]

APART = ("sandbox:", "review_portal:")
"""Apps whose pages read nothing with an account's token."""


@pytest.fixture(scope="module", autouse=True)
def empty_platform(platform_states: Snapshots) -> None:
    """Nothing but what a test makes, unless it asks for the seeded one."""
    platform_states.use("empty")


@pytest.fixture
def paths(owner: Client, cast: dict[str, Any]) -> dict[str, str]:
    """Every address of the dashboard that reads with an account's token, by name."""
    things = make_things(owner, cast)
    return {name: address(name, things) for name in ALL if not name.startswith(APART)}


@pytest.fixture
def beside(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], Any]]:
    """Reads beside the page, which a test runs when it wants to; what a page waits for is read one after another."""
    works: list[Callable[[], Any]] = []

    def gather_each(
        asked: Mapping[str, Callable[[], Any]], patience: float | None = None, each: Any = None
    ) -> dict[str, Outcome]:
        return {name: parallel._outcome(read) for name, read in asked.items()}

    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(parallel, "start", lambda read, patience: works.append(read))
    monkeypatch.setattr(parallel, "start_meanwhile", works.append)
    monkeypatch.setattr(parallel, "start_afterwards", works.append)
    monkeypatch.setattr(parallel, "gather_each", gather_each)
    return works
