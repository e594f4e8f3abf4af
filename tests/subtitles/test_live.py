"""The poll: nothing while nothing changes, exactly the pieces that did, and an end."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from dashboard.sandbox.clock import Frozen
from dashboard.subtitles import live
from dashboard.subtitles.live import WatchedCell
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.upstream import parallel
from tests.answering import asked_of, count_calls
from tests.forgetting import forget
from tests.pages import page_of
from tests.subtitles.conftest import (
    PLANNER,
    Answer,
    Library,
    SignIn,
    address,
    later,
    planned,
    send,
    transcription,
    translation,
)

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HTMX = {"HX-Request": "true"}


def poll_of(response: Answer) -> str:
    """The address that the page will ask next; empty when it asks no more."""
    match = re.search(r'id="live-poll" hx-get="([^"]+)"', page_of(response))
    return match[1] if match else ""


def ask(client: Client, where: str) -> Answer:
    return client.get(where, headers=HTMX)


@pytest.fixture
def sent(owner: Client, library: Library) -> Batch:
    """A batch of two cells, just sent."""
    batch = planned(owner, translation(library.source_only, to=("fr", "sw")))
    send(owner, batch)
    return batch


def test_unchanged_is_204_without_a_body(owner: Client, sent: Batch, clock: Frozen) -> None:
    where = poll_of(owner.get(address(sent)))
    answer = ask(owner, where)
    assert (answer.status_code, answer.content) == (204, b"")


def test_an_unchanged_poll_touches_no_cell_in_the_database(
    owner: Client, sent: Batch, clock: Frozen, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    where = poll_of(owner.get(address(sent)))
    ask(owner, where)
    with django_assert_max_num_queries(3) as queries:
        ask(owner, where)
    assert not any("plannedcell" in query["sql"] for query in queries.captured_queries)


def test_what_changed_comes_alone_and_the_next_poll_knows_it(owner: Client, sent: Batch, clock: Frozen) -> None:
    where = poll_of(owner.get(address(sent)))
    later(clock, 6)
    answer = ask(owner, where)
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.count('class="cell__state is-running"') == 2
    assert page.count('<li class="job is-running"') == 2
    assert page.count("hx-swap-oob") >= 5
    assert "<input" not in page
    assert "<a " not in page, "nothing that can hold the focus is replaced while jobs run"
    assert 'id="announcer"' not in page, "only results are announced"
    assert ask(owner, poll_of(answer)).status_code == 204


def test_the_end_is_announced_once_and_the_poll_is_replaced_by_an_element_without_a_trigger(
    owner: Client, sent: Batch, clock: Frozen
) -> None:
    where = poll_of(owner.get(address(sent)))
    later(clock, 60)
    answer = ask(owner, where)
    page = page_of(answer)
    assert '<div id="announcer" hx-swap-oob="innerHTML">1 job finished, 1 ended in an error</div>' in page
    assert '<div id="live-poll"></div>' in page
    assert poll_of(answer) == ""
    assert "2 of 2 ended" in page


def test_a_single_end_is_announced_with_its_language_and_its_video(
    owner: Client, library: Library, clock: Frozen
) -> None:
    batch = planned(owner, translation(library.source_only, to=("fr",)))
    send(owner, batch)
    where = poll_of(owner.get(address(batch)))
    later(clock, 60)
    assert "French finished for Meet Joaquim" in page_of(ask(owner, where))


def test_everybody_who_watches_hears_it(owner: Client, sign_in: SignIn, sent: Batch, clock: Frozen) -> None:
    other = sign_in(person="Bruno")
    where, elsewhere = poll_of(owner.get(address(sent))), poll_of(other.get(address(sent)))
    later(clock, 60)
    assert "2 of 2 ended" in page_of(ask(owner, where))
    assert "2 of 2 ended" in page_of(ask(other, elsewhere)), "though the first one has kept it already"


def test_the_planner_watches_jobs_that_were_sent_elsewhere_too(
    owner: Client, cast: dict[str, Any], clock: Frozen
) -> None:
    where = poll_of(owner.get(f"{PLANNER}?video={cast['videos']['reviewed']}&q=xyzzy"))
    assert f"table={cast['videos']['reviewed']}~" in where
    later(clock, 400 * 24 * 3600)
    page = page_of(ask(owner, where))
    assert 'class="cell__state is-finished"' in page
    assert "finished" in page.split('id="announcer"')[1]


def test_a_cell_whose_answer_was_lost_is_followed_until_it_is_certain(
    owner: Client, library: Library, faults: ModuleType, clock: Frozen
) -> None:
    batch = planned(owner, translation(library.source_only, to=("fr",)))
    faults.set("ai_workflow.create", broken="dropped", times=1)
    send(owner, batch)
    where = poll_of(owner.get(address(batch)))
    assert "~fr~u" in where
    assert ask(owner, where).status_code == 204
    PlannedCell.objects.filter(batch=batch).update(sending_at="2026-01-01T00:00Z")
    page = page_of(ask(owner, where))
    assert "Not found" in page
    assert '<div id="live-poll"></div>' in page


def test_extra_languages_are_followed_from_waiting_to_their_end(owner: Client, library: Library, clock: Frozen) -> None:
    batch = planned(owner, transcription(library.bare, extra=("fr",)))
    send(owner, batch)
    where = poll_of(owner.get(address(batch)))
    assert "~fr~w" in where
    heard = []
    for _turn in range(12):
        later(clock, 10)
        answer = ask(owner, where)
        if answer.status_code == 200:
            heard += re.findall(r'id="announcer"[^>]*>([^<]+)', page_of(answer))
            where = poll_of(answer)
        if not where:
            break
    assert heard == [
        "Portuguese (Brazil) finished for Visita guiada à fazenda",
        "French finished for Visita guiada à fazenda",
    ]


class TestTrouble:
    @pytest.mark.parametrize("fault", [{"status": 500}, {"status": 429}, {"broken": "refused"}])
    def test_a_platform_that_does_not_answer_is_told_once_and_taken_back(
        self, owner: Client, sent: Batch, faults: ModuleType, clock: Frozen, fault: dict[str, Any]
    ) -> None:
        where = poll_of(owner.get(address(sent)))
        forget()
        faults.set("ai_workflow.jobs", **fault)
        told = ask(owner, where)
        assert "The platform isn't answering. This page may be out of date" in page_of(told)
        assert "failed=1" in poll_of(told)
        assert ask(owner, poll_of(told)).status_code == 204, "it is not said again"
        faults.clear()
        forget()
        back = ask(owner, poll_of(told))
        assert "does not answer" not in page_of(back)
        assert "failed" not in poll_of(back)

    def test_a_refused_token_leads_to_sign_in_as_a_whole_page(
        self, owner: Client, sent: Batch, faults: ModuleType
    ) -> None:
        where = poll_of(owner.get(address(sent)))
        forget()
        faults.set("ai_workflow.jobs", status=401)
        assert ask(owner, where)["HX-Redirect"].startswith("/sign-in/")


def test_another_accounts_cells_tell_nothing(sent: Batch, sign_in: SignIn, library: Library, clock: Frozen) -> None:
    stranger = sign_in("trial")
    where = f"/dashboard/subtitles/live/?on=batch&batch={sent.pk}&table={library.source_only}~fr~q~sw~q"
    later(clock, 60)
    page = page_of(ask(stranger, where))
    assert "Meet Joaquim" not in page
    assert "ended" not in page


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "?list=",
        "?list=~",
        "?list=x",
        "?list=x~fr",
        "?list=x~fr~q~de",
        "?table=../..~fr~q",
        "?batch=nonsense",
        "?jobs=x&list=x~fr~q",
    ],
)
def test_an_address_that_means_nothing_is_forgiven(owner: Client, junk: str) -> None:
    assert ask(owner, f"/dashboard/subtitles/live/{junk}").status_code in (200, 204)


def test_without_htmx_it_leads_to_the_planner(owner: Client) -> None:
    assert owner.get("/dashboard/subtitles/live/")["Location"] == PLANNER


def test_what_is_watched_survives_its_address() -> None:
    watched = (
        WatchedCell("a", "fr", "q"),
        WatchedCell("a", "es-MX", "r", in_table=False),
        WatchedCell("b", "auto", "w"),
    )
    query = QueryDict(urlencode(live.format_watched(watched)))
    assert sorted(live.parse_watched(query), key=lambda cell: (cell.video_id, cell.lang)) == sorted(
        watched, key=lambda cell: (cell.video_id, cell.lang)
    )


def test_poll_of_a_page_opened_before_an_update_is_still_understood() -> None:
    assert live.parse_watched(QueryDict("at=a~fr~Q~es-MX~r")) == (
        WatchedCell("a", "fr", "q"),
        WatchedCell("a", "es-MX", "r"),
    )


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
class TestManyWatchers:
    """With threads, as in production."""

    @pytest.fixture(autouse=True)
    def threads(self, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
        settings.READ_SIDE_BY_SIDE = True
        with ThreadPoolExecutor(8) as parts, ThreadPoolExecutor(8) as reads:
            monkeypatch.setattr(parallel, "_of_pages", (parts, reads))
            yield

    def test_many_people_who_watch_one_video_ask_the_platform_once(
        self, owner: Client, library: Library, clock: Frozen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = planned(owner, translation(library.source_only))
        send(owner, batch)
        where = poll_of(owner.get(address(batch)))
        forget()
        asked = count_calls(monkeypatch, "ai_workflow.jobs")
        answers = [ask(owner, where).status_code for _watcher in range(30)]
        assert set(answers) == {204}
        assert sum(asked_of(one)["video_id"] == library.source_only for one in asked) == 1
