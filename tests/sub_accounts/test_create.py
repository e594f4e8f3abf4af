"""A new sub-account: rules before sending, every refusal by its meaning, never created twice."""

import re
import threading
import uuid
from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.sub_accounts.rules import compact_tax_id, find_tax_id_problem
from dashboard.writes.models import State, Write
from tests.conftest import signed_in
from tests.due import run_due

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

FORM = {
    "write_key": "3f2b6c1e-1111-4222-8333-444455556666",
    "name": "Marca do Cliente",
    "tax_id": "529.982.247-25",
    "phone": "+55 11 91234-5678",
    "currency": "brl",
    "user_name": "Ana Prado",
    "user_email": "ana@example.com",
}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("529.982.247-25", True),
        ("52998224724", False),  # check digit
        ("111.111.111-11", False),  # fits, never given out
        ("11.222.333/0001-81", True),
        ("12.ABC.345/01DE-35", True),  # letters since July 2026
        ("12abc34501de35", True),
        ("12ABC34501DE36", False),
        ("1234567890", False),  # 10
        ("123456789012", False),  # 12
        ("", False),
    ],
)
def test_a_tax_id_must_be_able_to_be_right(text: str, fits: bool) -> None:
    assert (find_tax_id_problem(compact_tax_id(text)) is None) is fits


def test_a_tax_id_is_sent_without_punctuation_and_in_upper_case() -> None:
    assert compact_tax_id(" 12.abc.345/01de-35 ") == "12ABC34501DE35"


def test_it_is_sent_as_specified_and_followed_as_far_as_it_can_be_known(owner: Client) -> None:
    answer = owner.post("/dashboard/sub-accounts/create/", FORM)
    creation = Write.objects.get()
    assert answer["Location"] == f"/dashboard/sub-accounts/{creation.pk}/"
    assert creation.state == State.DONE
    assert creation.result and creation.result["organization_id"]
    assert creation.request["tax_id"] == "52998224725"
    sent = Entry.objects.get().after
    assert isinstance(sent, dict)
    assert sent["tax_id"] == "52998224725"
    assert set(sent) - {"organization_id", "status"} == {"name", "currency", "phone", "tax_id", "user"}
    assert b"Connect its token" in owner.get(answer["Location"]).content


def test_creations_are_listed_newest_first(owner: Client) -> None:
    forms = [("First", "529.982.247-25"), ("Second", "111.444.777-35"), ("Third", "12.ABC.345/01DE-35")]
    for name, tax_id in forms:
        owner.post(
            "/dashboard/sub-accounts/create/", FORM | {"write_key": str(uuid.uuid4()), "name": name, "tax_id": tax_id}
        )
    first = Write.objects.get(label="First")
    Write.objects.filter(pk=first.pk).update(created_at=first.created_at + timedelta(minutes=1))
    page = owner.get("/dashboard/sub-accounts/").content.decode()
    places = [page.index(f">{name}<") for name in ("First", "Third", "Second")]
    assert places == sorted(places)


def test_its_token_is_connected_in_one_step_and_its_creation_says_so(owner: Client, cast: dict[str, Any]) -> None:
    here = owner.post("/dashboard/sub-accounts/create/", FORM)["Location"]
    parent = owner.session["account"]
    where = re.search(r'href="(/sign-in/[^"]+parent=[^"]+)"', owner.get(here).content.decode())
    assert where
    page = unescape(owner.get(unescape(where[1])).content.decode())
    assert f'name="parent" value="{parent}"' in page
    assert f'value="{FORM["name"]}"' in page
    owner.post("/sign-in/", {"token": cast["tokens"]["sub_account"], "name": FORM["name"], "parent": parent})
    child = Account.objects.get(name=FORM["name"])
    assert str(child.parent_id) == parent
    assert owner.session["account"] == str(child.pk)
    owner.post(f"/accounts/{parent}/use/")
    text = owner.get(here).content.decode()
    assert "Its token is connected." in text and "Connect its token" not in text


def test_nobody_is_made_a_sub_account_of_an_account_of_another_browser(owner: Client, cast: dict[str, Any]) -> None:
    stranger = signed_in(Client(), cast["tokens"]["trial"]).session["account"]
    for parent in (stranger, "x", owner.session["account"]):
        owner.post("/sign-in/", {"token": cast["tokens"]["owner"], "parent": parent})
    assert not Account.objects.filter(parent__isnull=False).exists()


def test_the_same_form_twice_creates_once(owner: Client) -> None:
    for _press in range(2):
        answer = owner.post("/dashboard/sub-accounts/create/", FORM)
        assert answer.status_code == 302
    assert Entry.objects.filter(operation="organizations.create_sub_account").count() == 1


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Write a name."),
        ("name", "x" * 256, "at most 255"),
        ("tax_id", "123", "A CPF has 11 digits"),
        ("tax_id", "529.982.247-24", "check digits do not fit"),
        ("phone", "call me", "Write a phone number"),
        ("currency", "eur", "Choose a currency."),
        ("user_name", "x" * 256, "at most 255"),
        ("user_email", "ana@", "whole e-mail address"),
        ("user_email", "a" * 250 + "@example.com", "at most 255"),
    ],
)
def test_each_rule_is_said_at_its_field_with_everything_typed_still_there(
    owner: Client, field: str, value: str, sentence: str
) -> None:
    answer = owner.post("/dashboard/sub-accounts/create/", {**FORM, field: value})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text
    assert f'href="#id_{field}"' in text
    assert "Ana Prado" in text or field == "user_name"
    assert not Entry.objects.exists()


