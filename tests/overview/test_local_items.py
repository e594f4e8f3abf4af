"""What the overview shows without asking the platform keeps no call from leaving: the page's thread looks for it meanwhile."""

import threading
from collections.abc import Iterator

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.overview import registry
from dashboard.overview.registry import Owned, Todo
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import visit
from dashboard.upstream.reads import Reads

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def owner_request(owner: Client, rf: RequestFactory) -> OwnerRequest:
    request = OwnerRequest()
    request.__dict__.update(vars(rf.get("/dashboard/")))
    request.account, request.session = Account.objects.get(), owner.session
    return request


@pytest.fixture
def page_visit() -> Iterator[visit.PageVisit]:
    here = visit.begin()
    yield here
    here.end()


def test_providers_that_say_they_ask_the_platform_nothing_do_not(
    owner_request: OwnerRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(self: Reads, reads: dict[str, object]) -> tuple[dict[str, object], dict[str, object]]:
        asked.extend(reads)
        return {}, {}

    monkeypatch.setattr(Reads, "_look_up", note)
    assert set(registry.PROVIDERS) > registry.LOCAL
    for name in sorted(registry.LOCAL):
        registry.load_items(owner_request, name)
    assert asked == []


def test_local_items_are_looked_for_once_while_the_others_are_out_and_keep_their_place(
    owner_request: OwnerRequest,
    page_visit: visit.PageVisit,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
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
    monkeypatch.setattr(registry, "PROVIDERS", {"local": local, "asking": asking})
    monkeypatch.setattr(registry, "LOCAL", {"local"})
    collected = registry.collect(owner_request, patience=5)
    assert collected.owned == {"local", "asked"} and not collected.late
    assert threads == [threading.current_thread()]


def test_local_items_are_there_where_the_others_took_no_time_or_came_too_late(
    owner_request: OwnerRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()

    def local(_request: OwnerRequest) -> Iterator[Owned]:
        yield Owned("local")

    def slow(_request: OwnerRequest) -> Iterator[Todo]:
        never.wait(5)
        yield from ()

    monkeypatch.setattr(registry, "LOCAL", {"local"})
    monkeypatch.setattr(registry, "PROVIDERS", {"local": local})
    assert registry.collect(owner_request).owned == {"local"}, "outside of a page, and with nothing to wait for"
    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(registry, "PROVIDERS", {"slow": slow, "local": local})
    collected = registry.collect(owner_request, patience=0.1)
    never.set()
    assert collected.owned == {"local"} and collected.late == ("slow",)
