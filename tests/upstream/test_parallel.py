"""A page waits for its slowest read, not for their sum, and not for a straggler."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone, translation
from pytest_django import Settings

from dashboard.platform_api.errors import PlatformDown, Unreachable
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready, beside, gather, gather_each, needed
from tests import forgetting

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])  # threads of the pools may have connections open


@pytest.fixture(autouse=True)
def a_real_platform(settings: Settings) -> None:
    settings.READ_SIDE_BY_SIDE = True
    settings.PLATFORM_BASE_URL = "https://platform.example"


def failing() -> None:
    raise PlatformDown("folders.list", 500, "Internal server error")


def test_reads_run_side_by_side() -> None:
    both_are_here = threading.Barrier(2, timeout=5)
    outcomes = gather(patience=5, one=lambda: both_are_here.wait() >= 0, two=lambda: both_are_here.wait() >= 0)
    assert outcomes == {"one": Ready(True), "two": Ready(True)}


def test_parts_speak_the_reader_s_language_and_tell_their_time() -> None:
    def part() -> tuple[str | None, str]:
        inner = gather(patience=5, language=translation.get_language)["language"]
        assert inner == Ready(translation.get_language())
        return translation.get_language(), timezone.get_current_timezone_name()

    with translation.override("pt-br"), timezone.override("America/Sao_Paulo"):
        assert gather(patience=5, part=part) == {"part": Ready(("pt-br", "America/Sao_Paulo"))}
    with translation.override("es"), timezone.override("Europe/Madrid"):
        assert gather(patience=5, part=part) == {"part": Ready(("es", "Europe/Madrid"))}


def test_each_outcome_is_given_as_soon_as_it_is_there_while_the_others_are_out() -> None:
    release, given = threading.Event(), list[tuple[str, object]]()

    def take(name: str, outcome: Outcome) -> None:
        given.append((name, outcome))
        release.set()

    outcomes = gather_each({"slow": partial(release.wait, 5), "quick": lambda: "here"}, 5, take)
    assert given == [("quick", Ready("here")), ("slow", Ready(value=True))] and outcomes == dict(given)


def test_what_is_late_is_not_given_and_a_failure_is() -> None:
    release, given = threading.Event(), dict[str, Outcome]()
    outcomes = gather_each({"slow": partial(release.wait, 5), "bad": failing}, 0.1, given.__setitem__)
    release.set()
    assert list(given) == ["bad"] and isinstance(given["bad"], Failed)
    assert outcomes == {"slow": Late(), **given}


def test_what_comes_after_the_page_s_patience_is_given_to_who_waits_longer(settings: Settings) -> None:
    settings.PAGE_PATIENCE_MS = 50
    given: dict[str, Outcome] = {}
    parallel.begin_visit()
    gather_each({"slow": partial(time.sleep, 0.2), "quick": lambda: 1}, 5, given.__setitem__)
    parallel.end_visit()
    forgetting.forget_visit()
    assert list(given.items()) == [("quick", Ready(1)), ("slow", Ready(None))]


def test_in_tests_reads_are_given_one_after_another(settings: Settings) -> None:
    settings.READ_SIDE_BY_SIDE = False
    given: dict[str, Outcome] = {}
    assert gather_each({"one": lambda: 1, "bad": failing}, None, given.__setitem__) == given
    assert list(given) == ["one", "bad"]


def test_a_failed_read_is_the_panel_s_error_not_the_page_s() -> None:
    outcomes = gather(good=lambda: 1, bad=failing)
    assert outcomes["good"] == Ready(1)
    assert isinstance(outcomes["bad"], Failed)
    assert outcomes["bad"].error.status == 500


def test_a_straggler_is_late_and_does_not_hold_the_page() -> None:
    release = threading.Event()
    started = time.monotonic()
    outcomes = gather(patience=0.05, slow=lambda: release.wait(60), quick=lambda: "here")
    waited = time.monotonic() - started
    release.set()
    assert outcomes == {"slow": Late(), "quick": Ready("here")}
    assert waited < 30


def test_a_page_waits_for_what_it_needs_and_not_for_what_it_can_do_without(settings: Settings) -> None:
    settings.PAGE_PATIENCE_MS = 20
    release, patience_is_over = threading.Event(), threading.Event()
    found, spare = beside(lambda: patience_is_over.wait(0.1), slow=lambda: release.wait(5), quick=lambda: 1)
    release.set()
    assert (found, spare) == (False, {"slow": Late(), "quick": Ready(1)})


def test_what_a_page_needs_is_raised_and_what_it_can_do_without_is_not() -> None:
    assert isinstance(beside(lambda: 1, bad=failing)[1]["bad"], Failed)
    with pytest.raises(PlatformDown):
        beside(failing, good=lambda: 1)


def test_reads_that_a_page_needs_run_side_by_side_and_one_that_fails_fails_the_page(settings: Settings) -> None:
    both_are_here = threading.Barrier(2, timeout=5)
    assert needed(one=lambda: both_are_here.wait() >= 0, two=lambda: both_are_here.wait() >= 0) == {
        "one": True,
        "two": True,
    }
    with pytest.raises(PlatformDown):
        needed(good=lambda: 1, bad=failing)
    settings.PLATFORM_TIMEOUT, release = 0.02, threading.Event()
    with pytest.raises(Unreachable):
        needed(slow=lambda: release.wait(5))
    release.set()


def test_our_own_mistake_is_raised_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        gather(broken=lambda: 1 // 0)


def test_reads_stay_on_the_calling_thread_where_they_are_told_to(settings: Settings) -> None:
    settings.READ_SIDE_BY_SIDE = False
    outcomes = gather(where=threading.get_ident)
    assert outcomes == {"where": Ready(threading.get_ident())}


def test_a_read_that_gathers_itself_never_waits_for_places_that_others_hold() -> None:
    nested = gather(patience=5, **{str(n): lambda: gather(patience=5, where=threading.get_ident) for n in range(64)})
    for outcome in nested.values():
        assert isinstance(outcome, Ready)
        assert isinstance(outcome.value["where"], Ready)


def test_the_first_threads_of_reads_keep_their_connections_and_the_others_close_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PostgreSQL takes a hundred by default, and one process has more threads than that for its reads."""
    monkeypatch.setattr(parallel, "_of_pages", (ThreadPoolExecutor(max_workers=8),))
    monkeypatch.setattr(parallel, "_kept_open", threading.Semaphore(3))
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 60)
    used = read_at_once(8)
    assert wait_until_open(used, 3) == 3
    for wrapper in used:
        wrapper.inc_thread_sharing()
        wrapper.close()


