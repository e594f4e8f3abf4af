"""Several accounts in one browser: switching, naming, disconnecting; nobody reaches an account that is not theirs."""

from types import ModuleType
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.shared import vault
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def both(client: Client, cast: dict[str, Any]) -> Client:
    client.post("/sign-in/demo/")
    return client


def test_the_account_in_use_is_marked_and_another_can_be_used(both: Client) -> None:
    child = Account.objects.get(parent__isnull=False)
    assert "Sub-account of" in both.get("/accounts/").content.decode()
    assert both.post(f"/accounts/{child.pk}/use/")["Location"] == "/dashboard/"
    assert both.session["account"] == str(child.pk)


def test_an_account_of_another_browser_is_not_there(owner: Client, cast: dict[str, Any]) -> None:
    signed_in(Client(), cast["tokens"]["trial"])
    stranger = Account.objects.exclude(pk=owner.session["account"]).get()
    for address in ("", "use/", "disconnect/"):
        assert owner.post(f"/accounts/{stranger.pk}/{address}").status_code == 404
    assert Account.objects.filter(pk=stranger.pk).exists()


def test_a_name_is_kept_and_an_empty_one_refused_at_its_field(owner: Client) -> None:
    account = Account.objects.get()
    assert owner.post(f"/accounts/{account.pk}/", {"name": "Marketing"}).status_code == 302
    account.refresh_from_db()
    assert account.name == "Marketing"
    refused = owner.post(f"/accounts/{account.pk}/", {"name": ""})
    assert refused.status_code == 422
    assert b"Write a name for the account." in refused.content


def test_disconnecting_asks_first_and_deletes_the_stored_token_whatever_the_platform_does(
    both: Client, faults: ModuleType
) -> None:
    faults.set("*", broken="refused")
    child = Account.objects.get(parent__isnull=False)
    assert b"Keep it connected" in both.get(f"/accounts/{child.pk}/disconnect/").content
    assert Account.objects.connected().count() == 2
    both.post(f"/accounts/{child.pk}/disconnect/")
    child = Account.objects.get(pk=child.pk)
    assert child.sealed_token == ""
    with pytest.raises(vault.Unreadable):
        _ = child.token
    assert str(child.pk) not in both.get("/accounts/").content.decode()
    assert both.post(f"/accounts/{child.pk}/use/").status_code == 404


def test_what_was_kept_is_shown_again_to_the_same_token_and_to_no_other(owner: Client, cast: dict[str, Any]) -> None:
    account = Account.objects.get()
    Entry.objects.create(account_id=account.pk, actor="Ana", operation="lives.start", target="live-7")
    owner.post(f"/accounts/{account.pk}/disconnect/")
    other = signed_in(Client(), cast["tokens"]["trial"])
    assert "live-7" not in other.get("/dashboard/activity/").content.decode()
    again = signed_in(Client(), cast["tokens"]["owner"])
    assert again.session["account"] == str(account.pk)
    assert "live-7" in again.get("/dashboard/activity/").content.decode()


def test_reconnecting_lets_nobody_in_who_was_in_before_the_token_was_deleted(
    owner: Client, cast: dict[str, Any]
) -> None:
    account = Account.objects.get()
    colleague = signed_in(Client(), cast["tokens"]["owner"])
    owner.post(f"/accounts/{account.pk}/disconnect/")
    assert colleague.get("/dashboard/activity/")["Location"].startswith("/sign-in/")
    signed_in(Client(), cast["tokens"]["owner"])
    assert colleague.get("/dashboard/activity/")["Location"].startswith("/sign-in/")
    assert colleague.post(f"/accounts/{account.pk}/disconnect/")["Location"].startswith("/sign-in/")
    assert Account.objects.connected().get() == account
    assert signed_in(colleague, cast["tokens"]["owner"]).get("/dashboard/activity/").status_code == 200


def test_a_sub_account_keeps_its_parent_while_that_is_disconnected(both: Client) -> None:
    parent, child = Account.objects.get(parent=None), Account.objects.get(parent__isnull=False)
    both.post(f"/accounts/{parent.pk}/disconnect/")
    both.post(f"/accounts/{child.pk}/use/")
    both.post(f"/accounts/{child.pk}/", {"name": "Marketing", "parent": str(parent.pk)})
    child.refresh_from_db()
    assert (child.name, child.parent) == ("Marketing", parent)


def test_signing_out_forgets_the_browser_and_keeps_the_vault(owner: Client) -> None:
    owner.post("/sign-out/")
    assert owner.get("/dashboard/").status_code == 302
    assert Account.objects.count() == 1


def test_a_renewed_token_stays_with_its_account(owner: Client, cast: dict[str, Any]) -> None:
    """The stored token stopped working; the same account's new one takes its place, with everything kept for it."""
    account = Account.objects.get()
    account.keep_token("an-old-token-that-ended")
    account.save()
    answer = owner.post("/sign-in/", {"token": cast["tokens"]["owner"], "renew": str(account.pk)})
    assert answer.status_code == 302
    assert Account.objects.get().pk == account.pk
    assert Account.objects.get().token == cast["tokens"]["owner"]


def test_a_token_of_another_account_does_not_take_over(owner: Client, cast: dict[str, Any]) -> None:
    account = Account.objects.get()
    owner.post("/sign-in/", {"token": cast["tokens"]["trial"], "renew": str(account.pk)})
    account = Account.objects.get(pk=account.pk)
    assert account.token == cast["tokens"]["owner"]
    assert Account.objects.count() == 2


def test_keys_can_be_rotated_and_a_lost_key_leads_to_sign_in(owner: Client, settings: Settings) -> None:
    account = Account.objects.get()
    old, new = settings.TOKEN_KEYS[0], Fernet.generate_key().decode()
    settings.TOKEN_KEYS = [new, old]
    account.sealed_token = vault.rotate(account.sealed_token)
    account.save()
    settings.TOKEN_KEYS = [new]
    assert owner.get("/accounts/").status_code == 200
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    assert owner.get("/accounts/")["Location"].startswith("/sign-in/")
