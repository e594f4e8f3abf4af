"""Starting a live on a platform that does not show its lives: by its id, with what is not known said (section 4.9)."""

from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import Live
from dashboard.writes.models import State, Write
from tests.answering import change_answers
from tests.due import run_due
from tests.forgetting import forget
from tests.pages import read_page
from tests.upstream.absent import take_reads

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def seen(text: str) -> dict[str, str]:
    """What a form of `text` says of the start that its page knew."""
    return {"seen": text.split('name="seen" value="')[1].split('"')[0]}


@pytest.mark.parametrize("status", [404, 403, 405])
def test_a_live_that_cannot_be_read_is_started_by_its_id(
    owner: Client, live: str, faults: ModuleType, calls: Callable[[str], int], status: int
) -> None:
    take_reads(faults, "lives", status)
    assert owner.get("/dashboard/lives/", {"id": live})["Location"] == f"/dashboard/lives/{live}/"
    opened = read_page(owner, f"/dashboard/lives/{live}/")
    assert "was not found on the platform" not in opened
    assert "Start early" in opened
    form = read_page(owner, f"/dashboard/lives/{live}/start/")
    assert "Whether the live is offline is not known" in form
    assert "Whether the live is scheduled is not known" in form
    assert "disabled" not in form
    answer = owner.post(f"/dashboard/lives/{live}/start/", seen(form))
    assert answer["Location"] == f"/dashboard/lives/{live}/"
    assert Live.objects.get(pk=live).scheduled_at is None
    assert Entry.objects.get().outcome == Outcome.DONE
    accepted = read_page(owner, f"/dashboard/lives/{live}/")
    assert "Start accepted" in accepted
    assert "/progress/" not in accepted, "nothing tells whether it is on air, so nothing is asked"
    owner.post(f"/dashboard/lives/{live}/start/", seen(form))
    assert calls("lives.start") == 1, "the form came again"
    anew = seen(read_page(owner, f"/dashboard/lives/{live}/start/"))
    assert owner.post(f"/dashboard/lives/{live}/start/", anew).status_code == 422, "nobody knows, so the platform says"
    assert calls("lives.start") == 2


def test_a_live_that_only_the_list_shows_is_as_the_list_says(owner: Client, live: str, faults: ModuleType) -> None:
    take_reads(faults, "lives", reads=("get",))
    text = read_page(owner, f"/dashboard/lives/{live}/")
    assert Live.objects.get(pk=live).title in text
    assert "Scheduled for" in text
    assert "not known" not in read_page(owner, f"/dashboard/lives/{live}/start/").replace("account", "")
    owner.post(f"/dashboard/lives/{live}/start/")
    forget()
    assert "Waiting for the encoder" in read_page(owner, f"/dashboard/lives/{live}/")


def test_a_lost_answer_is_settled_by_the_list_and_by_a_person_where_there_is_none(
    owner: Client, live: str, faults: ModuleType
) -> None:
    take_reads(faults, "lives")
    faults.set("lives.start", broken="lost")
    owner.post(f"/dashboard/lives/{live}/start/", seen(read_page(owner, f"/dashboard/lives/{live}/start/")))
    faults.clear("lives.start")
    run_due(61)
    assert Write.objects.get().state == State.UNCONFIRMED, "a read that is not there tells nothing"
    assert "It arrived" in read_page(owner, f"/dashboard/lives/{live}/")
    faults.clear("lives.list")
    run_due(61)
    assert Write.objects.get().state == State.DONE


def test_a_live_keeps_the_title_that_it_had_when_it_was_started_from_here(
    owner: Client, live: str, faults: ModuleType
) -> None:
    owner.post(f"/dashboard/lives/{live}/start/")
    forget()
    take_reads(faults, "lives")
    text = read_page(owner, f"/dashboard/lives/{live}/")
    assert f"<h1>{Live.objects.get(pk=live).title}</h1>" in text and "Start accepted" in text


def test_the_platform_s_refusal_is_told_at_the_form(owner: Client, live: str, faults: ModuleType) -> None:
    take_reads(faults, "lives")
    Live.objects.filter(pk=live).update(scheduled_at=None)
    answer = owner.post(f"/dashboard/lives/{live}/start/", seen(read_page(owner, f"/dashboard/lives/{live}/start/")))
    assert answer.status_code == 422
    assert "has been started already, or was never scheduled" in unescape(answer.content.decode())


def without_date(live: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in live.items() if name not in ("scheduled_at", "scheduled_time")}


@pytest.mark.parametrize(
    "change",
    [
        lambda live: live | {"status": "scheduled"},
        lambda live: live | {"status": "scheduled", "scheduled_at": None},
        without_date,
        lambda live: {"id": live["id"]},
    ],
)
def test_what_no_document_says_advises_and_forbids_nothing(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]
) -> None:
    change_answers(monkeypatch, change, "lives.get")
    form = read_page(owner, f"/dashboard/lives/{live}/start/")
    assert "is not known" in form
    assert "disabled" not in form
    assert "Start early" in read_page(owner, f"/dashboard/lives/{live}/")
    assert owner.post(f"/dashboard/lives/{live}/start/", seen(form)).status_code == 302
    assert Live.objects.get(pk=live).scheduled_at is None


