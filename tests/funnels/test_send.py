"""Sending a funnel: once, whoever presses how often, and settled by itself where the answer was lost."""

import threading
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.funnels import rules
from dashboard.funnels.models import Draft
from dashboard.writes.models import State, Write
from tests.due import run_due
from tests.funnels.test_funnels import ADDRESS, WRITE, arrange, main, moved, now
from tests.pages import page_of

__all__ = ["main"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_sent_it_is_there_once_and_the_draft_is_gone(owner: Client, main: str) -> None:
    first, second = moved(owner, main)
    for _press in range(3):
        owner.post(f"{ADDRESS}{main}/send/")
    there = {video.id: video for video in now(main).videos}
    assert (there[second].x, there[second].y, there[second].is_first) == (320, 80.5, True)
    assert not there[first].is_first
    assert len(there) == 5
    assert not Draft.objects.exists()
    assert Entry.objects.get(operation=WRITE).outcome == Outcome.DONE


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "1 video is sent."), ("es", "Se envía 1 video."), ("pt-br", "1 vídeo será enviado.")],
)
def test_review_uses_the_singular_for_one_video(owner: Client, main: str, language: str, sentence: str) -> None:
    entry = next(video for video in now(main).videos if video.is_first)
    fields: dict[str, Any] = {f"x-{entry.id}": "320", f"y-{entry.id}": "80", "entry": entry.id}
    arrange(owner, main, **fields)
    assert sentence in page_of(owner.get(f"{ADDRESS}{main}/review/", headers={"accept-language": language}))


def test_show_the_request_sends_nothing(owner: Client, main: str) -> None:
    _first, second = moved(owner, main)
    text = page_of(owner.post(f"{ADDRESS}{main}/send/", {"_dry_run": "1"}))
    assert "/funnels/add_videos" in text
    assert second in text
    assert not Entry.objects.exists()
    assert Draft.objects.exists()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 403}, "may not do that"),
        ({"status": 404}, "was not found on the platform"),
        ({"status": 429}, "Too many requests"),
    ],
)
def test_a_refusal_is_said_and_the_arrangement_stays(
    owner: Client, main: str, faults: ModuleType, fault: dict[str, int], sentence: str
) -> None:
    moved(owner, main)
    faults.set(WRITE, **fault)
    answer = owner.post(f"{ADDRESS}{main}/send/")
    assert answer.status_code == 422
    assert sentence in page_of(answer)
    assert Draft.objects.exists()
    assert Write.objects.get().state == State.REFUSED


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"is_first": False}, "Mark one video as the entry"),
        ({"is_first": True}, "Only one video can be the entry"),
        ({"id": "3f2b6c1e-0000-4000-8000-000000000000"}, "One of the videos is not in this account"),
    ],
)
def test_the_platform_s_own_sentences_of_refusal_become_ours(
    owner: Client, main: str, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], sentence: str
) -> None:
    video = now(main).videos[1].id
    fields: dict[str, Any] = {f"x-{video}": "320"}
    arrange(owner, main, **fields)
    right = rules.build_payload
    monkeypatch.setattr(
        rules,
        "build_payload",
        lambda cards: [
            {**place, **change} if not place["is_first"] or "is_first" in change else place for place in right(cards)
        ],
    )
    answer = owner.post(f"{ADDRESS}{main}/send/")
    assert answer.status_code == 422
    assert sentence in page_of(answer)
    assert Draft.objects.exists()
    assert Write.objects.get().state == State.REFUSED


def test_a_lost_answer_is_settled_by_the_worker_and_its_draft_goes(
    owner: Client, main: str, faults: ModuleType
) -> None:
    _first, second = moved(owner, main)
    faults.set(WRITE, broken="lost")
    assert "Not confirmed. We keep checking" in page_of(owner.post(f"{ADDRESS}{main}/send/", follow=True))
    faults.clear()
    assert Draft.objects.exists()
    run_due(3)
    assert next(video for video in now(main).videos if video.id == second).is_first
    assert Entry.objects.get().outcome == Outcome.DONE
    assert not Draft.objects.exists()


def test_what_was_arranged_after_the_sending_stays_a_draft(owner: Client, main: str, faults: ModuleType) -> None:
    moved(owner, main)
    faults.set(WRITE, broken="lost")
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear()
    third = now(main).videos[2].id
    fields: dict[str, Any] = {f"x-{third}": "999"}
    arrange(owner, main, **fields)
    run_due(3)
    assert list(Draft.objects.get().places) == [third]
    assert Draft.objects.get().entry == ""


