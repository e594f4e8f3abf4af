"""The first filling of a library stays within what the platform takes: four calls at a time, and none before a pause is over."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.analytics import tasks as analytics_tasks
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import PlatformDown
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from dashboard.review_links import tasks as link_tasks
from dashboard.sandbox.models import Video
from dashboard.upstream import library
from dashboard.videos import tasks
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh
from tests.answering import count_calls
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
MOST_AT_ONCE = 4
"""What the platform takes of one account at a time."""


class Flights:
    """How many calls are out at the same moment. Each stays out until as many are as will be, or a moment is over."""

    def __init__(self) -> None:
        self.most = self._out = 0
        self._lock = threading.Lock()

    def send(self, send: Callable[..., Any]) -> Callable[..., Any]:
        def sent(sender: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
            with self._lock:
                self._out += 1
                self.most = max(self.most, self._out)
            try:
                time.sleep(0.01)
                return send(sender, request, read)
            finally:
                with self._lock:
                    self._out -= 1

        return sent


@pytest.fixture
def flights(owner: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Flights:
    """Reads run side by side, as in production, once the list and the folders are known."""
    owner.get("/dashboard/videos/?wait=1")
    found = Flights()
    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(Sender, "send", found.send(Sender.send))
    return found


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
@pytest.mark.parametrize("videos", [1, 2, 75])
def test_at_most_four_calls_are_out_at_once_and_four_where_there_is_so_much_to_read(
    flights: Flights, videos: int
) -> None:
    """Of one video there are two facts, of two there are four: the fifth waits."""
    for video in Video.objects.order_by("created_at", "pk")[videos:]:
        video.delete()
    LibraryReading.objects.update(next_at=None)
    cache.clear()
    assert tasks.read_library.call() >= 2 * videos - 1
    assert flights.most <= MOST_AT_ONCE
    assert videos == 1 or flights.most == MOST_AT_ONCE == library_refresh.AT_ONCE


@pytest.mark.parametrize(("seconds", "goes_on"), [(0, False), (119, False), (121, True)])
def test_nothing_is_asked_before_the_pause_that_the_platform_wants_is_over(
    owner: Client, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, seconds: int, goes_on: bool
) -> None:
    faults.set("videos.subtitles", status=429, retry_after=120)
    told = count_calls(monkeypatch, "videos.subtitles")
    tasks.read_library.call()
    assert 1 <= len(told) <= MOST_AT_ONCE, "those that were out with the one that was refused, and none after it"
    faults.clear()
    told.clear()
    LibraryReading.objects.update(next_at=F("next_at") - timedelta(seconds=seconds))
    cache.clear()
    assert bool(tasks.read_library.call()) == goes_on and bool(told) == goes_on


def test_progress_counts_up_to_the_whole_library_and_is_gone_at_its_end(
    owner: Client, read_a_run: Callable[[int], None]
) -> None:
    read_a_run(60)
    said = []
    for _run in range(4):
        page = one_line(owner.get("/dashboard/videos/").content.decode())
        said.append(page.partition('<progress class="meter" max="75" value="')[2].partition('"')[0])
        LibraryReading.objects.update(next_at=timezone.now() - timedelta(seconds=1))
        tasks.read_library.call()
    numbers = [int(number) for number in said if number]
    assert numbers == sorted(numbers) and numbers[0] < numbers[-1] < 75
    assert "<progress" not in owner.get("/dashboard/videos/").content.decode()
    read_a_run(1000)
    analytics_tasks.read_traffic.call()
    link_tasks.read_links.call()
    page = owner.get("/dashboard/videos/").content.decode()
    assert "<progress" not in page and "so far" not in page


@pytest.mark.parametrize("status", [429, 500, 404])
def test_progress_counts_what_was_told_and_not_what_is_asked_again(
    owner: Client, faults: ModuleType, status: int, read_a_run: Callable[[int], None]
) -> None:
    """Else it went back with the next run. What the platform says that it does not have is asked no more."""
    read_a_run(4)
    tasks.read_library.call()
    before = LibraryReading.objects.get()
    faults.set("videos.subtitles", status=status)
    assert tasks.read_library.call() == library_refresh.AT_ONCE
    row = LibraryReading.objects.get()
    assert before.left - row.left == (library_refresh.AT_ONCE if status == 404 else 0)
    assert row.read - before.read == (library_refresh.AT_ONCE / 2 if status == 404 else 0)


@pytest.mark.parametrize("broken", [1, 2, 3, 4, 5, 75])
def test_videos_that_fail_again_and_again_keep_no_other_from_being_read(
    owner: Client, monkeypatch: pytest.MonkeyPatch, broken: int
) -> None:
    """The platform is down where nothing is told of four: then the run ends, and the next one begins with others."""
    ids = [str(pk) for pk in Video.objects.order_by("-created_at").values_list("pk", flat=True)[:broken]]
    send = Sender.send

    def fail(sender: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        if request.path[0] == "subtitles" and request.path[1] in ids:
            raise PlatformDown("videos.subtitles", 500)
        return send(sender, request, read)

    monkeypatch.setattr(Sender, "send", fail)
    asked = []
    for _run in range(3):
        asked.append(tasks.read_library.call())
        LibraryReading.objects.update(next_at=None)
    row = LibraryReading.objects.get()
    assert broken == 75 or row.left == broken
    assert row.reason == "videos.subtitles PlatformDown", "and that is said"
    assert broken < 75 or asked == [4, 4, 4], "nothing is told: it is asked no more than a little"


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_second_run_that_a_page_begins_reads_nothing_beside_the_first_one(flights: Flights) -> None:
    """Else there were eight calls out at once."""
    with ThreadPoolExecutor(2) as workers:
        asked = list(workers.map(lambda _number: tasks.read_library.call(), range(2)))
    assert min(asked) == 0 and max(asked) >= 2 * 75 - 1
    assert flights.most == MOST_AT_ONCE


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_all_that_is_read_of_an_account_stays_within_four_calls_together(flights: Flights, owner: Client) -> None:
    """Else the library, the traffic and the retention of the same account had twelve calls out at once."""
    owner.get("/dashboard/analytics/lessons/")
    owner.get("/dashboard/analytics/traffic/")
    LibraryReading.objects.update(next_at=None)
    cache.clear()
    flights.most = 0
    readings = (tasks.read_library, analytics_tasks.read_traffic, analytics_tasks.read_retention)
    with ThreadPoolExecutor(len(readings)) as workers:
        asked = list(workers.map(lambda reading: reading.call(), readings))
    assert all(count > 0 for count in asked)
    assert flights.most == MOST_AT_ONCE


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_list_that_comes_in_many_parts_is_read_four_at_a_time(
    flights: Flights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "WHOLE", 6)
    told = count_calls(monkeypatch, "videos.list")
    LibraryReading.objects.update(next_at=None)
    cache.clear()
    tasks.read_library.call()
    assert len(told) >= 75 // 6 and LibraryReading.objects.get().videos == 75
    assert flights.most == MOST_AT_ONCE