def test_a_list_of_lives_without_dates_claims_no_missing_schedule(
    owner: Client, live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, lambda answer: {"lives": [without_date(one) for one in answer["lives"]]}, "lives.list")
    text = unescape(owner.get("/dashboard/lives/").content.decode())
    assert "Not scheduled" not in text
    assert f"/dashboard/lives/{live}/start/" in text


def test_a_live_without_a_date_that_is_said_to_be_on_air_settles_a_start(
    owner: Client, live: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, without_date, "lives.get")
    faults.set("lives.start", broken="lost")
    owner.post(f"/dashboard/lives/{live}/start/", seen(read_page(owner, f"/dashboard/lives/{live}/start/")))
    faults.clear()
    run_due(61)
    assert Write.objects.get().state == State.UNCONFIRMED
    Live.objects.filter(pk=live).update(online_at=timezone.now())
    run_due(61)
    assert Write.objects.get().state == State.DONE


def test_the_request_can_be_shown_for_a_live_that_cannot_be_read(owner: Client, live: str, faults: ModuleType) -> None:
    take_reads(faults, "lives")
    text = owner.post(f"/dashboard/lives/{live}/start/", {"_dry_run": "1"}).content.decode()
    assert f"/lives/{live}/start" in text
    assert not Entry.objects.exists()


def test_what_the_platform_says_is_no_live_is_not_found(owner: Client) -> None:
    assert owner.get("/dashboard/lives/3f2b6c1e-0000-4000-8000-000000000000/").status_code == 404


@pytest.mark.parametrize("status", [404, 403])
@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("online", "On air"),
        ("finished", "Finished"),
        ("finished_imported", "Finished, saved as a video"),
        ("offline", "Offline"),
        ("preparing", "Offline"),
    ],
)
def test_live_that_the_api_does_not_show_has_state_title_and_still_of_its_public_file(
    owner: Client, live: str, faults: ModuleType, status: int, state: str, said: str
) -> None:
    Live.objects.filter(pk=live).update(status=state)
    for read in ("get", "list"):
        faults.set(f"lives.{read}", status=status)
    page = owner.get(f"/dashboard/lives/{live}/")
    text = unescape(page.content.decode())
    assert f"<h1>{Live.objects.get(pk=live).title}</h1>" in text
    assert f"</svg>{said}</span>" in text
    assert "its title and state are from its public file" in text and "are not known" not in text
    assert 'class="live-still" src="/sandbox/media/' in text


def test_start_of_a_live_without_reads_is_followed_and_settled_by_its_public_file(
    owner: Client, live: str, faults: ModuleType
) -> None:
    for read in ("get", "list"):
        faults.set(f"lives.{read}", status=404)
    form = read_page(owner, f"/dashboard/lives/{live}/start/")
    assert "The live is offline." in form and "Whether the live is scheduled is not known" in form
    faults.set("lives.start", broken="lost")
    owner.post(f"/dashboard/lives/{live}/start/", seen(form))
    faults.clear("lives.start")
    run_due(61)
    assert Write.objects.get().state == State.UNCONFIRMED, (
        "offline says nothing of a start that nobody knows a schedule of"
    )
    Live.objects.filter(pk=live).update(online_at=timezone.now())
    run_due(61)
    assert Write.objects.get().state == State.DONE
    forget()
    assert "On air" in read_page(owner, f"/dashboard/lives/{live}/")


@pytest.mark.parametrize(
    ("fault", "said"),
    [({"status": 500}, "The platform has trouble of its own"), ({"status": 429}, "Too many requests")],
)
def test_public_file_that_cannot_be_read_is_said_and_the_live_is_still_started(
    owner: Client, live: str, faults: ModuleType, fault: dict[str, Any], said: str
) -> None:
    for read in ("get", "list"):
        faults.set(f"lives.{read}", status=404)
    faults.set("public_files.live", **fault)
    text = read_page(owner, f"/dashboard/lives/{live}/")
    assert "The public file of this live could not be read." in text and said in text
    assert "Start early" in text and "are not known" in text
    faults.clear("public_files.live")
    answer = owner.post(f"/dashboard/lives/{live}/start/", seen(read_page(owner, f"/dashboard/lives/{live}/start/")))
    assert answer.status_code == 302
    assert Live.objects.get(pk=live).scheduled_at is None


def test_live_of_another_account_has_no_public_file_here(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    for read in ("get", "list"):
        faults.set(f"lives.{read}", status=404)
    text = read_page(owner, f"/dashboard/lives/{cast['lives']['other_account']}/")
    assert Live.objects.get(pk=cast["lives"]["other_account"]).title not in text
    assert "are not known" in text


def test_zone_is_learned_from_a_known_video_where_no_test_tells_it(
    owner: Client, live: str, faults: ModuleType
) -> None:
    Account.objects.update(pullzone="")
    owner.get("/dashboard/videos/")
    for read in ("get", "list"):
        faults.set(f"lives.{read}", status=404)
    assert "its title and state are from its public file" in read_page(owner, f"/dashboard/lives/{live}/")
