"""The tests' own promise: whoever asks for the cast finds the seed, whatever ran before."""

from typing import Any

import httpx
import pytest
from pytest_django.live_server_helper import LiveServer

from dashboard.sandbox.models import Organization, Token, Video
from tests.conftest import pytest_runtest_setup
from tests.sandbox.world import World
from tests.snapshots import Snapshots

BOTH = ["default", "sandbox"]


@pytest.mark.django_db(databases=BOTH)
def test_the_cast_is_there(cast: dict[str, Any]) -> None:
    assert Token.objects.filter(pk=cast["tokens"]["owner"]).exists()
    Video.objects.all().delete()


@pytest.mark.django_db(databases=BOTH)
def test_what_the_test_before_deleted_is_there_again(cast: dict[str, Any]) -> None:
    assert Video.objects.filter(pk=cast["videos"]["plain"]).exists()


@pytest.mark.parametrize("time", [1, 2])
@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_also_after_tests_that_commit(cast: dict[str, Any], time: int) -> None:
    assert Video.objects.filter(pk=cast["videos"]["plain"]).exists()
    Video.objects.all().delete()


@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_a_test_that_does_not_commit_finds_the_seed_also_after_one_that_did(
    cast: dict[str, Any], platform_states: Snapshots, request: pytest.FixtureRequest
) -> None:
    Video.objects.all().delete()
    platform_states.current = "unknown"
    pytest_runtest_setup(request.node)
    assert Video.objects.filter(pk=cast["videos"]["plain"]).exists()


@pytest.mark.loopback
@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_a_live_server_sees_it_too(cast: dict[str, Any], live_server: LiveServer) -> None:
    headers = {"authorization": cast["tokens"]["owner"]}
    assert httpx.get(f"{live_server.url}/sandbox/api/videos", headers=headers).json()["total"] >= 60


@pytest.mark.django_db(transaction=True, databases=BOTH)
def test_a_world_of_ones_own_is_alone(platform_states: Snapshots) -> None:
    platform_states.use("empty")
    World().account("only", [])
    assert Organization.objects.count() == 1