def read_at_once(count: int) -> list[BaseDatabaseWrapper]:
    """What the threads of so many reads that run at the same time have for their connections."""
    all_are_here = threading.Barrier(count, timeout=5)
    used: list[BaseDatabaseWrapper] = []

    def ask() -> None:
        used.append(connections["default"])
        used[-1].ensure_connection()
        all_are_here.wait()

    gather(patience=5, **{f"read{number}": ask for number in range(count)})
    assert len(used) == count
    return used


def wait_until_open(wrappers: list[BaseDatabaseWrapper], most: int) -> int:
    """How many of them are open, once that is no more than `most`, or after five seconds."""
    deadline = time.monotonic() + 5
    while (count := sum(one.connection is not None for one in wrappers)) > most and time.monotonic() < deadline:
        time.sleep(0.01)
    return count


def test_a_kept_connection_is_checked_before_it_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_of_pages", (ThreadPoolExecutor(max_workers=1),))
    monkeypatch.setattr(parallel, "_kept_open", threading.Semaphore(1))
    checked: list[BaseDatabaseWrapper] = []
    monkeypatch.setattr(type(connections["default"]), "close_if_unusable_or_obsolete", lambda one: checked.append(one))
    gather(patience=5, one=lambda: connections["default"].ensure_connection())
    gather(patience=5, two=lambda: checked.append(connections["default"]))
    assert len(checked) == 3 and len(set(map(id, checked))) == 1
    checked[0].inc_thread_sharing()
    checked[0].close()


def test_work_after_a_page_has_the_page_s_language_and_request() -> None:
    context, done = ContextVar("request", default=""), threading.Event()
    seen: list[tuple[str | None, str]] = []

    def work() -> None:
        seen.append((translation.get_language(), context.get()))
        done.set()

    parallel.begin_visit()
    token = context.set("the page's")
    with translation.override("es"):
        parallel.start_afterwards(work)
    context.reset(token)
    assert not seen, "the page has the processor until it has gone"
    parallel.end_visit()
    assert done.wait(5) and seen == [("es", "the page's")]


def test_reads_beside_a_page_leave_when_its_own_have_left_or_when_it_has_gone() -> None:
    """They take no processor from the page before its own calls are out, and after that they do not wait for its end."""
    begun: dict[str, threading.Event] = {name: threading.Event() for name in ("before", "after", "last")}
    page = parallel.begin_visit()
    parallel.start_meanwhile(begun["before"].set)
    parallel.start_afterwards(begun["last"].set)
    gather(5, quick=lambda: 1)
    assert not begun["before"].wait(0.1), "the page did not wait: it goes on computing"
    gather(5, slow=lambda: begun["before"].wait(4))
    assert begun["before"].is_set()
    parallel.start_meanwhile(begun["after"].set)
    assert not begun["after"].wait(0.1) and not begun["last"].is_set()
    page.end()
    assert begun["after"].wait(5) and begun["last"].wait(5)
