"""What a page does while its reads are out, and when it has gone."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from dashboard import navigation
from dashboard.accounts.models import Account
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.platform import Question, question_of
from dashboard.upstream import page_sources, parallel, store
from dashboard.upstream.models import KnownAnswer
from dashboard.upstream.page_sources import note_what_is_known
from dashboard.upstream.parallel import Late, Outcome, Ready
from dashboard.upstream.reads import Reads
from tests import forgetting
from tests.answering import answer_with
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
BODY = Answer(200, {}, b"[1]")


@pytest.fixture
def page() -> Iterator[parallel.PageVisit]:
    here = parallel.begin_visit()
    yield here
    here.end()


def question(name: str, operation: str = "videos.subtitles") -> Question:
    return Question(operation, name, f"digest of {name}")


def keep(account: Account, name: str, begun: datetime | None = None) -> Question:
    asked = question(name)
    store.keep(account.pk, asked, BODY, begun or timezone.now())
    return asked


def is_outdated(account: Account, asked: Question) -> bool:
    return store.load(account.pk, [asked.digest])[asked.digest].is_outdated


def test_answers_of_a_page_are_known_at_once_and_written_in_one_statement_when_it_has_gone(
    account: Account, page: parallel.PageVisit
) -> None:
    digests = {keep(account, name).digest for name in ("a", "b", "c")}
    assert set(store.load(account.pk, digests)) == digests
    assert not KnownAnswer.objects.exists()
    with CaptureQueriesContext(connection) as statements:
        page.end()
    assert len([entry for entry in statements.captured_queries if "INSERT" in entry["sql"]]) == 1
    assert set(KnownAnswer.objects.values_list("digest", flat=True)) == digests
    assert not any(store.is_unwritten(account.pk, digest) for digest in digests)


def test_outside_of_a_request_and_after_its_end_an_answer_is_written_at_once(
    account: Account, page: parallel.PageVisit
) -> None:
    page.end()
    keep(account, "a")
    assert KnownAnswer.objects.count() == 1


def test_of_two_answers_of_a_page_to_one_question_the_newer_is_written(
    account: Account, page: parallel.PageVisit
) -> None:
    now = timezone.now()
    asked = keep(account, "a", now)
    store.keep(account.pk, asked, Answer(200, {}, b"[0]"), now - timedelta(seconds=1))
    page.end()
    known = store.load(account.pk, [asked.digest])[asked.digest]
    assert (known.answer.body, known.read_at) == (b"[1]", now)


def test_whoever_asks_the_table_finds_what_a_page_has_read(account: Account, page: parallel.PageVisit) -> None:
    asked = keep(account, "a")
    assert set(store.states(account.pk, [asked.digest])) == {asked.digest}
    assert set(store.read_moments(account.pk, asked.operation)) == {"a"}
    assert store.version_of(account.pk, asked.operation, datetime(2000, 1, 1, tzinfo=UTC))[0] == 1


def test_question_about_one_operation_writes_its_answers_early_once_and_no_others(
    account: Account, page: parallel.PageVisit
) -> None:
    keep(account, "a")
    store.keep(account.pk, question("list", "videos.list"), BODY, timezone.now())
    written = KnownAnswer.objects.values_list("operation", flat=True)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    with CaptureQueriesContext(connection) as queries:
        for _time in range(3):
            assert store.version_of(account.pk, "videos.subtitles", long_ago)[0] == 1
            assert list(store.states(account.pk, ["digest of a", "digest of nothing"])) == ["digest of a"]
    assert sum("INSERT" in query["sql"] for query in queries) == 1
    assert list(written) == ["videos.subtitles"], "the list of all videos waits until its page has gone"
    page.end()
    assert sorted(written.all()) == ["videos.list", "videos.subtitles"]


def test_what_is_written_while_somebody_looks_is_found(account: Account, page: parallel.PageVisit) -> None:
    """The page goes in the moment between a look at the table and one at what its process knows."""
    asked = keep(account, "a")

    def look_and_end(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        if sql.lstrip().startswith("SELECT digest"):
            page.end()
        return found

    with connection.execute_wrapper(look_and_end):
        found = store.load(account.pk, [asked.digest])
    assert found.keys() == {asked.digest}
    assert KnownAnswer.objects.exists() and not store.is_unwritten(account.pk, asked.digest)


def test_answer_too_large_for_the_table_stays_known_to_its_page(
    account: Account, page: parallel.PageVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LARGEST", 5)
    digest = keep(account, "a").digest
    assert store.states(account.pk, [digest]) == {} and store.load(account.pk, [digest])


@pytest.mark.parametrize(("patience", "is_done"), [(0.0, False), (5.0, True)])
def test_work_beside_a_page_begins_when_that_has_gone_unless_the_page_waits_for_it(
    account: Account, page: parallel.PageVisit, settings: Settings, patience: float, is_done: bool
) -> None:
    settings.READ_SIDE_BY_SIDE = True
    done = threading.Event()

    def work() -> bool:
        done.set()
        return True

    page_sources.begin_work(account.pk, work, patience)
    assert done.wait(0.3) == is_done
    page.end()
    assert done.wait(5)


def test_a_write_makes_old_what_a_page_has_read_and_not_yet_written(account: Account, page: parallel.PageVisit) -> None:
    asked = keep(account, "a")
    store.mark_changed(account.pk, "ai_workflow.create", "a")
    page.end()
    assert is_outdated(account, asked)


def test_a_write_makes_old_what_another_process_reads_at_that_moment_and_nothing_else(account: Account) -> None:
    before = timezone.now()
    store.mark_changed(account.pk, "ai_workflow.create", "a")
    changed, other = keep(account, "a", before), keep(account, "b", before)
    assert is_outdated(account, changed) and not is_outdated(account, other)
    keep(account, "a")
    assert not is_outdated(account, changed)


def test_what_a_disconnected_account_was_about_to_keep_is_dropped(account: Account, page: parallel.PageVisit) -> None:
    asked = keep(account, "a")
    store.forget_account(account.pk)
    page.end()
    assert not store.load(account.pk, [asked.digest]) and not KnownAnswer.objects.exists()


def test_others_ask_the_platform_when_they_can_find_the_answer_and_at_once_when_there_is_none(
    account: Account, page: parallel.PageVisit, world: dict[str, Any], faults: Any, beside: list[Callable[[], Any]]
) -> None:
    def folders(platform: Any) -> Any:
        return platform.folders.list()

    turn = f"reading:{account.pk}:{question_of(folders).digest}"
    faults.set("folders.list", status=500)
    with pytest.raises(CallError):
        Reads(account).get(folders)
    assert cache.get(turn) is None
    faults.clear()
    Reads(account).get(folders)
    assert cache.get(turn) and not KnownAnswer.objects.exists()
    page.end()
    assert cache.get(turn) is None and KnownAnswer.objects.exists()


def test_a_page_that_reads_the_same_again_does_not_wait_for_itself(
    account: Account,
    page: parallel.PageVisit,
    world: dict[str, Any],
    beside: list[Callable[[], Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def folders(platform: Any) -> Any:
        return platform.folders.list()

    def wait(_seconds: float) -> None:
        pytest.fail("it waits for the end of its own page")

    replace_time(monkeypatch, "dashboard.upstream.reads", sleep=wait)
    Reads(account).get(folders)
    Reads(account, seconds=0.0).get(folders)
    page.end()
    assert KnownAnswer.objects.exists() and cache.get(f"reading:{account.pk}:{question_of(folders).digest}") is None


@pytest.mark.parametrize(
    ("method", "status", "is_kept_before"),
    [("GET", 200, False), ("HEAD", 200, False), ("GET", 302, True), ("POST", 200, True), ("POST", 302, True)],
)
def test_what_was_read_for_an_answer_that_leads_on_is_kept_before_it_leaves(
    account: Account, settings: Settings, rf: RequestFactory, method: str, status: int, is_kept_before: bool
) -> None:
    def answer(request: Any) -> HttpResponse:
        keep(account, "a")
        return HttpResponse(status=status)

    settings.READ_SIDE_BY_SIDE = True
    note_what_is_known(answer)(rf.generic(method, "/"))
    assert KnownAnswer.objects.exists() == is_kept_before
    parallel.end_visit()
    assert KnownAnswer.objects.exists()


def test_work_after_a_page_is_done_once_the_last_at_last_and_whatever_fails(
    page: parallel.PageVisit, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[Any] = []

    def fail(pieces: list[Any]) -> None:
        raise LookupError("on purpose")

    parallel.afterwards(lambda pieces: done.append(("last", pieces)), 0, last=True)
    parallel.afterwards(fail, 1)
    parallel.afterwards(done.extend, 2)
    parallel.afterwards(done.extend, 3)
    with caplog.at_level(logging.ERROR):
        page.end()
        page.end()
    assert set(done[:-1]) == {2, 3} and done[-1] == ("last", [0])
    assert "on purpose" in caplog.text


def test_a_turn_that_ends_while_a_page_keeps_its_answers_ends_after_that(page: parallel.PageVisit) -> None:
    """Another process that got the turn before asked the platform for what was being written."""
    done: list[str] = []

    def write(_pieces: list[Any]) -> None:
        parallel.afterwards(lambda pieces: done.extend(pieces), "the turn ends", last=True)
        done.append("written")

    parallel.afterwards(write, 0)
    page.end()
    assert done == ["written", "the turn ends"]
    parallel.afterwards(lambda pieces: done.extend(pieces), "at once", last=True)
    assert done[-1] == "at once"


def test_the_page_is_prepared_once_while_its_reads_are_out_and_not_by_a_part_of_it_or_where_they_take_no_time(
    page: parallel.PageVisit, settings: Settings
) -> None:
    settings.READ_SIDE_BY_SIDE = True
    prepared, threads = threading.Event(), []

    def prepare() -> None:
        threads.append(threading.current_thread())
        prepared.set()

    page.meanwhile(prepare)
    assert parallel.gather(5, quick=lambda: 1) == {"quick": Ready(1)}
    part = partial(parallel.gather, 5, slow=partial(time.sleep, 2 * parallel.HEAD_START))
    parallel._submit(part, time.monotonic() + 5).result()
    assert not threads
    for _time in range(2):
        assert parallel.gather(5, slow=lambda: prepared.wait(4)) == {"slow": Ready(value=True)}
    assert threads == [threading.current_thread()]


def test_what_is_made_meanwhile_is_made_once_and_where_nothing_was_out_when_it_is_asked_for(
    page: parallel.PageVisit,
) -> None:
    made: list[str] = []
    early, late = (parallel.meanwhile(partial(made.append, name)) for name in ("early", "late"))
    late()
    page.prepare()
    for load in (early, late):
        load()
    assert made == ["late", "early"]
    page.end()
    forgetting.forget_visit()
    outside = parallel.meanwhile(partial(made.append, "outside"))
    assert made[2:] == []
    outside()
    outside()
    assert made[2:] == ["outside"]


def test_a_frame_that_was_drawn_while_reads_were_out_is_the_one_of_any_other_page(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    are_prepared = iter((False, True))
    built: list[HttpRequest] = []
    build = navigation._build_steady_part

    def gather_each(
        asked: Mapping[str, Callable[[], Any]], patience: float | None = None, each: Any = None
    ) -> dict[str, Outcome]:
        if next(are_prepared) and (here := parallel.current_visit()) is not None:
            here.prepare()
        return {name: parallel._outcome(read) for name, read in asked.items()}

    def count_and_build(request: HttpRequest) -> dict[str, Any]:
        built.append(request)
        return build(request)

    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(parallel, "start_meanwhile", lambda read: None)
    monkeypatch.setattr(parallel, "gather_each", gather_each)
    monkeypatch.setattr(navigation, "_build_steady_part", count_and_build)
    pages = []
    for _time in range(2):
        KnownAnswer.objects.all().delete()
        cache.clear()
        text = owner.get("/dashboard/playlists/").content.decode()
        assert KnownAnswer.objects.exists()  # it was kept by the signal of the end of the request
        pages.append(re.sub(r'value="\w{64}"|"X-CSRFToken": "\w{64}"', "", re.sub(r"\s+", " ", text)))
    assert pages[0] == pages[1] and len(built) == 2
    assert pages[0].count('id="places"') == 1 and 'aria-current="page"' in pages[0]
    assert pages[0].count('class="topbar"') == 1 and pages[0].count('name="viewport"') == 1


def test_record_that_a_read_has_made_is_there_for_who_waited_for_it_and_is_not_made_again(
    account: Account, page: parallel.PageVisit, world: dict[str, Any], beside: list[Callable[[], Any]]
) -> None:
    def folders(platform: Any) -> Any:
        return platform.folders.list()

    assert Reads(account).known(it=folders)["it"] == Late()
    record = Reads(account).get(folders)
    shared = Reads(account).known(it=folders)["it"]
    assert isinstance(shared, Ready) and shared.value is record


def test_live_that_was_read_is_known_without_its_secrets_to_who_waited_for_it(
    account: Account, page: parallel.PageVisit, beside: list[Callable[[], Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lives(platform: Any) -> Any:
        return platform.lives.list()

    live = {"id": "0d9e3e0c-9a3b-4c5d-8e7f-0123456789ab", "title": "Prova", "stream_key": "secret of the live"}
    answer_with(monkeypatch, lambda request: {"lives": [live]}, "lives.list")
    read = Reads(account).get(lives)
    shared = Reads(account).known(it=lives)["it"]
    assert isinstance(shared, Ready) and [live.id for live in shared.value] == [live.id for live in read]
    assert shared.value is not read, "what is known is made of what is kept, which has no secret"
    assert "secret of the live" not in repr(store.load(account.pk, [question_of(lives).digest])) + repr(shared.value)
