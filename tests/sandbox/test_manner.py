"""The embedded platform in other manners: without operations, and with reads in other shapes."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Missing
from dashboard.sandbox import faults
from dashboard.sandbox.faults import Shape
from dashboard.upstream.clients import platform_for
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture(autouse=True)
def plain_again() -> Iterator[None]:
    yield
    faults.use_manner()


def ask(path: str) -> Any:
    """The answer to a read as it came."""
    platform = platform_for(Account.objects.get())
    return platform.ask(lambda operations: getattr(operations, path).list()).json()


def test_an_operation_that_it_lacks_is_an_address_that_does_not_exist(owner: Client, cast: dict[str, Any]) -> None:
    faults.use_manner(without=frozenset({"lives.get"}))
    platform = platform_for(Account.objects.get())
    with pytest.raises(Missing, match="Route not found"):
        platform.lives.get(cast["lives"]["scheduled"])
    assert platform.lives.list()


def test_each_shape_is_what_it_is_called(owner: Client) -> None:
    plain = ask("playlists")["playlists"]
    faults.use_manner(shape=Shape.WRAPPED)
    assert ask("playlists") == {"data": {"playlists": plain}}
    faults.use_manner(shape=Shape.BARE)
    assert ask("playlists") == plain
    faults.use_manner(shape=Shape.STRINGS)
    assert all(isinstance(video, str) for one in ask("playlists")["playlists"] for video in one["videos"])
    assert isinstance(ask("videos")["total"], str)


@pytest.mark.parametrize("shape", [Shape.WRAPPED, Shape.BARE, Shape.STRINGS])
def test_what_is_documented_keeps_its_shape(owner: Client, shape: Shape) -> None:
    plain = ask("folders"), ask("comparisons")
    faults.use_manner(shape=shape)
    assert (ask("folders"), ask("comparisons")) == plain


@pytest.mark.parametrize("shape", list(Shape))
def test_pages_read_every_shape(owner: Client, cast: dict[str, Any], shape: Shape) -> None:
    faults.use_manner(shape=shape)
    forget()
    for address in (
        "/dashboard/", "/dashboard/videos/", f"/dashboard/videos/{cast['videos']['with_subtitles']}/", "/dashboard/lives/",
        f"/dashboard/lives/{cast['lives']['scheduled']}/", "/dashboard/funnels/",
        f"/dashboard/funnels/{cast['funnels']['main']}/",
        "/dashboard/playlists/", f"/dashboard/playlists/{cast['playlists']['own']}/", "/dashboard/assistants/",
        "/dashboard/review-links/", "/dashboard/subtitles/",
    ):  # fmt: skip
        answer = owner.get(address)
        assert answer.status_code == 200, (shape, address)
        if address != "/dashboard/funnels/":  # one of them is empty
            assert b">0 videos" not in answer.content, (shape, address)
