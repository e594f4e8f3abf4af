"""What a 429 means for calls and pages: nothing is lost, and everybody is told until when."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import unescape
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api import Platform, open_http
from dashboard.platform_api.circuits import Circuits
from dashboard.platform_api.errors import OverBudget, RateLimited
from dashboard.platform_api.request import Request
from dashboard.upstream import budget, parallel, reads
from dashboard.upstream.budget import Budget
from tests.conftest import signed_in
from tests.forgetting import forget, make_old
from tests.platform_api.operations import CONFIG, VIDEO

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PLAYLISTS = "/dashboard/playlists/"
READ = Request("videos.list", "GET", ("videos",))
TIME = re.compile(r"\d\d:\d\d:\d\d")


@pytest.fixture(autouse=True)
def limited(settings: Settings) -> None:
    """A budget, although the platform is the embedded one."""
    settings.PLATFORM_CALLS_PER_MINUTE = 100


@pytest.fixture
def sent() -> list[httpx.Request]:
    return []


@pytest.fixture
def platform(sent: list[httpx.Request]) -> Callable[..., Platform]:
    """A platform whose answers are given, with the budget in front of it. It never really sleeps."""

    def make(*answers: httpx.Response, slept: list[float] | None = None, token: str = "a-token") -> Platform:
        remaining = iter(answers)

        def handle(request: httpx.Request) -> httpx.Response:
            sent.append(request)
            return next(remaining, httpx.Response(200, json={"id": "1"}))

        http = open_http(CONFIG, httpx.MockTransport(handle))
        sleep = (slept if slept is not None else []).append
        return Platform(CONFIG, http, token, sleep=sleep, circuits=Circuits(), budget=Budget(token))

    return make


def known_part(page: str) -> str:
    found = re.search(r'<p class="known".*?</p>', page, re.DOTALL)
    return unescape(found[0]) if found else ""


@pytest.mark.parametrize(("header", "seconds"), [(None, 10), ("40", 40), ("a date", 40), ("soon", 10)])
def test_call_that_is_answered_429_is_sent_once_and_stops_those_that_can_wait(
    platform: Callable[..., Platform], sent: list[httpx.Request], header: str | None, seconds: float
) -> None:
    in_forty_seconds = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    named = {"a date": in_forty_seconds}.get(header or "", header)
    calls = platform(httpx.Response(429, headers={} if named is None else {"Retry-After": named}))
    with pytest.raises(RateLimited) as raised:
        calls.videos.get(VIDEO)
    assert raised.value.retry_after == pytest.approx(seconds, abs=1.5)
    for call in (lambda: calls.videos.get(VIDEO), lambda: calls.folders.list(), lambda: calls.lives.start("x")):
        with budget.can_wait(), pytest.raises(RateLimited) as refused:
            call()
        assert refused.value.status is None
        assert refused.value.until == pytest.approx(raised.value.until, abs=0.5)
    assert len(sent) == 1
    calls.folders.list()
    assert len(sent) == 2, "what a person waits for goes to the platform"


def test_short_pause_is_waited_for(platform: Callable[..., Platform], sent: list[httpx.Request]) -> None:
    slept: list[float] = []

    class Naps(list[float]):
        def append(self, seconds: float) -> None:
            slept.append(seconds)
            cache.clear()  # the pause is over

    calls = platform(httpx.Response(429, headers={"Retry-After": "2"}), slept=Naps())
    assert calls.videos.get(VIDEO).id
    assert slept == [pytest.approx(2, abs=0.1)]
    assert len(sent) == 2


def test_call_that_never_left_says_nothing_about_its_operation(platform: Callable[..., Platform]) -> None:
    calls = platform(*[httpx.Response(503)] * 12)
    circuits = calls._sender.circuits
    assert circuits is not None
    for _time in range(4):
        with pytest.raises(Exception, match="PlatformDown"):
            calls.videos.get(VIDEO)
    assert circuits.open_operations() == ["videos.get"]
    circuits._by_operation["videos.get"].open_until = 0.0
    Budget("a-token").slow_down(READ, 30)
    with budget.can_wait(), pytest.raises(RateLimited):
        calls.videos.get(VIDEO)
    assert circuits._by_operation["videos.get"].failures == 4


def test_nobody_s_error_loses_its_moment_on_its_way_through_the_cache() -> None:
    error = OverBudget("videos.get", retry_after=12.0)
    cache.set("error", error)
    kept = cache.get("error")
    assert type(kept) is OverBudget
    assert kept.until == error.until


def test_page_that_is_known_is_shown_with_its_age_and_follows_after_the_pause(
    owner: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = owner.get(PLAYLISTS).content.decode()
    make_old()
    Budget(Account.objects.get().token).slow_down(READ, 60)
    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(parallel, "start_meanwhile", lambda read: read())
    opened = owner.get(PLAYLISTS).content.decode()  # its reading fails while it is drawn
    page = owner.get(PLAYLISTS).content.decode()
    assert re.findall(r"/playlists/[0-9a-f-]{36}/", first) == re.findall(r"/playlists/[0-9a-f-]{36}/", page)
    part = known_part(page)
    assert "Last updated 1 h ago." in part
    assert TIME.search(part.partition("Too many requests. Updates automatically after ")[2])
    poll, wait = re.search(r'data-news="([^"]+)"', part), re.search(r'data-wait="(\d+)"', part)
    assert poll and wait
    assert 0 < int(wait[1]) <= 70
    assert owner.get(poll[1]).status_code == 204, "the pause is not over"
    told = owner.get(re.search(r'data-news="([^"]+)"', known_part(opened))[1])  # type: ignore[index]
    assert "Too many requests. Updates automatically after" in told.content.decode(), (
        "who was told “Updating…” learns of it"
    )
    later = time.time() + 71
    monkeypatch.setattr(time, "time", lambda: later)
    over = owner.get(poll[1])
    assert over.status_code == 200
    assert f'data-newer="{PLAYLISTS}"' in over.content.decode()


def test_error_of_a_pause_is_kept_until_it_is_over(
    owner: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner.get(PLAYLISTS)
    make_old()
    Budget(Account.objects.get().token).slow_down(READ, 60)
    settings.READ_SIDE_BY_SIDE = True
    begun: list[Any] = []
    monkeypatch.setattr(parallel, "start_meanwhile", lambda read: begun.append(read()))
    monkeypatch.setattr(reads, "FAILURE_SECONDS", 0.0)  # other errors are forgotten at once
    for _time in range(3):
        owner.get(PLAYLISTS)
    assert len(begun) == 1, "nobody asks again before"


def test_pause_that_the_platform_asked_for_is_told_on_the_health_page(
    owner: Client, faults: ModuleType, settings: Settings
) -> None:
    faults.set("playlists.list", status=429, retry_after=30)
    assert owner.get(PLAYLISTS).status_code == 503
    text = owner.get("/dashboard/health/").content.decode()
    assert TIME.search(text.partition("Pages show what is known until ")[2])
    assert re.search(r"Background requests this minute: \d+ of 60", text)
    settings.PLATFORM_CALLS_PER_MINUTE = 0
    assert "Background requests" not in owner.get("/dashboard/health/").content.decode()


def test_another_account_is_not_paused(owner: Client, faults: ModuleType, cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["other"])
    faults.set("playlists.list", status=429, times=1)
    assert owner.get(PLAYLISTS).status_code == 503
    assert other.get(PLAYLISTS).status_code == 200


def test_page_of_new_answers_and_polls_do_not_ask_the_budget(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.get(PLAYLISTS)

    def asked(*_arguments: Any) -> None:
        raise AssertionError("the budget was asked")

    monkeypatch.setattr(Budget, "admit", asked)
    for address in (
        PLAYLISTS,
        "/dashboard/upstream/news/?known=x.1&page=/",
        "/dashboard/health/",
        "/dashboard/health/banner/",
    ):
        assert owner.get(address).status_code in (200, 204)


def test_budget_costs_no_statement_of_the_database(owner: Client, settings: Settings) -> None:
    counts = []
    for limit in (0, 100_000):
        settings.PLATFORM_CALLS_PER_MINUTE = limit
        forget()
        owner.get(PLAYLISTS)  # what the process learns only once
        forget()
        with CaptureQueriesContext(connection) as statements:
            owner.get(PLAYLISTS)
        counts.append(len(statements))
    assert counts[0] == counts[1] > 0
