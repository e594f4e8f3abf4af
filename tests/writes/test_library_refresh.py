"""For whom the worker reads on, when, and what ends a slice."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account, Device
from dashboard.platform_api import errors
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh
from tests.moments import Freeze, replace_time

pytestmark = pytest.mark.django_db
LIST = "videos.list"


@pytest.fixture
def now(freeze: Freeze) -> datetime:
    """This moment, which does not pass."""
    return freeze(timezone.now())


@pytest.fixture
def connect() -> Callable[[str], Account]:
    def make(name: str) -> Account:
        account = Account(name=name)
        account.keep_token(f"token of {name}")
        account.save()
        return account

    return make


@pytest.fixture
def account(connect: Callable[[str], Account]) -> Account:
    return connect("Studio")


def look(account: Account, at: datetime) -> None:
    """Somebody was signed in to `account` then."""
    Device.objects.create(account=account, session_key=f"{at:%d%H%M}", seen_at=at)


def wanted(account: Account) -> datetime | None:
    return LibraryReading.objects.get(account=account).wanted_at


@pytest.mark.parametrize(("minutes", "noted"), [(59, False), (61, True), (None, True)])
def test_a_look_is_noted_once_an_hour(account: Account, now: datetime, minutes: int | None, noted: bool) -> None:
    before = None if minutes is None else now - timedelta(minutes=minutes)
    LibraryReading.objects.create(account=account, wanted_at=before)
    assert library_refresh.want(LibraryReading, account).account == account
    assert wanted(account) == (now if noted else before)


def test_first_look_is_noted_at_once_and_only_for_its_account(
    account: Account, connect: Callable[[str], Account], now: datetime
) -> None:
    LibraryReading.objects.create(account=connect("Other"), wanted_at=None)
    library_refresh.want(LibraryReading, account)
    assert dict(LibraryReading.objects.values_list("account__name", "wanted_at")) == {"Studio": now, "Other": None}


@pytest.mark.parametrize(("minutes", "noted"), [(59, False), (61, True), (None, True)])
def test_being_signed_in_counts_as_a_look_at_its_own_time(
    account: Account, now: datetime, minutes: int | None, noted: bool
) -> None:
    seen = now - timedelta(days=2)
    look(account, seen - timedelta(days=1))
    look(account, seen)
    before = None if minutes is None else seen - timedelta(minutes=minutes)
    LibraryReading.objects.create(account=account, wanted_at=before)
    library_refresh.want_for_all_seen(LibraryReading)
    assert wanted(account) == (seen if noted else before)


def test_who_was_signed_in_within_thirty_days_is_wanted_and_nobody_else(
    connect: Callable[[str], Account], now: datetime
) -> None:
    look(connect("lately"), now - timedelta(days=29))
    look(connect("long ago"), now - timedelta(days=31))
    library_refresh.want_for_all_seen(LibraryReading)
    assert list(LibraryReading.objects.values_list("account__name", "wanted_at")) == [
        ("lately", now - timedelta(days=29))
    ]


def test_those_that_are_due_come_in_the_order_of_their_waiting(
    connect: Callable[[str], Account], now: datetime
) -> None:
    for name, days, minutes in (
        ("waits", 1, 5),
        ("due a while", 1, -9),
        ("due now", 1, 0),
        ("never read", 29, None),
        ("unwanted", 31, None),
        ("of a clock that ran ahead", 1, 31 * 24 * 60),
    ):
        next_at = None if minutes is None else now + timedelta(minutes=minutes)
        LibraryReading.objects.create(account=connect(name), wanted_at=now - timedelta(days=days), next_at=next_at)
    assert [row.account.name for row in library_refresh.due(LibraryReading)] == [
        "never read",
        "due a while",
        "due now",
        "of a clock that ran ahead",
    ]


@pytest.mark.parametrize(
    ("error", "is_done", "seconds", "reason"),
    [
        (None, False, 0, ""),
        (None, True, 3600, ""),
        (errors.OverBudget(LIST, retry_after=20), False, 0, ""),
        (errors.RateLimited(LIST, 429, retry_after=90), False, 90, "videos.list RateLimited"),
        (errors.RateLimited(LIST, 429, retry_after=9), False, 60, "videos.list RateLimited"),
        (errors.RateLimited(LIST, 429, retry_after=9), True, 60, "videos.list RateLimited"),
        (errors.PlatformDown(LIST, 503), False, 60, "videos.list PlatformDown"),
        (errors.BadToken(LIST, 401), False, 300, "videos.list BadToken"),
    ],
)
def test_next_slice_comes_at_once_in_an_hour_or_after_the_pause_of_its_trouble(
    account: Account, now: datetime, error: errors.CallError | None, is_done: bool, seconds: int, reason: str
) -> None:
    row = LibraryReading.objects.create(account=account)
    library_refresh.put_off(row, error, is_done=is_done)
    row.refresh_from_db()
    assert (row.next_at, row.reason) == (now + timedelta(seconds=seconds), reason)


def test_trouble_is_told_again_as_it_was_noted(now: datetime) -> None:
    assert library_refresh.trouble_of("") is None
    down = library_refresh.trouble_of("videos.list PlatformDown", now)
    assert isinstance(down, errors.PlatformDown) and down.operation == LIST
    late = library_refresh.trouble_of("videos.list RateLimited", now + timedelta(seconds=40))
    assert isinstance(late, errors.RateLimited) and late.retry_after == 40
    unreached = library_refresh.trouble_of("videos.list Unreachable")
    assert isinstance(unreached, errors.Unreachable) and not unreached.sent


def test_a_pause_that_was_asked_for_ends_a_slice_before_other_troubles() -> None:
    down, limited = errors.PlatformDown(LIST, 503), errors.RateLimited(LIST, 429)
    missing = errors.Missing(LIST, 404)
    assert library_refresh.first_ending([missing, down, limited], errors.Missing) is limited
    assert library_refresh.first_ending([missing, down], errors.Missing) is down
    assert library_refresh.first_ending([missing], errors.Missing) is None
    assert library_refresh.first_ending([missing], errors.BadToken) is missing


@pytest.mark.parametrize(("seconds", "waits"), [(-5, 0), (9, 9), (11, None)])
def test_room_in_the_budget_is_waited_for_where_the_run_lasts_so_long(
    monkeypatch: pytest.MonkeyPatch, seconds: int, waits: int | None
) -> None:
    slept: list[float] = []
    error = errors.OverBudget(LIST, retry_after=1)
    error.until = 1000.0 + seconds
    clocks: dict[str, Any] = {"time": lambda: 1000.0, "monotonic": lambda: 50.0, "sleep": slept.append}
    replace_time(monkeypatch, "dashboard.writes.library_refresh", **clocks)
    assert library_refresh.wait_for_budget(error, 60.0) is (waits is not None)
    assert slept == ([] if waits is None else [waits])


@pytest.mark.parametrize(
    "error", [None, errors.OverBudget(LIST), errors.RateLimited(LIST, 429, retry_after=1), errors.PlatformDown(LIST)]
)
def test_nothing_but_the_budget_is_waited_for(error: errors.CallError | None) -> None:
    assert library_refresh.wait_for_budget(error, time.monotonic() + 60) is False


def test_a_run_reads_for_each_account_until_its_seconds_are_over(
    connect: Callable[[str], Account], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(3):
        LibraryReading.objects.create(
            account=connect(f"{place}"), wanted_at=now, next_at=now - timedelta(minutes=9 - place)
        )
    passed = [100.0]
    replace_time(monkeypatch, "dashboard.writes.library_refresh", monotonic=lambda: passed[0])
    ends: list[tuple[str, float]] = []

    def read_on(row: LibraryReading, end: float) -> int:
        ends.append((row.account.name, end))
        passed[0] += 11
        return 4

    assert library_refresh.read_due(LibraryReading, read_on) == 8
    assert ends == [("0", 120.0), ("1", 120.0)]


def test_of_two_runs_at_once_one_reads_an_account_and_the_other_one_the_next(
    connect: Callable[[str], Account], now: datetime
) -> None:
    """The list of a page begins a run of its own, whatever runs."""
    for place in range(2):
        LibraryReading.objects.create(account=connect(f"{place}"), wanted_at=now, next_at=None)
    read: list[str] = []

    def read_on(row: LibraryReading, _end: float) -> int:
        read.append(row.account.name)
        if len(read) == 1:
            assert library_refresh.read_due(LibraryReading, read_on) == 1
        LibraryReading.objects.filter(pk=row.pk).update(next_at=now + timedelta(hours=1))
        return 1

    assert library_refresh.read_due(LibraryReading, read_on) == 1
    assert sorted(read) == ["0", "1"], "what the other run has read meanwhile is not due any more"


def test_account_whose_run_failed_or_was_killed_is_read_with_the_next_one(
    connect: Callable[[str], Account], now: datetime
) -> None:
    LibraryReading.objects.create(account=connect("0"), wanted_at=now, next_at=None)

    def fail(_row: LibraryReading, _end: float) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        library_refresh.read_due(LibraryReading, fail)
    assert library_refresh.read_due(LibraryReading, lambda _row, _end: 7) == 7
    assert library_refresh.EVERY.total_seconds() > library_refresh.TURN_SECONDS, "a killed one keeps its turn so long"


@pytest.mark.parametrize(("calls", "minutes"), [(0, 0), (1, 1), (92, 1), (93, 2), (10_000, 109)])
def test_estimate_knows_that_runs_of_a_minutes_calls_are_seventy_seconds_apart(
    settings: Settings, calls: int, minutes: int
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 180  # of which reading beside pages has 108
    assert library_refresh.estimate_minutes(calls) == minutes
