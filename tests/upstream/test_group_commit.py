"""Group commit: rows that are brought while a transaction is under way go into the next one together, each once."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection

from dashboard.upstream import store
from dashboard.upstream.store import GroupCommit

SECONDS = 5.0


class Table:
    """Notes the rows of each call. The first call ends when `may_end` is set."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.is_writing, self.may_end = threading.Event(), threading.Event()

    def write(self, rows: Sequence[str]) -> None:
        self.calls.append(sorted(rows))
        if len(self.calls) == 1:
            self.is_writing.set()
            assert self.may_end.wait(SECONDS)
        if "wrong" in rows:
            raise ValueError(rows)


@pytest.fixture
def table() -> Table:
    return Table()


def begin_first_call(threads: ThreadPoolExecutor, group: GroupCommit[str], table: Table) -> None:
    threads.submit(group.put, ["a"])
    assert table.is_writing.wait(SECONDS)


@contextmanager
def first_call_out(group: GroupCommit[str], table: Table) -> Iterator[Callable[..., object]]:
    """What puts rows on a thread of its own, while the first call is under way; all have ended afterwards."""
    with ThreadPoolExecutor(max_workers=8) as threads:
        begin_first_call(threads, group, table)
        yield lambda *rows: threads.submit(group.put, rows)
        while len(group._brought) < 4:  # not all have brought theirs
            time.sleep(0.001)
        table.may_end.set()


def test_what_is_brought_during_a_transaction_is_one_transaction(table: Table) -> None:
    group = GroupCommit(table.write)
    with first_call_out(group, table) as put:
        brought = [put("b", "c"), put("d"), put("e")]
    assert table.calls == [["a"], ["b", "c", "d", "e"]]
    assert [future.result() for future in brought] == [None] * 3  # type: ignore[attr-defined]  # futures


def test_an_error_is_raised_by_one_of_those_whose_rows_were_written_and_later_rows_are(table: Table) -> None:
    group = GroupCommit(table.write)
    with first_call_out(group, table) as put:
        brought = [put("b"), put("wrong"), put("c"), put("d")]
    errors = [future.exception() for future in brought]  # type: ignore[attr-defined]  # futures
    assert [type(error) for error in errors if error] == [ValueError]
    group.put(["e"])
    assert table.calls[2:] == [["e"]]


def test_nothing_is_written_for_no_rows(table: Table) -> None:
    GroupCommit(table.write).put([])
    assert table.calls == []


@pytest.mark.django_db
def test_within_a_transaction_rows_are_written_without_waiting_for_other_threads(table: Table) -> None:
    group = GroupCommit(table.write)
    assert connection.in_atomic_block
    with ThreadPoolExecutor(max_workers=1) as threads:
        begin_first_call(threads, group, table)
        group.put(["b"])
        assert table.calls == [["a"], ["b"]]
        table.may_end.set()


def test_whoever_waits_too_long_for_another_transaction_writes_its_own_rows(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "TURN_PATIENCE", 0.01)
    group = GroupCommit(table.write)
    with ThreadPoolExecutor(max_workers=1) as threads:
        begin_first_call(threads, group, table)
        group.put(["b"])
        assert table.calls == [["a"], ["b"]]
        table.may_end.set()
    group.put(["c"])
    assert "c" in table.calls[-1]
