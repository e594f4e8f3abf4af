"""However many watch, the platform is asked once per object and interval."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache

from dashboard.platform_api.errors import PlatformDown
from dashboard.shared.locks import forget, shared_read, shared_reading


class Counter:
    """Counts the reads that reach the platform; fails while `broken`."""

    def __init__(self) -> None:
        self.reads = 0
        self.broken = False

    def __call__(self) -> int:
        if self.broken:
            raise PlatformDown("ai_workflow.jobs", 500)
        self.reads += 1
        return self.reads


def test_within_the_interval_the_first_answer_serves_everybody() -> None:
    platform = Counter()
    assert [shared_read("jobs:1", 60, platform) for _ in range(5)] == [1] * 5
    assert platform.reads == 1


def test_after_the_interval_it_is_read_anew() -> None:
    platform = Counter()
    shared_read("jobs:1", 60, platform)
    assert shared_read("jobs:1", 0, platform) == 2


def test_objects_do_not_share_their_answers() -> None:
    platform = Counter()
    assert shared_read("jobs:1", 60, platform) != shared_read("jobs:2", 60, platform)


def test_many_at_once_cause_one_read() -> None:
    entered, release = threading.Event(), threading.Event()
    reads: list[int] = []

    def slow() -> str:
        reads.append(1)
        entered.set()
        release.wait(5)
        return "answer"

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(shared_read, "jobs:1", 60, slow)
        assert entered.wait(5)
        rest = [pool.submit(shared_read, "jobs:1", 60, slow) for _ in range(7)]
        release.set()
        assert [future.result(5) for future in [first, *rest]] == ["answer"] * 8
    assert len(reads) == 1


def test_who_looked_before_another_s_read_ended_and_has_the_turn_after_it_takes_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    platform, take_turn = Counter(), cache.add

    def take_turn_late(*arguments: Any) -> bool:
        monkeypatch.undo()
        assert shared_read("jobs:1", 60, platform) == 1, "the other one's"
        return bool(take_turn(*arguments))

    monkeypatch.setattr(cache, "add", take_turn_late)
    assert shared_read("jobs:1", 60, platform) == 1
    assert platform.reads == 1
    assert shared_read("jobs:1", 0, platform) == 2, "the turn was given back"


def test_a_failure_shows_the_last_good_answer_with_its_error_and_age() -> None:
    platform = Counter()
    shared_reading("panel", 60, platform)
    platform.broken = True
    reading = shared_reading("panel", 0, platform)
    assert (reading.value, isinstance(reading.error, PlatformDown)) == (1, True)
    assert reading.age >= 0


def test_a_failure_without_a_good_answer_is_the_error_itself() -> None:
    platform = Counter()
    platform.broken = True
    with pytest.raises(PlatformDown):
        shared_reading("panel", 60, platform)
    platform.broken = False
    assert shared_read("panel", 60, platform) == 1, "the failed attempt does not block the next"


def test_after_a_write_the_kept_answer_is_dropped() -> None:
    platform = Counter()
    shared_read("jobs:1", 60, platform)
    forget("jobs:1")
    assert shared_read("jobs:1", 60, platform) == 2
