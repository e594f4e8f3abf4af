"""Signing in: the platform checks the token, deny by default, and nothing typed is lost on the way."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.accounts import views
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.sandbox.models import Organization
from tests.conftest import signed_in
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_token_the_platform_knows_signs_in(client: Client, cast: dict[str, Any]) -> None:
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "name": "Serra Alta"}, follow=True)
    assert answer.redirect_chain == [("/dashboard/", 302)]
    assert "Serra Alta" in answer.content.decode()


@pytest.mark.parametrize("around", ["  {}  ", "Bearer {}", "{}\n"])
def test_what_the_clipboard_adds_around_a_token_does_not_matter(
    client: Client, cast: dict[str, Any], around: str
) -> None:
    answer = client.post("/sign-in/", {"token": around.format(cast["tokens"]["owner"])})
    assert answer.status_code == 302


def test_a_token_nobody_knows_is_refused_in_the_platform_s_words_too(client: Client, cast: dict[str, Any]) -> None:
    answer = client.post("/sign-in/", {"token": "nobody-knows-me"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "The platform does not know this token." in text
    assert "“Unauthorized”" in text
    assert "nobody-knows-me" not in text
    assert not Account.objects.exists()


@pytest.mark.parametrize("token", ["", "two words", "açaí", "line\nbreak"])
def test_what_cannot_be_a_token_is_refused_before_it_is_sent(client: Client, cast: dict[str, Any], token: str) -> None:
    answer = client.post("/sign-in/", {"token": token})
    assert answer.status_code == 422
    assert b'aria-invalid="true"' in answer.content


@pytest.mark.parametrize(
    ("fault", "status"), [({"status": 500}, 502), ({"status": 429}, 503), ({"broken": "dropped"}, 504)]
)
def test_a_platform_in_trouble_is_said_and_nothing_is_stored(
    client: Client, cast: dict[str, Any], faults: ModuleType, fault: dict[str, Any], status: int
) -> None:
    faults.set("folders.list", **fault)
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"]})
    assert answer.status_code == status
    assert b"error-summary" in answer.content
    assert not Account.objects.exists()


def test_the_token_is_nowhere_but_encrypted_in_the_vault(owner: Client, cast: dict[str, Any]) -> None:
    token = cast["tokens"]["owner"]
    account = Account.objects.get()
    assert token not in account.sealed_token
    assert account.token == token
    assert token not in str(dict(owner.session))
    assert token not in owner.get("/accounts/").content.decode()


def test_an_account_whose_zone_no_column_holds_signs_in_all_the_same(client: Client, cast: dict[str, Any]) -> None:
    Organization.objects.update(pullzone="v" * 999)
    client.post("/sign-in/", {"token": cast["tokens"]["owner"]})
    account = Account.objects.get()
    account.full_clean()
    assert len(account.pullzone) == 63


def test_a_known_token_comes_back_to_its_account(client: Client, cast: dict[str, Any]) -> None:
    for _time in range(2):
        client.post("/sign-in/", {"token": cast["tokens"]["owner"]})
        client.post("/sign-out/")
    assert Account.objects.count() == 1


def test_a_token_that_two_browsers_bring_at_once_is_one_account_and_no_other(
    client: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in ("owner", "trial"):
        client.post("/sign-in/", {"token": cast["tokens"][role]})
    monkeypatch.setattr(
        "dashboard.accounts.tokens.find_account", lambda _token: None
    )  # the other one is not stored yet
    for role in ("owner", "trial"):
        other = signed_in(Client(), cast["tokens"][role])
        assert Account.objects.get(pk=other.session["account"]).token == cast["tokens"][role]
    assert Account.objects.count() == 2


@pytest.mark.parametrize(
    "address", ["/dashboard/", "/accounts/", "/dashboard/lives/?state=on_air", "/dashboard/activity/"]
)
def test_every_address_that_is_not_public_leads_to_sign_in_and_back(
    client: Client, cast: dict[str, Any], address: str
) -> None:
    first = client.get(address, follow=True)
    assert first.redirect_chain[-1][0].startswith("/sign-in/?next=")
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "next": address})
    assert answer["Location"] == address


@pytest.mark.parametrize("foreign", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_sign_in_never_leads_to_another_site(client: Client, cast: dict[str, Any], foreign: str) -> None:
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "next": foreign})
    assert answer["Location"] == "/dashboard/"


@pytest.mark.usefixtures("one_window")
def test_attempts_are_limited_with_a_clear_wait(client: Client, cast: dict[str, Any]) -> None:
    for _attempt in range(views.ATTEMPTS_PER_ADDRESS):
        assert client.post("/sign-in/", {"token": "wrong"}).status_code == 422
    answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"]})
    assert answer.status_code == 429
    assert b"Too many attempts. Wait" in answer.content
    forget()
    assert client.post("/sign-in/", {"token": cast["tokens"]["owner"]}).status_code == 302


@pytest.mark.usefixtures("one_window")
def test_sub_accounts_are_connected_one_after_the_other_and_no_token_can_be_guessed(
    owner: Client, cast: dict[str, Any]
) -> None:
    parent = owner.session["account"]
    connect = {"token": cast["tokens"]["sub_account"], "name": "Café", "parent": parent, "stay": "1"}
    statuses = [owner.post("/sign-in/", connect).status_code for _each in range(views.CONNECTS_PER_ADDRESS - 1)]
    assert set(statuses) == {302} and len(statuses) > 12
    assert owner.post("/sign-in/", connect | {"token": "wrong"}).status_code == 422
    assert owner.post("/sign-in/", connect).status_code == 429
    stranger = [Client().post("/sign-in/", {"token": "wrong", "parent": parent}).status_code for _each in range(10)]
    assert stranger[-1] == 429 and stranger[0] == 422, "a parent of another browser counts for nothing"


@pytest.mark.usefixtures("one_window")
def test_a_network_is_limited_although_its_addresses_change(client: Client, cast: dict[str, Any]) -> None:
    statuses = [
        client.post("/sign-in/", {"token": "wrong"}, REMOTE_ADDR=f"203.0.113.{number % 250}").status_code
        for number in range(views.ATTEMPTS_PER_NETWORK + 1)
    ]
    assert set(statuses[:-1]) == {422}
    assert statuses[-1] == 429


def test_the_demo_signs_in_parent_and_sub_account(client: Client, cast: dict[str, Any]) -> None:
    answer = client.post("/sign-in/demo/")
    assert answer["Location"] == "/dashboard/"
    child = Account.objects.get(parent__isnull=False)
    assert child.parent is not None
    assert child.parent.token == cast["tokens"]["owner"]
    assert child.token == cast["tokens"]["sub_account"]


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (401, 422, "The platform does not know this token."),
        (403, 403, "This account may not do that."),
        (503, 502, "The platform has trouble of its own."),
    ],
)
def test_a_demo_whose_platform_refuses_says_so_and_signs_nobody_in(
    client: Client, cast: dict[str, Any], faults: ModuleType, fault: int, status: int, said: str
) -> None:
    faults.set("folders.list", status=fault)
    answer = client.post("/sign-in/demo/")
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert client.get("/dashboard/").status_code == 302


def test_there_is_no_demo_on_a_real_platform(client: Client, cast: dict[str, Any], settings: Settings) -> None:
    settings.PLATFORM_EMBEDDED = False
    settings.PLATFORM_BASE_URL = "https://platform.example"
    assert client.post("/sign-in/demo/").status_code == 404
    assert b"sign-in/demo" not in client.get("/sign-in/").content


def carried(sign_in: Any) -> str:
    """What the sign-in page hands on."""
    return str(sign_in.content.decode().split('name="kept" value="')[1].split('"')[0])


def test_a_session_that_ended_keeps_what_was_typed_and_sends_it_after_sign_in(
    client: Client, cast: dict[str, Any]
) -> None:
    live = cast["lives"]["scheduled"]
    typed_on = {"Referer": f"http://testserver/dashboard/lives/{live}/"}
    answer = client.post(f"/dashboard/lives/{live}/start/", {"note": "typed & kept"}, headers=typed_on)
    assert answer["Location"].startswith("/sign-in/")
    sign_in = client.post(answer["Location"], {"note": "typed & kept"})
    form = {"token": cast["tokens"]["owner"], "next": f"/dashboard/lives/{live}/", "kept": carried(sign_in)}
    page = client.post("/sign-in/", form, follow=True)
    text = page.content.decode()
    assert "signed out before it was sent" in text
    assert "typed &amp; kept" in text
    assert not Entry.objects.exists(), "nothing is sent by itself"
    client.post(f"/dashboard/lives/{live}/start/", {"note": "typed & kept"})
    assert Entry.objects.get().operation == "lives.start"
    assert "signed out before" not in client.get(f"/dashboard/lives/{live}/").content.decode()


def test_a_token_that_ended_in_the_middle_of_work_keeps_what_was_typed(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    live = cast["lives"]["scheduled"]
    faults.set("lives.start", status=401)
    typed_on = {"Referer": f"http://testserver/dashboard/lives/{live}/"}
    answer = owner.post(f"/dashboard/lives/{live}/start/", {"note": "typed"}, headers=typed_on)
    assert answer["Location"].startswith("/sign-in/?next=")
    assert "refused=" in answer["Location"]
    sign_in = owner.get(answer["Location"]).content.decode()
    assert "no longer accepts the token" in sign_in
    faults.clear()
    form = {"token": cast["tokens"]["owner"], "next": f"/dashboard/lives/{live}/"}
    page = owner.post("/sign-in/", form, follow=True)
    assert "signed out before it was sent" in page.content.decode()


def test_kept_work_can_be_let_go(client: Client, cast: dict[str, Any]) -> None:
    typed_on = {"Referer": "http://testserver/dashboard/"}
    sign_in = client.post("/dashboard/lives/x/start/", {"note": "typed"}, headers=typed_on, follow=True)
    signed = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "kept": carried(sign_in)}, follow=True)
    assert "signed out before it was sent" in signed.content.decode()
    client.post("/accounts/kept/discard/")
    assert "signed out before it was sent" not in client.get("/dashboard/").content.decode()


def test_an_htmx_request_is_led_to_sign_in_as_a_whole_page(client: Client, cast: dict[str, Any]) -> None:
    answer = client.get(
        "/dashboard/lives/", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/dashboard/"}
    )
    assert answer["HX-Redirect"] == "/sign-in/?next=%2Fdashboard%2F"
