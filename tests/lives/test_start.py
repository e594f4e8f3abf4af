"""Starting a live early: once, after a preflight, and followed to the air; every refusal by its meaning."""

import threading
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api.errors import PlatformDown, Refused, error_for
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Live, Organization, Token
from dashboard.shared import refusals
from dashboard.writes.models import State, Write
from tests.conftest import signed_in
from tests.due import run_due
from tests.forgetting import forget
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_the_list_shows_every_live_by_state(owner: Client, live: str) -> None:
    text = owner.get("/dashboard/lives/").content.decode()
    assert "On air" in text and "Scheduled" in text and "Not scheduled" in text
    only = owner.get("/dashboard/lives/?state=on_air").content.decode()
    assert f"/dashboard/lives/{live}/start/" not in only


@pytest.mark.parametrize("live", ["no-live", "é"])
@pytest.mark.parametrize("part", ["", "progress/", "start/"])
def test_what_the_platform_takes_for_no_live_is_not_found(owner: Client, live: str, part: str) -> None:
    assert owner.get(f"/dashboard/lives/{live}/{part}").status_code == 404


def test_a_start_is_accepted_then_waits_then_is_on_air(owner: Client, live: str, clock: Frozen) -> None:
    assert owner.post(f"/dashboard/lives/{live}/start/")["Location"] == f"/dashboard/lives/{live}/"
    assert "Waiting for the encoder" in read_page(owner, f"/dashboard/lives/{live}/")
    assert Entry.objects.get().outcome == Outcome.DONE
    clock.travel(60)
    forget()
    assert "On air" in read_page(owner, f"/dashboard/lives/{live}/")


def test_a_second_press_sends_nothing_and_is_answered_like_the_first(owner: Client, live: str) -> None:
    first, again = (owner.post(f"/dashboard/lives/{live}/start/") for _press in range(2))
    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert Entry.objects.filter(operation="lives.start").count() == 1


def test_a_lost_answer_is_settled_by_the_worker_and_activity_ends_with_the_truth(
    owner: Client, live: str, faults: ModuleType
) -> None:
    faults.set("lives.start", broken="lost")
    owner.post(f"/dashboard/lives/{live}/start/")
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    faults.clear()
    assert "Waiting for the encoder" in read_page(owner, f"/dashboard/lives/{live}/"), (
        "the schedule is cleared: it was accepted"
    )
    run_due(3)
    assert Write.objects.get().state == State.DONE
    assert Entry.objects.get().outcome == Outcome.DONE


def test_a_start_that_did_not_arrive_says_so_and_can_be_sent_anew(owner: Client, live: str, faults: ModuleType) -> None:
    faults.set("lives.start", broken="dropped")
    owner.post(f"/dashboard/lives/{live}/start/")
    assert "Not confirmed. We keep checking automatically." in read_page(owner, f"/dashboard/lives/{live}/")
    faults.clear()
    run_due(25)
    assert "The platform did not receive the start." in read_page(owner, f"/dashboard/lives/{live}/")
    assert Entry.objects.get().outcome == Outcome.REFUSED
    owner.post(f"/dashboard/lives/{live}/start/")
    assert "Waiting for the encoder" in read_page(owner, f"/dashboard/lives/{live}/")


@pytest.mark.parametrize("how", ["lost", "dropped"])
def test_what_reading_cannot_settle_is_sent_again_once_on_purpose(
    owner: Client, live: str, faults: ModuleType, how: str
) -> None:
    faults.set("lives.start", broken=how)
    owner.post(f"/dashboard/lives/{live}/start/")
    faults.clear()
    faults.set("lives.get", status=500)
    run_due(61)
    form = {"attempt": Write.objects.get().attempt}
    for _press in range(2):
        owner.post(f"/dashboard/lives/{live}/again/", form)
    write = Write.objects.get()
    assert (write.state, write.attempt) == (State.DONE, 2), "already started: the first attempt arrived"


