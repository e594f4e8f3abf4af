"""Starting a live early: once, after a preflight, and followed to the air; every refusal by its meaning."""

from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.lives.models import Start
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Live, Token
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def live(cast: dict[str, Any]) -> str:
    return str(cast["lives"]["scheduled"])


def page(client: Client, live: str, part: str = "") -> str:
    return client.get(f"/dashboard/lives/{live}/{part}").content.decode()


def test_the_list_shows_every_live_by_state(owner: Client, live: str) -> None:
    text = owner.get("/dashboard/lives/").content.decode()
    assert "On air" in text and "Scheduled" in text and "Not scheduled" in text
    only = owner.get("/dashboard/lives/?state=on_air").content.decode()
    assert f"/dashboard/lives/{live}/start/" not in only


def test_a_start_is_accepted_then_waits_then_is_on_air(owner: Client, live: str, clock: Frozen) -> None:
    assert owner.post(f"/dashboard/lives/{live}/start/")["Location"] == f"/dashboard/lives/{live}/"
    assert "Waiting for the encoder" in page(owner, live)
    assert Entry.objects.get().outcome == Outcome.DONE
    clock.travel(60)
    cache.clear()
    assert "On air" in page(owner, live)


def test_a_second_press_sends_nothing(owner: Client, live: str) -> None:
    owner.post(f"/dashboard/lives/{live}/start/")
    again = owner.post(f"/dashboard/lives/{live}/start/")
    assert again.status_code == 409
    assert Entry.objects.filter(operation="lives.start").count() == 1


def test_an_answer_that_never_came_is_settled_by_reading(owner: Client, live: str, faults: ModuleType) -> None:
    faults.set("lives.start", broken="lost")
    owner.post(f"/dashboard/lives/{live}/start/")
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    faults.clear()
    assert "Waiting for the encoder" in page(owner, live), "the schedule is cleared: it was accepted"
    assert Start.objects.get().confirmed


@pytest.mark.parametrize("role", ["unscheduled", "online"])
def test_what_the_platform_would_refuse_cannot_be_pressed(owner: Client, cast: dict[str, Any], role: str) -> None:
    found = cast["lives"][role]
    assert "disabled" in page(owner, found, "start/")
    assert owner.post(f"/dashboard/lives/{found}/start/").status_code == 409
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 403}, "may not do that"),
        ({"status": 429}, "asks for a pause"),
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
    text = page(owner, live)
    version = text.split("progress/?v=")[1].split('"')[0]
    assert owner.get(f"/dashboard/lives/{live}/progress/?v={version}").status_code == 204
    assert owner.get(f"/dashboard/lives/{live}/progress/?v=older").status_code == 200


@pytest.mark.parametrize(
    ("fault", "status"), [({"status": 500}, 502), ({"status": 429}, 502), ({"broken": "refused"}, 502)]
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
