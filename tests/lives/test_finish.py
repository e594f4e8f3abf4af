"""Finishing a live: on a page of its own, once, and followed until the platform says that it is over."""

import threading
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Live, Token
from dashboard.writes.models import State, Write
from tests.answering import answer_with, change_answers
from tests.conftest import signed_in
from tests.due import pass_by, run_due
from tests.forgetting import forget
from tests.pages import read_page
from tests.upstream.absent import take_reads

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def live(cast: dict[str, Any]) -> str:
    return str(cast["lives"]["online"])


def seen(text: str) -> dict[str, str]:
    return {"seen": text.split('name="seen" value="')[1].split('"')[0]}


def finish(client: Client, live: str) -> Any:
    return client.post(f"/dashboard/lives/{live}/finish/")


def still_on_air(monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform that goes on to say that lives are on air."""
    change_answers(monkeypatch, lambda live: live | {"status": "online"}, "lives.get")


def test_a_live_on_air_is_finished_after_a_page_that_says_what_it_means(owner: Client, live: str) -> None:
    shown = read_page(owner, f"/dashboard/lives/{live}/")
    assert f"/dashboard/lives/{live}/finish/" in shown
    assert f'method="post" action="/dashboard/lives/{live}/finish/"' not in shown, "not by one press"
    asked = read_page(owner, f"/dashboard/lives/{live}/finish/")
    assert "This cannot be undone." in asked and "The live is on air." in asked
    assert finish(owner, live)["Location"] == f"/dashboard/lives/{live}/"
    assert Live.objects.get(pk=live).status == "finished"
    after = read_page(owner, f"/dashboard/lives/{live}/")
    assert "Finished" in after and "/finish/" not in after and "stream key" not in after
    assert Entry.objects.get().outcome == Outcome.DONE
    assert "Live finished" in owner.get("/dashboard/activity/").content.decode()


def test_finish_page_says_not_on_air_for_a_scheduled_live(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"/dashboard/lives/{cast['lives']['scheduled']!s}/finish/")
    assert "The live is not on air." in text and "The live is on air." not in text


def test_reading_the_page_finishes_nothing(owner: Client, live: str, calls: Callable[[str], int]) -> None:
    read_page(owner, f"/dashboard/lives/{live}/finish/")
    assert calls("lives.finish") == 0


def test_a_second_press_sends_nothing_and_is_answered_like_the_first(
    owner: Client, live: str, calls: Callable[[str], int]
) -> None:
    form = seen(read_page(owner, f"/dashboard/lives/{live}/finish/"))
    answers = [owner.post(f"/dashboard/lives/{live}/finish/", form) for _press in range(2)]
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {(302, f"/dashboard/lives/{live}/")}
    assert calls("lives.finish") == 1


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_six_presses_at_once_finish_a_live_once(owner: Client, live: str) -> None:
    barrier = threading.Barrier(6)

    def press() -> None:
        browser = Client()
        browser.cookies = owner.cookies
        barrier.wait()
        finish(browser, live)
        connections.close_all()

    presses = [threading.Thread(target=press) for _press in range(6)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    write = Write.objects.get()
    assert (write.state, write.attempt) == (State.DONE, 1)


def test_a_finish_is_followed_until_the_platform_says_that_it_is_over(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        still_on_air(patched)
        finish(owner, live)
        moving = read_page(owner, f"/dashboard/lives/{live}/")
        assert "Finishing" in moving and "progress/?v=" in moving and "has not said yet" in moving
        assert "Waiting for" in moving
        pass_by(120)
        forget()
        late = read_page(owner, f"/dashboard/lives/{live}/")
        assert "Still on air" in late and "Stop the encoder" in late
        assert "/finish/" in late, "it can be finished again"
        assert "disabled" not in read_page(owner, f"/dashboard/lives/{live}/finish/")
        pass_by(4000)
        forget()
        assert "Still on air" not in read_page(owner, f"/dashboard/lives/{live}/"), "a new broadcast, an hour later"
    forget()
    assert "Finished" in read_page(owner, f"/dashboard/lives/{live}/")


def test_a_live_that_goes_offline_after_its_finish_is_finished(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(owner, live)
    Live.objects.filter(pk=live).update(status="offline", online_at=None, scheduled_at=None)
    forget()
    assert "Finished" in read_page(owner, f"/dashboard/lives/{live}/")
    Live.objects.filter(pk=live).update(scheduled_at=timezone.now() + timedelta(days=1))
    forget()
    assert "Scheduled" in read_page(owner, f"/dashboard/lives/{live}/"), "it was scheduled again"


def test_a_lost_answer_is_settled_by_reading(
    owner: Client, live: str, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set("lives.finish", broken="lost")
    finish(owner, live)
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    faults.clear()
    run_due(3)
    assert Write.objects.get().state == State.DONE
    assert Entry.objects.get().outcome == Outcome.DONE
    assert calls("lives.finish") == 1


def test_a_finish_that_did_not_arrive_says_so_and_can_be_sent_anew(
    owner: Client, live: str, faults: ModuleType
) -> None:
    faults.set("lives.finish", broken="dropped")
    finish(owner, live)
    assert "Finish not confirmed" in read_page(owner, f"/dashboard/lives/{live}/")
    faults.clear()
    run_due(25)
    assert Write.objects.get().state == State.UNCONFIRMED, "it may still end"
    run_due(100)
    run_due(100)
    assert Write.objects.get().state == State.REFUSED
    forget()
    assert "The platform did not receive the finish." in read_page(owner, f"/dashboard/lives/{live}/")
    finish(owner, live)
    forget()
    assert "Finished" in read_page(owner, f"/dashboard/lives/{live}/")


@pytest.mark.parametrize("act", ["arrived", "again"])
def test_what_reading_cannot_settle_is_decided_by_a_person(
    owner: Client, live: str, faults: ModuleType, act: str
) -> None:
    faults.set("lives.finish", broken="dropped")
    finish(owner, live)
    faults.clear()
    pass_by(80)
    forget()
    assert f"/dashboard/lives/{live}/finish/{act}/" in read_page(owner, f"/dashboard/lives/{live}/")
    for _press in range(2):
        owner.post(f"/dashboard/lives/{live}/finish/{act}/", {"attempt": "1"})
    assert Write.objects.get().state == State.DONE
    assert (Live.objects.get(pk=live).status == "finished") is (act == "again")


def test_an_answer_that_says_no_is_not_taken_for_done(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, lambda _answer: {"status": False}, "lives.finish")
    finish(owner, live)
    assert Write.objects.get().state == State.UNCONFIRMED


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize(
    ("language", "sentence", "where"),
    [
        ("en", "This platform does not offer to finish lives over its API, so the live was not finished.", "own pages"),
        ("pt-br", "Esta plataforma não permite encerrar lives pela API", "páginas da própria plataforma"),
        ("es", "Esta plataforma no permite finalizar directos por su API", "páginas de la propia plataforma"),
    ],
)
def test_a_platform_that_finishes_no_lives_is_named_with_where_to_do_it(
    owner: Client, live: str, faults: ModuleType, status: int, language: str, sentence: str, where: str
) -> None:
    faults.set("lives.finish", status=status)
    answer = owner.post(f"/dashboard/lives/{live}/finish/", headers={"accept-language": language})
    assert answer.status_code == 422
    assert sentence in unescape(answer.content.decode()) and where in unescape(answer.content.decode())
    assert Entry.objects.get().outcome == Outcome.REFUSED


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("Live with id: 1 was not found", "no such live in this account"),
        ("The live does not exist", "It was not found on the platform"),
        ("Route POST /live/1/finish not found", "over its API"),
        ("", "over its API"),
    ],
)
def test_a_live_that_is_gone_is_not_told_as_an_operation_that_is_missing(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch, told: str, sentence: str
) -> None:
    def fail(_request: Request) -> Any:
        raise Missing("lives.finish", 404, told)

    answer_with(monkeypatch, fail, "lives.finish")
    text = unescape(finish(owner, live).content.decode())
    assert sentence in text and ("over its API" in text) is (sentence == "over its API")


def test_a_refusal_of_the_platform_is_said_in_its_words_and_the_live_stays(owner: Client, cast: dict[str, Any]) -> None:
    live = cast["lives"]["scheduled"]
    assert "/finish/" not in read_page(owner, f"/dashboard/lives/{live}/"), "there is nothing to finish"
    asked = read_page(owner, f"/dashboard/lives/{live}/finish/")
    assert "it may refuse to finish a live that is not on air" in asked and "disabled" not in asked
    answer = finish(owner, live)
    assert answer.status_code == 422
    assert "live is not online" in answer.content.decode()


def test_what_is_over_cannot_be_finished(owner: Client, cast: dict[str, Any], calls: Callable[[str], int]) -> None:
    here = Token.objects.get(value=cast["tokens"]["owner"]).user.organization
    live = Live.objects.filter(status="finished_imported", organization=here)[0]
    assert "disabled" in read_page(owner, f"/dashboard/lives/{live.pk!s}/finish/")
    assert finish(owner, str(live.pk)).status_code == 409
    assert calls("lives.finish") == 0


@pytest.mark.parametrize("status", [404, 403])
def test_a_live_that_cannot_be_read_is_finished_by_its_id(
    owner: Client, live: str, faults: ModuleType, status: int
) -> None:
    take_reads(faults, "lives", status)
    assert "Finish live" in read_page(owner, f"/dashboard/lives/{live}/")
    assert "Whether the live is on air is not known." in read_page(owner, f"/dashboard/lives/{live}/finish/")
    finish(owner, live)
    assert Live.objects.get(pk=live).status == "finished"
    text = read_page(owner, f"/dashboard/lives/{live}/")
    assert "Finish accepted" in text and "does not say whether the live is over" in text
    assert "progress/?v=" not in text, "nothing tells, so nothing is asked"


def test_the_path_is_what_the_setting_says(owner: Client, live: str, settings: Settings) -> None:
    settings.PLATFORM_PATHS = {"lives.finish": "/live/{live_id}/stop"}
    text = unescape(owner.post(f"/dashboard/lives/{live}/finish/", {"_dry_run": "1"}).content.decode())
    assert f"/live/{live}/stop" in text
    assert not Entry.objects.exists()


def test_another_account_s_live_cannot_be_finished(client: Client, cast: dict[str, Any], live: str) -> None:
    signed_in(client, cast["tokens"]["trial"])
    assert finish(client, live).status_code == 404
    assert Live.objects.get(pk=live).status != "finished"


def test_a_start_after_a_finish_makes_it_old(owner: Client, live: str) -> None:
    finish(owner, live)
    Live.objects.filter(pk=live).update(
        status="offline", online_at=None, scheduled_at=timezone.now() + timedelta(days=1)
    )
    forget()
    owner.post(f"/dashboard/lives/{live}/start/")
    forget()
    shown = read_page(owner, f"/dashboard/lives/{live}/")
    assert "Waiting for the encoder" in shown and "Finished" not in shown