def test_a_sending_that_did_not_arrive_is_never_sent_again_by_itself(
    owner: Client, main: str, faults: ModuleType
) -> None:
    moved(owner, main)
    faults.set(WRITE, status=500)
    assert "Not confirmed" in page_of(owner.post(f"{ADDRESS}{main}/send/", follow=True))
    faults.clear()
    owner.post(f"{ADDRESS}{main}/send/")
    assert Entry.objects.filter(operation=WRITE).count() == 1
    run_due(25)
    assert "The platform did not receive the funnel." in page_of(owner.get(f"{ADDRESS}{main}/review/"))
    assert Entry.objects.get().outcome == Outcome.REFUSED
    owner.post(f"{ADDRESS}{main}/send/")
    assert Entry.objects.filter(operation=WRITE, outcome=Outcome.DONE).count() == 1
    assert not Draft.objects.exists()


def unconfirmed(owner: Client, main: str, faults: ModuleType) -> dict[str, int]:
    """A sending that reading did not settle for a minute; gives the fields of the form that decides."""
    moved(owner, main)
    faults.set(WRITE, broken="dropped")
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear()
    faults.set("funnels.get", status=500)
    run_due(61)
    faults.clear()
    text = page_of(owner.get(f"{ADDRESS}{main}/review/"))
    assert "It arrived" in text and "Send again" in text and "Send funnel" not in text
    return {"attempt": Write.objects.get().attempt}


def test_send_again_sends_once_more_however_often_it_is_pressed(owner: Client, main: str, faults: ModuleType) -> None:
    form = unconfirmed(owner, main, faults)
    for _press in range(2):
        owner.post(f"{ADDRESS}{main}/again/", form)
    write = Write.objects.get()
    assert (write.state, write.attempt) == (State.DONE, 2)
    assert not Draft.objects.exists()


def test_it_arrived_settles_it_and_takes_it_out_of_the_draft(owner: Client, main: str, faults: ModuleType) -> None:
    owner.post(f"{ADDRESS}{main}/arrived/", unconfirmed(owner, main, faults))
    assert Write.objects.get().state == State.DONE
    assert not Draft.objects.exists()


def test_it_arrived_said_in_activity_takes_it_out_of_the_draft_too(
    owner: Client, main: str, faults: ModuleType
) -> None:
    unconfirmed(owner, main, faults)
    owner.post(f"/dashboard/activity/writes/{Write.objects.get().pk}/", {"act": "confirm"})
    assert Write.objects.get().state == State.DONE
    assert not Draft.objects.exists()


def test_the_review_polls_while_a_sending_is_open_and_then_leads_to_the_board(
    owner: Client, main: str, faults: ModuleType
) -> None:
    moved(owner, main)
    faults.set(WRITE, broken="lost")
    text = page_of(owner.post(f"{ADDRESS}{main}/send/", follow=True))
    faults.clear()
    polled = text.split('id="sending" hx-get="')[1].split('"')[0]
    assert owner.get(polled).status_code == 204
    run_due(3)
    answer = owner.get(polled, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"{ADDRESS}{main}/"


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_four_presses_at_once_send_a_funnel_once_and_are_answered_alike(owner: Client, main: str) -> None:
    moved(owner, main)
    barrier, led = threading.Barrier(4), []

    def send() -> None:
        browser = Client()
        browser.cookies = owner.cookies
        barrier.wait()
        led.append(browser.post(f"{ADDRESS}{main}/send/")["Location"])
        connections.close_all()

    presses = [threading.Thread(target=send) for _press in range(4)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    assert [(write.state, write.attempt) for write in Write.objects.all()] == [(State.DONE, 1)]
    assert set(led) == {f"{ADDRESS}{main}/"}


def test_a_newer_arrangement_replaces_one_that_waited_for_a_sign_in(
    owner: Client, main: str, faults: ModuleType
) -> None:
    _first, second = moved(owner, main)
    faults.set(WRITE, status=401)
    assert owner.post(f"{ADDRESS}{main}/send/")["Location"].startswith("/sign-in/")
    faults.clear()
    fields: dict[str, Any] = {f"x-{second}": "340"}
    arrange(owner, main, **fields)
    owner.post(f"{ADDRESS}{main}/send/")
    assert sorted(Write.objects.values_list("state", flat=True)) == [State.CANCELLED, State.DONE]
    assert next(video for video in now(main).videos if video.id == second).x == 340
