"""After sign-in the worker reads what lists show of each video; from then on only what can have changed is read."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, connections
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account, Device
from dashboard.sandbox.models import Video
from dashboard.upstream import library
from dashboard.upstream.models import KnownAnswer
from dashboard.upstream.reads import Reads
from dashboard.videos import tasks
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh
from tests.answering import count_calls
from tests.forgetting import make_old
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
VIDEOS = 75
ALL = len(tasks.FACTS) * VIDEOS


@pytest.fixture
def sixty(read_a_run: Callable[[int], None]) -> None:
    """The worker reads sixty facts in one run."""
    read_a_run(60)


@pytest.fixture(autouse=True)
def changed_long_ago(owner: Client) -> None:
    """The list says of no video that it was changed lately."""
    Video.objects.update(updated_at=timezone.now() - timedelta(days=9))


def later(hours: float) -> None:
    """So many hours pass, for what is known and for the worker."""
    make_old(hours * 3600)
    LibraryReading.objects.update(next_at=F("next_at") - timedelta(hours=hours))


def moving_of(owner: Client) -> str:
    """What the overview says is in progress."""
    return owner.get("/dashboard/").content.decode().partition('id="moving"')[2].partition("</section>")[0]


def test_sign_in_is_enough_for_the_worker_to_read_everything_once(owner: Client) -> None:
    assert tasks.read_library.call() == ALL
    for operation in ("videos.subtitles", "videos.get"):
        assert KnownAnswer.objects.filter(operation=operation).count() == VIDEOS
    LibraryReading.objects.update(next_at=None)
    assert tasks.read_library.call() == 0, "there is nothing that can have changed"


def test_overview_says_how_far_the_first_reading_is(owner: Client, sixty: None) -> None:
    assert tasks.read_library.call() == 60
    assert "30 of 75 videos read. About 2 minutes left." in moving_of(owner)  # what the overview reads is known, too
    assert tasks.read_library.call() == 60
    assert re.search(r"6\d of 75 videos read\. About 1 minute left\.", moving_of(owner))
    assert 0 < tasks.read_library.call() <= 30
    assert "Reading your library" not in moving_of(owner)


def test_lists_of_what_was_read_ask_for_the_list_alone(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.read_library.call()
    told = [count_calls(monkeypatch, name) for name in ("videos.get", "videos.subtitles")]
    owner.get("/dashboard/ai-content/")
    owner.get("/dashboard/videos/?missing=de&view=table")
    assert told == [[], []]


def test_only_a_video_that_the_list_says_was_changed_is_read_again(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.read_library.call()
    later(2)
    Video.objects.filter(pk=cast["videos"]["plain"]).update(updated_at=timezone.now())
    told = [count_calls(monkeypatch, fact.operation) for fact in tasks.FACTS]
    assert tasks.read_library.call() == 2
    assert [[request.path[1] for request in requests] for requests in told] == [[cast["videos"]["plain"]]] * 2


def test_what_nobody_calls_changed_is_read_again_in_a_slow_round(owner: Client, sixty: None) -> None:
    for _run in range(3):
        tasks.read_library.call()
    later(19)
    assert tasks.read_library.call() == 0
    later(2)
    assert [tasks.read_library.call() for _run in range(3)] == [60, 60, 30]
    assert "Reading your library" not in moving_of(owner), "it is known, though not new"


def test_new_video_is_read_with_the_next_look_at_the_list(owner: Client) -> None:
    tasks.read_library.call()
    later(2)
    newest = Video.objects.first()
    assert newest is not None
    KnownAnswer.objects.filter(operation__in=("videos.get", "videos.subtitles"), about=str(newest.pk)).delete()
    assert tasks.read_library.call() == 2


@pytest.mark.parametrize(("days", "read"), [(29, ALL), (31, 0)])
def test_account_is_read_for_thirty_days_after_it_was_used(owner: Client, days: int, read: int) -> None:
    Device.objects.update(seen_at=F("seen_at") - timedelta(days=days))
    assert tasks.read_library.call() == read


def test_use_makes_the_worker_go_on_after_a_long_time(owner: Client) -> None:
    tasks.read_library.call()
    LibraryReading.objects.update(wanted_at=F("wanted_at") - timedelta(days=40))
    KnownAnswer.objects.filter(operation="videos.get").delete()
    LibraryReading.objects.update(next_at=None)
    assert tasks.read_library.call() == VIDEOS


def test_pause_that_the_platform_asks_for_is_said_with_its_end(owner: Client, faults: ModuleType) -> None:
    faults.set("videos.get", status=429, retry_after=120)
    assert tasks.read_library.call() == VIDEOS + 1
    said = moving_of(owner)
    assert "Too many requests. Continues at" in said
    assert tasks.read_library.call() == 0


def test_end_of_the_budget_is_no_trouble_and_leaves_room_for_pages(
    owner: Client, settings: Settings, one_window: None
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 50
    read = tasks.read_library.call()
    assert 20 <= read <= 30
    assert tasks.read_library.call() == 0
    row = LibraryReading.objects.get()
    assert row.reason == ""
    assert row.left == ALL - read
    assert owner.get("/dashboard/lives/").status_code == 200
    cache.clear()  # the minute is over
    assert 20 <= tasks.read_library.call() <= 30


def test_video_of_which_nothing_is_told_does_not_stop_the_others(owner: Client, faults: ModuleType) -> None:
    faults.set("videos.get", status=404)
    assert tasks.read_library.call() == ALL
    assert "Reading your library" not in moving_of(owner)
    LibraryReading.objects.update(next_at=None)
    assert tasks.read_library.call() == 0, "it is asked for once a day"


def test_another_account_is_read_for_itself(owner: Client, cast: dict[str, Any]) -> None:
    tasks.read_library.call()
    assert set(KnownAnswer.objects.values_list("account", flat=True)) == {Account.objects.get().pk}


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_worker_that_is_killed_loses_nothing_of_what_it_has_read(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the other process opens the same files")
    names = [str(connections[alias].settings_dict["NAME"]) for alias in ("default", "sandbox")]
    command = [sys.executable, "-m", "tests.videos.reading_process", *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for _call in range(40):
            assert worker.stdout.readline()
        worker.send_signal(signal.SIGKILL)
    known = KnownAnswer.objects.filter(operation__in=[fact.operation for fact in tasks.FACTS]).count()
    row = LibraryReading.objects.get()
    assert 40 - library_refresh.AT_ONCE - 2 <= known < ALL  # two calls are for the list and the folders
    assert ALL - known <= row.left <= ALL - known + library_refresh.AT_ONCE
    told = [count_calls(monkeypatch, fact.operation) for fact in tasks.FACTS]
    assert tasks.read_library.call() == ALL - known
    assert sum(map(len, told)) == ALL - known, "nothing is asked for again"
    assert LibraryReading.objects.get().left == 0


def test_worker_waits_a_moment_for_room_in_the_budget(
    owner: Client, settings: Settings, one_window: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 50
    slept: list[float] = []

    def pass_by(seconds: float) -> None:
        slept.append(seconds)
        cache.clear()  # the minute is over

    monkeypatch.setattr(library_refresh, "SECONDS", 100.0)
    replace_time(monkeypatch, "dashboard.writes.library_refresh", sleep=pass_by)
    assert tasks.read_library.call() == 30, "no more than its share in one run"
    first = [entry.id for entry in library.all_entries(Reads(Account.objects.get()), 60)[:30]]
    known = KnownAnswer.objects.filter(operation="videos.subtitles").values_list("about", flat=True)
    assert set(known) == set(first), "what was refused is asked for next"
    assert slept
    assert all(0 < seconds <= 70 for seconds in slept)


def test_list_is_not_read_again_for_every_run(owner: Client, sixty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.read_library.call()
    make_old(10 * 60)
    listed = count_calls(monkeypatch, "videos.list")
    assert tasks.read_library.call() == 60
    assert listed == []
