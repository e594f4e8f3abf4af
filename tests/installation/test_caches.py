"""What processes share: a file on one machine, Redis on several, and the file again while Redis does not answer."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client, override_settings

from dashboard import file_cache, redis_cache
from dashboard.file_cache import FileCache
from dashboard.upstream import budget
from tests.moments import replace_time

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def shared(tmp_path: Path) -> FileCache:
    return FileCache(str(tmp_path / "cache.sqlite3"), {"OPTIONS": {"MAX_ENTRIES": 100}})


def another(cache: FileCache) -> FileCache:
    """The same file, as another process opens it."""
    return FileCache(str(cache._file), {"OPTIONS": {"MAX_ENTRIES": 100}})


def test_what_a_clock_that_ran_ahead_has_kept_holds_nobody_off(
    shared: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_time(monkeypatch, "dashboard.file_cache", time=lambda: time.time() + 31 * 86_400)
    shared.add("turn", 1, 60)
    shared.set_many({"count": 7, "read": "old"}, None)
    replace_time(monkeypatch, "dashboard.file_cache")
    assert shared.get_many(["turn", "count", "read"]) == {}
    with pytest.raises(ValueError, match="count"):
        shared.incr("count")
    assert not shared.touch("read")
    assert shared.add("turn", 2, 60) and not shared.add("turn", 3, 60)
    shared.prune()
    assert shared._read("SELECT count(*) FROM entry")[0][0] == 1
    replace_time(monkeypatch, "dashboard.file_cache", time=lambda: time.time() - 5)
    assert shared.get("turn") == 2, "a clock is set back a little now and then"


def test_what_one_process_keeps_changes_and_drops_another_finds(shared: FileCache) -> None:
    shared.set_many({"a": {"n": 1}, "b": None, "c": 3}, 60)
    other = another(shared)
    assert other.get_many(["a", "b", "c", "d"]) == {"a": {"n": 1}, "b": None, "c": 3}
    other.set("a", 2)
    assert (shared.get("a"), shared.delete("a"), shared.delete("a"), other.get("a", "none")) == (2, True, False, "none")
    other.clear()
    assert shared.get("c") is None


def test_every_key_will_do(shared: FileCache) -> None:
    shared.set("a long one, with spaces " * 20, 1)
    assert shared.get("a long one, with spaces " * 20) == 1


def test_counts_of_calls_stay_when_a_server_starts_anew(shared: FileCache) -> None:
    names = [f"{budget.COUNTERS}platform.example:7", "calls-paused:x", "read:something"]
    shared.set_many(dict.fromkeys(names, 7), 60)
    shared.clear(but=budget.COUNTERS)
    assert another(shared).get_many(names) == {names[0]: 7}


def test_threads_of_one_process_write_one_after_another_without_asking_the_file_whether_it_is_free(
    shared: FileCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite lets whoever finds it busy sleep; here it would refuse instead."""
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda file, **options: connect(file, **{**options, "timeout": 0}))
    shared.set("calls", 0, 60)

    def write(number: int) -> None:
        for step in range(25):
            shared.add(f"{number}-{step}", 1, 60)
            shared.incr("calls")
            shared.delete(f"{number}-{step}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "failed" not in caplog.text and shared.get("calls") == 150


def test_a_value_ends_with_its_time_and_lives_longer_when_touched(
    shared: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.set("short", 1, 30)
    shared.set("touched", 1, 30)
    shared.set("ever", 1, None)
    assert shared.touch("touched", 1_000) and not shared.touch("unknown", 1_000)
    assert shared.get_many(["short", "touched", "ever"]) == {"short": 1, "touched": 1, "ever": 1}
    in_a_minute = time.time() + 60
    replace_time(monkeypatch, "dashboard.file_cache", time=lambda: in_a_minute)
    assert shared.get_many(["short", "touched", "ever"]) == {"touched": 1, "ever": 1}
    assert shared.add("short", 2, 1_000) and shared.get("short") == 2, "what is over stands in nobody's way"


def test_of_all_who_add_at_once_one_is_told_so(shared: FileCache) -> None:
    assert [another(shared).add("lock", number) for number in range(5)] == [True, False, False, False, False]
    assert shared.get("lock") == 0


def test_what_is_over_and_what_is_oldest_makes_room(shared: FileCache) -> None:
    shared.set("over", 1, 0.001)
    for number in range(150):
        shared.set(f"k{number}", number)
    shared.prune()
    ((kept,),) = shared._read("SELECT count(*) FROM entry")
    assert kept == 100 and shared.get("k149") == 149 and shared.get("k0") is None


def test_cache_objects_of_one_process_look_together_at_what_can_go(
    shared: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each read beside a page has one of its own: each looked with its first write."""
    looks: list[FileCache] = []
    monkeypatch.setattr(FileCache, "prune", lambda cache: looks.append(cache))
    for number in range(2 * file_cache.PRUNE_EVERY + 1):
        another(shared).set(f"k{number}", number)
    assert len(looks) == 3


def test_values_that_are_kept_together_are_one_transaction(shared: FileCache) -> None:
    shared.set("a", 0)
    with shared._connection("writes") as connection:
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
    assert shared.set_many({"a": 1, "b": 2, "c": 3}, 60) == []
    assert [words.split()[0] for words in statements] == ["BEGIN", "INSERT", "INSERT", "INSERT", "COMMIT"]
    assert another(shared).get_many(["a", "b", "c"]) == {"a": 1, "b": 2, "c": 3}
    statements.clear()
    assert shared.set_many({}) == [] and statements == []


def test_a_file_that_cannot_be_used_is_an_empty_cache(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken = tmp_path / "cache.sqlite3"
    broken.write_text("this is no database" * 100)
    cache = FileCache(str(broken), {})
    cache.set("a", 1)
    assert cache.get("a", "none") == "none"
    assert cache.add("lock", 1) is True
    assert cache.touch("a") is cache.delete("a") is False
    with pytest.raises(ValueError, match="not found"):
        cache.incr("a")
    assert "failed" in caplog.text


def test_a_process_has_one_connection_that_reads_and_one_that_writes(shared: FileCache) -> None:
    def read_in_thread() -> None:
        thread = threading.Thread(target=another(shared).get, args=("a",))
        thread.start()
        thread.join()

    for _thread in range(20):
        read_in_thread()
        with pytest.raises(ValueError, match="not found"):
            shared.incr("never_set")
    assert sorted(use for file, _process, use in file_cache._connections if file == shared._file) == ["reads", "writes"]


def test_a_process_uses_none_of_the_connections_that_it_was_forked_with(
    shared: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.set("a", 1)
    own = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: own + 1)
    shared.set("b", 2)
    connections = file_cache._connections
    assert connections[shared._file, own, "writes"] is not connections[shared._file, own + 1, "writes"]
    assert connections[shared._file, own, "writes"].execute("SELECT count(*) FROM entry").fetchone() == (2,)


COUNTING = """
import sys, time
from django.conf import settings
settings.configure(CACHES={"default": {"BACKEND": "dashboard.file_cache.FileCache", "LOCATION": sys.argv[1]}})
from dashboard.shared.callers import wait_for
while time.time() < float(sys.argv[2]): pass
print(sum(wait_for("somebody", limit=50, seconds=36_000) == 0 for _ in range(40)))
"""


def test_two_processes_that_count_at_once_share_one_limit(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTING, str(tmp_path / "cache.sqlite3"), str(time.time() + 1.5)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sum(int(process.communicate(timeout=60)[0]) for process in both) == 50


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


@pytest.fixture
def redis_settings(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Redis at a free port where nobody listens yet, and a cache of this machine behind it."""
    monkeypatch.setattr(redis_cache, "PAUSE", 0.0)
    monkeypatch.setitem(redis_cache.OPTIONS, "socket_timeout", 0.05)
    address = f"redis://127.0.0.1:{port}/0"
    monkeypatch.delitem(redis_cache._outages, address, raising=False)
    machine = {"BACKEND": "dashboard.file_cache.FileCache", "LOCATION": tmp_path / "cache.sqlite3"}
    redis = {"BACKEND": "dashboard.redis_cache.RedisCache", "LOCATION": address}
    with override_settings(CACHES={"default": redis, "machine": machine}, CACHE_URL=address):
        yield


@pytest.fixture
def server(port: int) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """Starts a real Redis at the port; what it knew is gone when it starts again."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server on this machine")
    running: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        for _ in range(1_500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return running[-1]
            time.sleep(0.02)
        raise AssertionError("redis-server does not listen")

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


@pytest.mark.loopback
@pytest.mark.django_db(databases=["default", "sandbox"])
def test_without_its_redis_every_page_still_answers_and_readiness_says_so(
    redis_settings: None, client: Client, cast: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert client.post("/sign-in/", {"token": cast["tokens"]["owner"]}).status_code == 302
    for address in ("/dashboard/", "/dashboard/videos/", f"/{cast['review_links']['open']}", "/dashboard/health/"):
        assert client.get(address).status_code == 200, address
    assert "The shared cache (Redis) does not answer." in client.get("/dashboard/health/").content.decode()
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["cache"]) == (200, "local")
    assert caplog.text.count("Redis does not answer") == 1


@pytest.mark.loopback
def test_a_failed_redis_is_left_alone_for_a_pause(redis_settings: None, monkeypatch: pytest.MonkeyPatch) -> None:
    caches["default"].set("a", 1)
    monkeypatch.setattr(redis_cache, "PAUSE", 60.0)
    caches["default"].get("a")  # this one tries, and begins the pause
    tried: list[str] = []
    monkeypatch.setattr("redis.connection.Connection.connect", lambda self: tried.append("tried"))
    assert caches["default"].get("a") == 1
    assert tried == []


@pytest.mark.loopback
def test_redis_takes_over_again_without_what_became_old_meanwhile(
    redis_settings: None, server: Callable[[], "subprocess.Popen[bytes]"]
) -> None:
    cache: Any = caches["default"]
    first = server()
    cache.set_many({"kept": 1, "saved": "before", "dropped": 1})
    assert not cache.away
    first.send_signal(19)  # SIGSTOP: it is there and does not answer
    try:
        cache.set("saved", "meanwhile")
        assert cache.away and cache.get("saved") == "meanwhile"
        cache.delete("dropped")
        assert cache.add("lock", 1) and not cache.add("lock", 1)
        cache.set("count", 1)
        assert cache.incr("count") == 2
    finally:
        first.send_signal(18)  # SIGCONT
    assert cache.get("kept") == 1 and not cache.away
    assert cache.get_many(["saved", "dropped", "kept"]) == {"kept": 1}, "Redis' older values are not shown again"
    first.terminate()
    first.wait(10)
    second = server()
    assert cache.get("kept") is None and not cache.away, "a restart costs no pause: the old connection is tried anew"
    second.terminate()
    second.wait(10)
    assert cache.get("count") is None and cache.away, "what an earlier time without Redis left behind is not shown"
