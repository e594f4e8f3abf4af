"""One group of calls of an account is out at a time, whoever reads; each reading has its turn, also after a kill."""

import threading
import time
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from pytest_django import Settings

from dashboard.writes.library_refresh import WAIT_STEP, take_turn


class Group:
    """Groups of calls that are out, and who has them, by readings of one or more accounts."""

    def __init__(self) -> None:
        self.out, self.most = 0, 0
        self.taken: list[str] = []
        self._lock = threading.Lock()

    def read(self, name: str, account_id: UUID, groups: int) -> None:
        for _group in range(groups):
            with take_turn(account_id):
                with self._lock:
                    self.out += 1
                    self.most = max(self.most, self.out)
                    self.taken.append(name)
                time.sleep(3 * WAIT_STEP)  # longer than the one that waits sleeps between two looks
                with self._lock:
                    self.out -= 1


def run(*readings: threading.Thread) -> None:
    for reading in readings:
        reading.start()
    for reading in readings:
        reading.join(timeout=30)


def test_two_readings_of_an_account_take_turns_and_neither_waits_for_the_end_of_the_other() -> None:
    group, account_id = Group(), uuid4()
    run(*(threading.Thread(target=group.read, args=(name, account_id, 6)) for name in "ab"))
    assert group.most == 1 and sorted(group.taken) == [*"aaaaaabbbbbb"]
    alike = sum(one == other for one, other in pairwise(group.taken))
    assert alike <= 4, f"whoever had a turn lets the other one have the next: {group.taken}"


def test_readings_of_two_accounts_do_not_wait_for_each_other() -> None:
    group, both_out = Group(), threading.Barrier(2, timeout=10)

    def read(name: str, account_id: UUID) -> None:
        with take_turn(account_id):
            both_out.wait()
            group.taken.append(name)

    run(*(threading.Thread(target=read, args=(name, uuid4())) for name in "ab"))
    assert sorted(group.taken) == ["a", "b"]


def test_turn_of_a_reading_that_failed_is_over() -> None:
    account_id = uuid4()
    with pytest.raises(ZeroDivisionError), take_turn(account_id):
        raise ZeroDivisionError
    assert cache.get(f"reading-turn:{account_id}") is None, "nobody waits for the time that a killed one has"


def test_group_that_took_too_long_does_not_end_the_turn_of_the_next_one() -> None:
    account_id = uuid4()
    with take_turn(account_id):
        cache.set(f"reading-turn:{account_id}", "the next one", 30)
    assert cache.get(f"reading-turn:{account_id}") == "the next one"


@pytest.mark.parametrize(("seconds", "kept"), [(0.0, 16), (40.0, 41)])
def test_turn_of_a_killed_reading_ends_after_the_longest_that_a_group_takes(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, seconds: float, kept: int
) -> None:
    settings.PLATFORM_TIMEOUT = 15
    times: list[int] = []
    add = cache.add

    def note(key: str, value: object, timeout: int) -> bool:
        times.append(timeout)
        return add(key, value, timeout)

    monkeypatch.setattr(cache, "add", note)
    with take_turn(uuid4(), seconds):
        assert times == [kept]


def test_one_that_waited_and_was_killed_keeps_the_turn_from_others_for_two_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account_id, named, add = uuid4(), list[tuple[str, int]](), cache.add

    turn, following = f"reading-turn:{account_id}", f"reading-next:{account_id}"

    def note(key: str, value: object, timeout: int) -> bool:
        named.append((key, timeout))
        if key == following:
            cache.delete(turn)  # the other one is done
        return add(key, value, timeout)

    monkeypatch.setattr(cache, "add", note)
    add(turn, "working", 60)
    with take_turn(account_id):
        assert set(named) == {(turn, 16), (following, 2)}
    add(following, "killed", 1)
    with take_turn(account_id):
        assert cache.get(following) is None
