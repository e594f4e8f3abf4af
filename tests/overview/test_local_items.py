"""What the overview shows without asking the platform keeps no call from leaving: the page's thread looks for it meanwhile."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.overview import registry
from dashboard.overview.registry import PROVIDERS, Owned, Provider, Todo
from dashboard.platform_api.errors import Missing, PlatformDown
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads
from tests.conftest import AtPlatform
from tests.forgetting import forget
from tests.overview.conftest import Offer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
OUTCOMES: Final[dict[str, Outcome]] = {
    "own": Ready("own"),
    "todo told": Ready("known"),
    "todo absent": Failed(Missing("videos.list")),
    "todo missed": Failed(Missing("videos.list")),
    "todo down": Failed(PlatformDown("videos.list", 500, "")),
    "todo late": Late(),
    "todo broken": Ready("known"),
}


@pytest.fixture
def owner_request(owner: Client, rf: RequestFactory) -> OwnerRequest:
    request = OwnerRequest()
    request.__dict__.update(vars(rf.get("/dashboard/")))
    request.account, request.session = Account.objects.get(), owner.session
    return request


@pytest.fixture
def page_visit() -> Iterator[parallel.PageVisit]:
    here = parallel.begin_visit()
    yield here
    here.end()


def test_providers_that_say_they_ask_the_platform_nothing_do_not(
    owner_request: OwnerRequest, at_platform: AtPlatform
) -> None:
    asked: list[object] = []
    at_platform.arrives("*", asked.append)
    local = [name for name, provider in PROVIDERS.items() if not provider.asks_platform]
    assert local and len(local) < len(PROVIDERS)
    forget()
    for name in local:
        registry.load_items(owner_request, name)
    assert asked == []
    registry.collect(owner_request)
    assert asked


def test_local_items_are_looked_for_once_while_the_others_are_out_and_keep_their_place(
    owner_request: OwnerRequest, page_visit: parallel.PageVisit, settings: Settings, offer: Offer
) -> None:
    threads: list[threading.Thread] = []
    local_is_done = threading.Event()

    def local(_request: OwnerRequest) -> Iterator[Owned]:
        threads.append(threading.current_thread())
        local_is_done.set()
        yield Owned("local")

    def asking(_request: OwnerRequest) -> Iterator[Owned]:
        assert local_is_done.wait(5)
        yield Owned("asked")

    settings.READ_SIDE_BY_SIDE = True
    providers = {"local": Provider(local, asks_platform=False), "asking": Provider(asking)}
    offer(providers)
    collected = registry.collect(owner_request, patience=5)
    assert collected.owned == {"local", "asked"} and not collected.late
    assert threads == [threading.current_thread()]


def test_local_items_are_there_where_the_others_took_no_time_or_came_too_late(
    owner_request: OwnerRequest, settings: Settings, offer: Offer
) -> None:
    never = threading.Event()

    def local(_request: OwnerRequest) -> Iterator[Owned]:
        yield Owned("local")

    def slow(_request: OwnerRequest) -> Iterator[Todo]:
        never.wait(5)
        yield from ()

    only_local = {"local": Provider(local, asks_platform=False)}
    offer(only_local)
    assert registry.collect(owner_request).owned == {"local"}, "outside of a page, and with nothing to wait for"
    settings.READ_SIDE_BY_SIDE = True
    offer({"slow": Provider(slow), **only_local})
    collected = registry.collect(owner_request, patience=0.1)
    never.set()
    assert collected.owned == {"local"} and collected.late == ("slow",)


def test_provider_with_a_query_is_given_its_answer_and_an_optional_one_is_silent_where_there_is_none(
    owner_request: OwnerRequest, monkeypatch: pytest.MonkeyPatch, calls: Callable[[str], int], offer: Offer
) -> None:
    def told(_request: OwnerRequest, answer: str) -> Iterator[Owned]:
        yield Owned(answer)

    def broken(_request: OwnerRequest, _answer: str) -> Iterator[Owned]:
        raise PlatformDown("videos.list", 500, "")
        yield

    def answers(_reads: Reads, calls: Mapping[str, object], _patience: float | None, each: Any) -> dict[str, Outcome]:
        outcomes = {name: OUTCOMES[name] for name in calls}
        each("todo told", outcomes["todo told"])
        return outcomes

    query: Query[Any] = Query(lambda platform: platform.videos.list())
    asking = Provider(told, query=query)
    providers = dict.fromkeys(("told", "missed", "down", "late"), asking)
    providers |= {"absent": replace(asking, is_optional=True), "broken": replace(asking, source=broken)}
    offer(providers)
    monkeypatch.setattr(Reads, "gather_each", answers)
    outcomes = registry.load_outcomes(owner_request, {"own": query})
    collected = registry.build_collection(outcomes)
    assert collected.owned == {"known"} and outcomes["own"] == OUTCOMES["own"]
    assert collected.failed.keys() == {"missed", "down", "broken"} and collected.late == ("late",)
