"""Whatever happens to keys, the same token is the same account, and what was typed finds its person."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.test import Client
from pytest_django import Settings

from dashboard.accounts import identity
from dashboard.accounts.models import Account, IdentityKey
from tests.accounts.test_pending_form import STILL_HERE, sent_signed_out
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NEW = "another-" + "k9Zq4W1xT7_bR2mVs8Lh5Yd0Jc3Nf6Pg"


@pytest.fixture(autouse=True)
def started_process() -> Any:
    """A process that has read no key yet."""
    identity.key.cache_clear()
    yield
    identity.key.cache_clear()


def change_secret_key(settings: Settings, *, fallbacks: list[str]) -> None:
    """Start again with another SECRET_KEY."""
    settings.SECRET_KEY = NEW
    settings.SECRET_KEY_FALLBACKS = fallbacks
    identity.key.cache_clear()


def test_sessions_live_on_after_a_new_secret_key_with_the_old_one_behind_it(owner: Client, settings: Settings) -> None:
    change_secret_key(settings, fallbacks=[settings.SECRET_KEY])
    assert owner.get("/accounts/").status_code == 200


def test_sessions_end_and_the_account_stays_one_after_a_new_secret_key_alone(
    owner: Client, cast: dict[str, Any], settings: Settings
) -> None:
    account = Account.objects.get()
    change_secret_key(settings, fallbacks=[])
    assert owner.get("/accounts/")["Location"].startswith("/sign-in/")
    assert signed_in(Client(), cast["tokens"]["owner"]).session["account"] == str(account.pk)
    assert Account.objects.get() == account


def test_a_disconnected_account_is_found_again_after_both_keys_changed_one_after_the_other(
    owner: Client, cast: dict[str, Any], settings: Settings
) -> None:
    account = Account.objects.get()
    owner.post(f"/accounts/{account.pk}/disconnect/")
    change_secret_key(settings, fallbacks=[])
    identity.key()
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    identity.key.cache_clear()
    assert signed_in(Client(), cast["tokens"]["owner"]).session["account"] == str(account.pk)


def test_the_identity_key_outlives_new_token_keys_and_then_a_new_secret_key(settings: Settings) -> None:
    key = identity.key()
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    identity.key.cache_clear()
    assert identity.key() == key
    change_secret_key(settings, fallbacks=[])
    assert identity.key() == key


def test_lost_token_keys_make_no_second_account(owner: Client, cast: dict[str, Any], settings: Settings) -> None:
    account = Account.objects.get()
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    identity.key.cache_clear()
    assert owner.get("/accounts/")["Location"].startswith("/sign-in/")
    assert signed_in(Client(), cast["tokens"]["owner"]).session["account"] == str(account.pk)
    assert Account.objects.get().token == cast["tokens"]["owner"]


def test_a_stored_token_is_never_stored_again_even_where_its_fingerprint_says_nothing(
    owner: Client, cast: dict[str, Any]
) -> None:
    Account.objects.update(fingerprint="made with a key that nobody knows any more")
    signed_in(Client(), cast["tokens"]["owner"])
    assert Account.objects.get().fingerprint == identity.fingerprint(cast["tokens"]["owner"])


def test_the_identity_key_is_nowhere_readable_and_kept_where_no_setting_opens_it(settings: Settings) -> None:
    key = identity.key()
    assert key not in str(list(IdentityKey.objects.values()))
    former = settings.SECRET_KEY, settings.TOKEN_KEYS
    settings.SECRET_KEY, settings.TOKEN_KEYS = NEW, [Fernet.generate_key().decode()]
    identity.key.cache_clear()
    assert identity.key() != key
    settings.SECRET_KEY, settings.TOKEN_KEYS = former
    identity.key.cache_clear()
    assert identity.key() == key, "settings of another installation, taken back, have destroyed nothing"


def test_two_first_uses_at_once_agree_on_one_key() -> None:
    IdentityKey.objects.all().delete()
    first = identity.make(IdentityKey, "one", number=1)
    assert identity.make(IdentityKey, "two", number=1) == first == identity.key()


def test_a_form_typed_before_a_new_secret_key_is_offered_after_it(
    client: Client, cast: dict[str, Any], settings: Settings
) -> None:
    action = f"/dashboard/lives/{cast['lives']['scheduled']}/start/"
    _page, field = sent_signed_out(client, action, {"note": "typed"})
    change_secret_key(settings, fallbacks=[])
    form = {"token": cast["tokens"]["owner"], "next": action, "kept": field}
    assert STILL_HERE in client.post("/sign-in/", form, follow=True).content.decode()


def test_a_form_is_still_offered_to_nobody_else_after_a_new_secret_key(
    owner: Client, cast: dict[str, Any], settings: Settings
) -> None:
    action = f"/dashboard/lives/{cast['lives']['scheduled']}/start/"
    owner.get("/accounts/")
    change_secret_key(settings, fallbacks=[])
    _page, field = sent_signed_out(owner, action, {"note": "typed"})
    form = {"token": cast["tokens"]["trial"], "next": "/dashboard/", "kept": field}
    assert STILL_HERE not in owner.post("/sign-in/", form, follow=True).content.decode()
