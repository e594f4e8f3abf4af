"""A new sub-account: rules before sending, every refusal by its meaning, never created twice."""

import re
import uuid
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.sub_accounts.models import Creation, State
from dashboard.sub_accounts.rules import compact_tax_id, tax_id_problem
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

FORM = {
    "key": "3f2b6c1e-1111-4222-8333-444455556666",
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
    assert (tax_id_problem(compact_tax_id(text)) is None) is fits


def test_it_is_sent_as_specified_and_followed_as_far_as_it_can_be_known(owner: Client) -> None:
    answer = owner.post("/dashboard/sub-accounts/create/", FORM)
    creation = Creation.objects.get()
    assert answer["Location"] == f"/dashboard/sub-accounts/{FORM['key']}/"
    assert creation.state == State.CREATING
    assert creation.organization_id
    sent = Entry.objects.get().after
    assert isinstance(sent, dict)
    assert sent["tax_id"] == "52998224725"
    assert set(sent) - {"organization_id", "status"} == {"name", "currency", "phone", "tax_id", "user"}
    assert b"Connect its token" in owner.get(answer["Location"]).content


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
    answer = client.post("/dashboard/sub-accounts/create/", {**FORM, "key": str(uuid.uuid4())})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Creation.objects.exists()


def test_an_answer_that_never_came_is_not_sent_again(owner: Client, faults: ModuleType) -> None:
    faults.set("organizations.create_sub_account", broken="lost")
    answer = owner.post("/dashboard/sub-accounts/create/", FORM, follow=True)
    assert b"The sub-account may exist" in answer.content
    faults.clear()
    owner.post("/dashboard/sub-accounts/create/", FORM)
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED


def test_the_dry_run_keeps_the_form_and_sends_nothing(owner: Client) -> None:
    text = owner.post("/dashboard/sub-accounts/create/", {**FORM, "_dry_run": "1"}).content.decode()
    assert "action=create-sub-account" in text
    assert "Ana Prado" in text
    assert not Entry.objects.exists()


def test_another_account_s_creation_is_not_there(client: Client, owner: Client, cast: dict[str, Any]) -> None:
    owner.post("/dashboard/sub-accounts/create/", FORM)
    stranger = signed_in(Client(), cast["tokens"]["trial"])
    assert stranger.get(f"/dashboard/sub-accounts/{FORM['key']}/").status_code == 404