@pytest.mark.parametrize("length", [1, 255])
def test_a_name_on_the_edge_is_taken(owner: Client, length: int) -> None:
    assert owner.post("/dashboard/sub-accounts/create/", {**FORM, "name": "n" * length}).status_code == 302


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("sub_account", "A sub-account cannot create sub-accounts."),
        ("trial", "Accounts in trial"),
        ("no_permission", "get-subaccount and put-subaccount"),
        ("inactive", "not active"),
    ],
)
def test_each_refusal_of_the_platform_is_said_by_its_meaning(
    client: Client, cast: dict[str, Any], role: str, sentence: str
) -> None:
    signed_in(client, cast["tokens"][role])
    answer = client.post("/dashboard/sub-accounts/create/", {**FORM, "write_key": str(uuid.uuid4())})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Write.objects.get().state == State.REFUSED
    assert FORM["name"] not in client.get("/dashboard/sub-accounts/").content.decode()


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_four_presses_at_once_create_one(owner: Client) -> None:
    barrier, answers = threading.Barrier(4), []

    def create() -> None:
        browser = Client()
        browser.cookies = owner.cookies
        barrier.wait()
        answers.append(browser.post("/dashboard/sub-accounts/create/", FORM)["Location"])
        connections.close_all()

    presses = [threading.Thread(target=create) for _press in range(4)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    assert set(answers) == {f"/dashboard/sub-accounts/{Write.objects.get().pk}/"}
    assert Entry.objects.count() == 1


def unconfirmed(owner: Client, faults: ModuleType, how: str) -> tuple[str, dict[str, int]]:
    """The address of a creation whose answer was lost, and the fields of the form that decides."""
    faults.set("organizations.create_sub_account", broken=how)
    here = owner.post("/dashboard/sub-accounts/create/", FORM)["Location"]
    faults.clear()
    return here, {"attempt": Write.objects.get().attempt}


def test_a_lost_answer_is_not_sent_again_by_itself_and_asks_the_person(owner: Client, faults: ModuleType) -> None:
    here, _form = unconfirmed(owner, faults, "lost")
    owner.post("/dashboard/sub-accounts/create/", FORM)
    run_due(3600)
    text = unescape(owner.get(here).content.decode())
    assert "Check on the platform whether it arrived." in text and "creates a second one" in text
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED


def test_activity_names_an_open_creation_by_what_it_asked_for_and_leads_to_its_page(
    owner: Client, faults: ModuleType
) -> None:
    here, _form = unconfirmed(owner, faults, "lost")
    entry = Entry.objects.get()
    assert entry.label == FORM["name"]
    assert isinstance(entry.after, dict)
    assert (entry.after["name"], entry.after["user"]["email"]) == (FORM["name"], FORM["user_email"])
    assert f'href="{here}"' in owner.get(f"/dashboard/activity/{entry.pk}/").content.decode()


@pytest.mark.parametrize("other", [{"operation": "playlists.create"}, {"state": State.CANCELLED}])
def test_only_creations_that_were_sent_are_listed_and_have_a_page(owner: Client, other: dict[str, str]) -> None:
    here = owner.post("/dashboard/sub-accounts/create/", FORM)["Location"]
    assert here in owner.get("/dashboard/sub-accounts/").content.decode()
    Write.objects.update(**other)
    assert here not in owner.get("/dashboard/sub-accounts/").content.decode()
    assert owner.get(here).status_code == 404


def test_it_arrived_ends_it_as_created(owner: Client, faults: ModuleType) -> None:
    here, form = unconfirmed(owner, faults, "lost")
    owner.post(f"{here}arrived/", form)
    assert Entry.objects.get().outcome == Outcome.DONE
    assert "Creating" in owner.get(here).content.decode()


def test_send_again_creates_it_once_however_often_it_is_pressed(owner: Client, faults: ModuleType) -> None:
    here, form = unconfirmed(owner, faults, "dropped")
    for _press in range(2):
        owner.post(f"{here}again/", form)
    write = Write.objects.get()
    assert (write.state, write.attempt) == (State.DONE, 2)
    assert Entry.objects.get().outcome == Outcome.DONE


def test_send_again_that_is_refused_says_why(owner: Client, faults: ModuleType) -> None:
    here, form = unconfirmed(owner, faults, "dropped")
    faults.set("organizations.create_sub_account", status=403)
    text = owner.post(f"{here}again/", form, follow=True).content.decode()
    assert "may not do that" in text and "Nothing was created." in text


def test_the_page_of_an_open_creation_polls_and_is_shown_anew_when_it_has_ended(
    owner: Client, faults: ModuleType
) -> None:
    here, form = unconfirmed(owner, faults, "lost")
    polled = owner.get(here).content.decode().split("<main")[1].split('hx-get="')[1].split('"')[0]
    assert owner.get(polled).status_code == 204
    owner.post(f"{here}arrived/", form)
    assert owner.get(polled, headers={"HX-Request": "true"})["HX-Redirect"] == here


def test_the_dry_run_keeps_the_form_and_sends_nothing(owner: Client) -> None:
    text = owner.post("/dashboard/sub-accounts/create/", {**FORM, "_dry_run": "1"}).content.decode()
    assert "action=create-sub-account" in text
    assert "Ana Prado" in text
    assert not Entry.objects.exists()


def test_another_account_s_creation_is_not_there(client: Client, owner: Client, cast: dict[str, Any]) -> None:
    here = owner.post("/dashboard/sub-accounts/create/", FORM)["Location"]
    stranger = signed_in(Client(), cast["tokens"]["trial"])
    assert stranger.get(here).status_code == 404
    assert stranger.post(f"{here}again/").status_code == 404
