"""Threads of one process leave their connections to a SQLite file to each other, and nothing else changes by that."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.db.utils import OperationalError
from pytest_django import DjangoDbBlocker

from dashboard.sqlite import idle
from dashboard.sqlite.base import DatabaseWrapper
from tests.moments import replace_time

pytestmark = [
    pytest.mark.django_db(databases=[]),
    pytest.mark.skipif("connections['default'].vendor != 'sqlite'", reason="they are connections to SQLite's files"),
]

OpenFile = Callable[[], DatabaseWrapper]


@pytest.fixture
def open_file(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[OpenFile]:
    """What a thread has for its connection to one file, as Django makes it for each thread."""
    settings = {**connections["default"].settings_dict, "NAME": str(tmp_path / "file.sqlite3")}
    with django_db_blocker.unblock():
        yield lambda: DatabaseWrapper(settings, "default")


def raw(wrapper: DatabaseWrapper) -> sqlite3.Connection:
    """The connection that it has now, opened if need be."""
    wrapper.ensure_connection()
    connection: sqlite3.Connection = wrapper.connection
    return connection


def left_by(wrapper: DatabaseWrapper) -> sqlite3.Connection:
    """The connection that it had, and has left."""
    connection = raw(wrapper)
    wrapper.leave()
    return connection


def is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


def test_what_one_thread_leaves_the_next_one_takes_and_both_have_it_alone(open_file: OpenFile) -> None:
    first, second, third = open_file(), open_file(), open_file()
    left = raw(first)
    assert raw(second) is not left
    first.leave()
    assert first.connection is None
    assert raw(third) is left
    assert raw(first) not in (raw(second), left)
    with third.cursor() as cursor:
        assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_the_connection_that_was_used_last_comes_first(open_file: OpenFile) -> None:
    first, second = open_file(), open_file()
    raw(first)
    last = raw(second)
    first.leave()
    second.leave()
    assert raw(open_file()) is last


def test_a_connection_that_is_closed_is_closed_and_the_file_has_everything(open_file: OpenFile, tmp_path: Path) -> None:
    wrapper = open_file()
    with wrapper.cursor() as cursor:
        cursor.execute("CREATE TABLE kept (id)")
    connection = raw(wrapper)
    wrapper.close()
    assert not is_open(connection)
    assert [file.name for file in tmp_path.iterdir()] == ["file.sqlite3"]
    assert raw(open_file()) is not connection


def in_transaction(wrapper: DatabaseWrapper) -> None:
    wrapper.connection.execute("BEGIN IMMEDIATE")


def after_an_error(wrapper: DatabaseWrapper) -> None:
    with pytest.raises(OperationalError), wrapper.cursor() as cursor:
        cursor.execute("SELECT * FROM nowhere")


@pytest.mark.parametrize("happened", [in_transaction, after_an_error])
def test_a_connection_with_something_unfinished_or_wrong_is_closed_instead_of_left(
    happened: Callable[[DatabaseWrapper], None], open_file: OpenFile
) -> None:
    wrapper = open_file()
    connection = raw(wrapper)
    happened(wrapper)
    wrapper.leave()
    assert not is_open(connection)
    assert raw(wrapper) is not connection


def test_a_connection_is_never_left_inside_a_block_of_a_transaction(open_file: OpenFile) -> None:
    wrapper = open_file()
    connection = raw(wrapper)
    wrapper.in_atomic_block = True
    wrapper.leave()
    assert not is_open(connection)


def test_nobody_gets_a_connection_to_a_file_that_another_one_has_replaced(open_file: OpenFile, tmp_path: Path) -> None:
    wrapper, file = open_file(), tmp_path / "file.sqlite3"
    old = left_by(wrapper)
    file.rename(tmp_path / "before.sqlite3")
    sqlite3.connect(file).execute("CREATE TABLE restored (id)")
    with wrapper.cursor() as cursor:
        assert cursor.execute("SELECT name FROM sqlite_master").fetchall() == [("restored",)]
    assert not is_open(old)


@pytest.mark.parametrize(("seconds", "stays"), [(idle.LIFETIME - 0.1, True), (idle.LIFETIME, False)])
def test_a_connection_is_closed_when_it_was_open_for_its_lifetime(
    seconds: float, stays: bool, open_file: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, used = open_file(), open_file()
    waiting, own = raw(waits), raw(used)
    waits.leave()
    now = time.monotonic()
    replace_time(monkeypatch, "dashboard.sqlite.idle", monotonic=lambda: now + seconds)
    used.leave()
    assert (is_open(waiting), is_open(own)) == (stays, stays)
    assert (raw(open_file()) is own) is stays


def test_a_connection_that_has_waited_for_too_long_is_not_taken(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = open_file()
    left = left_by(wrapper)
    now = time.monotonic()
    replace_time(monkeypatch, "dashboard.sqlite.idle", monotonic=lambda: now + idle.LIFETIME)
    assert raw(wrapper) is not left
    assert not is_open(left)


def test_a_process_takes_none_of_those_that_it_was_forked_with(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = open_file()
    parents = left_by(wrapper)
    own = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: own + 1)
    assert raw(wrapper) is not parents
    assert is_open(parents)


def test_threads_at_once_never_have_the_same_connection(open_file: OpenFile) -> None:
    taken: set[int] = set()
    lock, doubles = threading.Lock(), []

    def work() -> None:
        for _time in range(200):
            wrapper = open_file()
            number = id(raw(wrapper))
            with lock:
                doubles.extend([number] if number in taken else [])
                taken.add(number)
            with wrapper.cursor() as cursor:
                cursor.execute("SELECT 1")
            with lock:
                taken.discard(number)
            wrapper.leave()

    threads = [threading.Thread(target=work) for _thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert doubles == []
