"""The calls of a page leave before anything else is computed for it."""

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api.sending import Sender
from dashboard.upstream import clients, parallel
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Reads
from tests import forgetting

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LATE = 0.06
"""Seconds until the last call of a page leaves here."""


@pytest.fixture
def page(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[parallel.PageVisit]:
    """A page that would wait a minute for its calls to leave, so that what comes before is never the clock's work."""
    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(parallel, "HEAD_START", 60)
    here = parallel.begin_visit()
    yield here
    here.end()
    forgetting.forget_visit()


def ask(moments: list[str], name: str, *, seconds: float = 0.0, until: threading.Event | None = None) -> None:
    """A read whose call leaves after so many seconds, and is answered when `until` is set, or 0.1 s later."""
    time.sleep(seconds)
    moments.append(f"{name} leaves")
    parallel.leave()
    if until is None:
        time.sleep(0.1)
    else:
        assert until.wait(30)
    moments.append(f"{name} is back")


def test_the_page_is_prepared_when_its_last_call_has_left(page: parallel.PageVisit) -> None:
    moments, prepared = list[str](), threading.Event()
    page.meanwhile(lambda: moments.append("prepared"))
    page.meanwhile(prepared.set)
    ask_one = partial(partial, ask, moments, until=prepared)
    parallel.gather(60, first=ask_one("first"), last=ask_one("last", seconds=LATE))
    assert moments[:3] == ["first leaves", "last leaves", "prepared"]


def test_a_part_that_waits_for_its_own_reads_keeps_nothing_from_being_prepared(page: parallel.PageVisit) -> None:
    moments, prepared = list[str](), threading.Event()
    page.meanwhile(prepared.set)
    below = partial(parallel.gather, 60, below=partial(ask, moments, "below", until=prepared))
    parallel.gather(60, part=below, ended=lambda: 1)
    assert moments == ["below leaves", "below is back"]


def test_no_page_waits_longer_than_its_head_start_for_calls_that_do_not_leave(
    page: parallel.PageVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "HEAD_START", 0.1)
    begun, prepared, is_prepared = time.monotonic(), list[float](), threading.Event()
    page.meanwhile(lambda: prepared.append(time.monotonic() - begun))
    page.meanwhile(is_prepared.set)
    assert parallel.gather(60, late=lambda: is_prepared.wait(30)) == {"late": Ready(True)}
    assert prepared[0] >= parallel.HEAD_START


def test_a_part_that_asks_nothing_more_lets_the_calls_of_the_others_leave_first(page: parallel.PageVisit) -> None:
    moments: list[str] = []

    def compute() -> None:
        parallel.let_calls_leave()
        moments.append("computes")

    parallel.gather(5, part=compute, last=partial(ask, moments, "last", seconds=LATE))
    assert moments == ["last leaves", "computes", "last is back"]


def test_a_part_lets_calls_leave_first_that_the_page_begins_after_it(page: parallel.PageVisit) -> None:
    moments: list[str] = []

    def compute() -> None:
        parallel.let_calls_leave()
        moments.append("computes")

    def read() -> None:
        time.sleep(LATE)
        parallel.gather(5, last=partial(ask, moments, "last"))

    parallel.beside(read, part=compute)
    assert moments[:2] == ["last leaves", "computes"]


def test_a_page_that_breaks_off_while_it_begins_calls_holds_the_next_one_of_its_thread_no_more(
    page: parallel.PageVisit,
) -> None:
    def fail() -> None:
        raise ValueError("main")

    with pytest.raises(ValueError, match="main"):
        parallel.beside(fail, part=partial(ask, [], "part"))
    assert not parallel._here.is_leaving


def test_outside_of_a_page_and_on_its_own_thread_nothing_is_waited_for(page: parallel.PageVisit) -> None:
    begun = time.monotonic()
    parallel.let_calls_leave()
    page.end()
    forgetting.forget_visit()
    parallel.let_calls_leave()
    assert time.monotonic() - begun < parallel.HEAD_START / 2


def test_a_call_says_that_it_leaves_when_the_budget_has_let_it_and_before_it_is_sent(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments: list[str] = []

    def note(name: str, do: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            moments.append(name)
            return do(*arguments)

        return noted

    monkeypatch.setattr(parallel, "leave", lambda: moments.append("leaves"))
    monkeypatch.setattr(Sender, "_take_turn", note("is let", Sender._take_turn))
    monkeypatch.setattr(Sender, "_exchange", note("is sent", Sender._exchange))
    clients.platform_for(account).folders.list()
    assert moments == ["is let", "leaves", "is sent"]


def test_panels_that_ask_the_same_question_have_one_read_between_them(
    page: parallel.PageVisit, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def read(self: Reads, lookup: Any) -> str:
        asked.append(lookup.question.operation)
        return str(lookup.question.operation)

    monkeypatch.setattr(Reads, "_read", read)
    outcomes = Reads(account).gather(
        5,
        here=lambda platform: platform.folders.list(),
        other=lambda platform: platform.lives.list(),
        there=lambda platform: platform.folders.list(),
    )
    assert sorted(asked) == ["folders.list", "lives.list"]
    values = {name: outcome.value for name, outcome in outcomes.items() if isinstance(outcome, Ready)}
    assert values == {"here": "folders.list", "other": "lives.list", "there": "folders.list"}


def test_of_all_threads_that_need_the_same_thing_at_once_one_makes_it(page: parallel.PageVisit) -> None:
    made: list[int] = []

    def make() -> int:
        time.sleep(0.05)
        made.append(threading.get_ident())
        return len(made)

    reads = {f"read {number}": partial(parallel.made_once, "it", make) for number in range(6)}
    assert parallel.gather(5, **reads) == {name: Ready(1) for name in reads}
    assert len(made) == 1


@pytest.mark.parametrize(("page_of", "most"), [("overview", 3), ("video", 1)])
def test_parts_of_a_page_that_compute_much_and_ask_nothing_let_the_calls_of_the_others_leave_first(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, page_of: str, most: int
) -> None:
    owner.get("/dashboard/")  # takes in the links, which a new account asks for
    parts: list[str] = []
    monkeypatch.setattr(parallel, "let_calls_leave", lambda: parts.append(inspect.stack()[1].filename))
    owner.get("/dashboard/" if page_of == "overview" else f"/dashboard/videos/{cast['videos']['plain']}/")
    assert len(set(parts)) == most