def test_a_person_may_say_that_a_start_arrived(owner: Client, live: str, faults: ModuleType) -> None:
    faults.set("lives.start", broken="dropped")
    owner.post(f"/dashboard/lives/{live}/start/")
    Write.objects.update(ended_at=timezone.now() - timedelta(minutes=2))
    forget()
    assert "It arrived" in read_page(owner, f"/dashboard/lives/{live}/")
    owner.post(f"/dashboard/lives/{live}/arrived/", {"attempt": "1"})
    assert Write.objects.get().state == State.DONE


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_six_presses_at_once_start_a_live_once(owner: Client, live: str) -> None:
    barrier = threading.Barrier(6)

    def start() -> None:
        browser = Client()
        browser.cookies = owner.cookies
        barrier.wait()
        browser.post(f"/dashboard/lives/{live}/start/")
        connections.close_all()

    presses = [threading.Thread(target=start) for _press in range(6)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    write = Write.objects.get()
    assert (write.state, write.attempt) == (State.DONE, 1)


def test_a_live_whose_input_does_not_open_is_refused_and_can_be_started_later(owner: Client, live: str) -> None:
    Live.objects.filter(pk=live).update(ingest_broken=True)
    answer = owner.post(f"/dashboard/lives/{live}/start/")
    assert answer.status_code == 422
    assert "could not open the live’s input, so it was not started" in answer.content.decode()
    assert Entry.objects.get().outcome == Outcome.REFUSED
    for text in (
        read_page(owner, f"/dashboard/lives/{live}/"),
        read_page(owner, f"/dashboard/lives/{live}/start/"),
        owner.get("/dashboard/lives/").content.decode(),
    ):
        assert "Scheduled" in text or "The live is scheduled." in text, "it is as it was"
        assert "Waiting for" not in text and "checking automatically" not in text and "progress/?v=" not in text
    Live.objects.filter(pk=live).update(ingest_broken=False)
    assert owner.post(f"/dashboard/lives/{live}/start/").status_code == 302


@pytest.mark.parametrize(
    "words", ["Ingest channel failed to start", "The ingest channel is not ready", "INGEST CHANNEL: 7"]
)
def test_input_that_does_not_open_is_known_by_its_reason_whatever_the_sentence(words: str) -> None:
    """A 500 of another reason may have been carried out, and is looked after."""
    assert error_for("lives.start", 500, words, frozenset()) is Refused
    assert "could not open the live’s input" in refusals.explain(Refused("lives.start", 500, words)).sentence
    assert error_for("lives.start", 500, "Internal server error", frozenset()) is PlatformDown
    assert error_for("lives.finish", 500, words, frozenset()) is PlatformDown


def test_a_start_that_is_refused_over_the_subscription_is_told_as_refused(owner: Client, live: str) -> None:
    Organization.objects.filter(lives__pk=live).update(plan="")
    answer = owner.post(f"/dashboard/lives/{live}/start/")
    assert answer.status_code == 422
    assert "could not read the account’s subscription" in answer.content.decode()
    text = read_page(owner, f"/dashboard/lives/{live}/")
    assert "Scheduled" in text and "Waiting for" not in text and "checking automatically" not in text


def test_a_live_that_is_scheduled_again_after_its_start_can_be_started_again(owner: Client, live: str) -> None:
    owner.post(f"/dashboard/lives/{live}/start/")
    Live.objects.filter(pk=live).update(scheduled_at=timezone.now() + timedelta(days=7), online_at=None)
    forget()
    assert "Scheduled" in read_page(owner, f"/dashboard/lives/{live}/")
    assert owner.post(f"/dashboard/lives/{live}/start/").status_code == 302
    assert Write.objects.filter(state=State.DONE).count() == 2


@pytest.mark.parametrize("role", ["unscheduled", "online"])
def test_what_the_platform_would_refuse_cannot_be_pressed(owner: Client, cast: dict[str, Any], role: str) -> None:
    found = cast["lives"][role]
    text = read_page(owner, f"/dashboard/lives/{found}/start/")
    assert "disabled" in text and "It was planned for" not in text
    assert owner.post(f"/dashboard/lives/{found}/start/").status_code == 409
    assert not Entry.objects.exists()


def test_start_page_says_offline_and_scheduled_for_a_scheduled_live(owner: Client, live: str) -> None:
    text = read_page(owner, f"/dashboard/lives/{live}/start/")
    assert "The live is offline." in text and "The live is not offline." not in text
    assert "The live is scheduled." in text and "The live is not scheduled." not in text
    assert "It was planned for" in text


def test_start_page_says_not_offline_for_a_live_on_air(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"/dashboard/lives/{cast['lives']['online']}/start/")
    assert "The live is not offline." in text and "The live is offline." not in text


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 403}, "may not do that"),
        ({"status": 429}, "Too many requests"),
    ],
)
def test_each_refusal_is_said_by_its_meaning_and_can_be_tried_again(
    owner: Client, live: str, faults: ModuleType, fault: dict[str, Any], sentence: str
) -> None:
    faults.set("lives.start", **fault)
    answer = owner.post(f"/dashboard/lives/{live}/start/")
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    faults.clear()
    assert owner.post(f"/dashboard/lives/{live}/start/").status_code == 302


def test_a_trial_account_is_told_why(client: Client, cast: dict[str, Any], live: str) -> None:
    trial = Token.objects.get(value=cast["tokens"]["trial"]).user.organization
    Live.objects.filter(pk=live).update(organization=trial)
    signed_in(client, cast["tokens"]["trial"])
    answer = client.post(f"/dashboard/lives/{live}/start/")
    assert answer.status_code == 422
    assert "Trial accounts cannot start lives." in answer.content.decode()


def test_the_dry_run_shows_the_request_and_sends_nothing(owner: Client, live: str, cast: dict[str, Any]) -> None:
    text = owner.post(f"/dashboard/lives/{live}/start/", {"_dry_run": "1"}).content.decode()
    assert f"/lives/{live}/start" in text
    assert "$PLATFORM_TOKEN" in text
    assert cast["tokens"]["owner"] not in text
    assert not Entry.objects.exists()


def test_a_poll_that_brings_nothing_answers_204(owner: Client, live: str) -> None:
    owner.post(f"/dashboard/lives/{live}/start/")
    text = read_page(owner, f"/dashboard/lives/{live}/")
    version = text.split("progress/?v=")[1].split('"')[0]
    assert owner.get(f"/dashboard/lives/{live}/progress/?v={version}").status_code == 204
    assert owner.get(f"/dashboard/lives/{live}/progress/?v=older").status_code == 200


@pytest.mark.parametrize(
    ("fault", "status"), [({"status": 500}, 502), ({"status": 429}, 503), ({"broken": "refused"}, 504)]
)
def test_a_list_that_cannot_be_had_says_so_and_offers_the_id(
    owner: Client, faults: ModuleType, cast: dict[str, Any], fault: dict[str, Any], status: int
) -> None:
    faults.set("lives.list", **fault)
    answer = owner.get("/dashboard/lives/")
    assert answer.status_code == status
    assert b"open one by its id" in answer.content


def test_another_account_s_live_is_not_there(client: Client, cast: dict[str, Any], live: str) -> None:
    signed_in(client, cast["tokens"]["trial"])
    assert client.get(f"/dashboard/lives/{live}/").status_code == 404
    assert client.post(f"/dashboard/lives/{live}/start/").status_code == 404
