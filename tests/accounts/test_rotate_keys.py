"""manage.py rotate_keys: in steps, while everything runs; and it never says too early that a key can go."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.management import call_command
from django.db import models
from django.test import Client
from pytest_django import Settings

from dashboard.accounts import identity, rotation
from dashboard.accounts.models import Account, IdentityKey
from dashboard.management.commands import doctor
from dashboard.shared import vault
from dashboard.writes.models import State, Write
from tests.conftest import AtPlatform, signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CAN_GO = "You can remove the older key from TOKEN_KEYS."


@pytest.fixture(autouse=True)
def started_process() -> Iterator[None]:
    """A process that has read no key yet."""
    identity.key.cache_clear()
    yield
    identity.key.cache_clear()


@pytest.fixture
def sealed(client: Client, cast: dict[str, Any]) -> Client:
    """A browser with five accounts, one of them disconnected."""
    for role in ("owner", "trial"):
        signed_in(client, cast["tokens"][role])
    for number in range(3):
        token = vault.seal(f"token-{number}") if number else ""
        Account.objects.create(
            name=str(number), sealed_token=token, fingerprint=identity.fingerprint(f"token-{number}")
        )
    return signed_in(client, cast["tokens"]["owner"])


@pytest.fixture
def old_and_new(sealed: Client, settings: Settings) -> tuple[str, str]:
    """The two keys, after the new one was put in front."""
    old, new = settings.TOKEN_KEYS[0], Fernet.generate_key().decode()
    settings.TOKEN_KEYS = [new, old]
    return old, new


def rotate(*words: str) -> tuple[int, str]:
    """The exit code, and what it says."""
    printed = io.StringIO()
    try:
        call_command("rotate_keys", *words, stdout=printed)
    except SystemExit as end:
        return int(str(end.code)), printed.getvalue()
    return 0, printed.getvalue()


def during_rotation(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Do something once, after the command has read the accounts and before it writes them."""
    unpatched, once = vault.rotate, [act]

    def rotated(sealed: str) -> str:
        if once and sealed in set(Account.objects.values_list("sealed_token", flat=True)):
            once.pop()()
        return unpatched(sealed)

    monkeypatch.setattr(vault, "rotate", rotated)


def told_by_doctor() -> str:
    """What the doctor says of sealed secrets."""
    return "\n".join(str(finding) for finding in doctor._sealed())


def test_everything_is_sealed_anew_and_the_older_key_can_go(
    sealed: Client, old_and_new: tuple[str, str], settings: Settings
) -> None:
    fingerprints = set(Account.objects.values_list("fingerprint", flat=True))
    assert "(reelroom.W025)" in told_by_doctor()
    code, said = rotate()
    assert code == 0 and CAN_GO in said, said
    assert "accounts.Account.sealed_token: 4 sealed anew." in said
    settings.TOKEN_KEYS = [old_and_new[1]]
    identity.key.cache_clear()
    assert sealed.get("/accounts/").status_code == 200
    assert set(Account.objects.values_list("fingerprint", flat=True)) == fingerprints
    assert "ok" in told_by_doctor() and "reelroom" not in told_by_doctor()
    assert "TOKEN_KEYS has one key, and it is in use." in rotate()[1]


def test_every_column_of_sealed_text_is_rotated() -> None:
    named = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, models.TextField) and "sealed" in field.name
    }
    columns = [str(column) for column in rotation.sealed_columns()]
    assert set(columns) == named and len(named) >= 3
    assert columns[0] == "accounts.IdentityKey.sealed_key"


def test_killed_in_the_middle_it_harms_nothing_and_goes_on_when_run_again(
    sealed: Client, old_and_new: tuple[str, str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotation, "BATCH", 1)
    left = [1] * 3
    unpatched = vault.rotate

    def rotated(sealed_text: str) -> str:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return unpatched(sealed_text)

    with monkeypatch.context() as killed:
        killed.setattr(vault, "rotate", rotated)
        with pytest.raises(KeyboardInterrupt):
            rotate()
    halfway = rotation.tally_all()
    assert (halfway.newest, halfway.older, halfway.lost) == (3, 2, 0)
    assert sealed.get("/accounts/").status_code == 200
    assert [account.token for account in Account.objects.connected()]
    code, said = rotate()
    assert code == 0 and CAN_GO in said and "accounts.Account.sealed_token: 2 sealed anew." in said


def test_two_at_once_do_each_other_no_harm(
    old_and_new: tuple[str, str], cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    second: list[tuple[int, str]] = []
    during_rotation(monkeypatch, lambda: second.append(rotate()))
    first = rotate()
    assert [code for code, _said in (first, *second)] == [0, 0]
    assert CAN_GO in first[1] and "accounts.Account.sealed_token: 0 sealed anew." in first[1]
    assert cast["tokens"]["owner"] in {account.token for account in Account.objects.connected()}


def test_a_token_renewed_or_deleted_meanwhile_stays_so(
    old_and_new: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed, deleted = Account.objects.get(name="1"), Account.objects.get(name="2")

    def act() -> None:
        renewed.keep_token("renewed")
        renewed.save()
        deleted.forget_token()
        deleted.save()

    during_rotation(monkeypatch, act)
    assert rotate()[0] == 0
    assert Account.objects.get(name="1").token == "renewed"
    assert Account.objects.get(name="2").sealed_token == ""


def test_a_write_under_way_is_sent_once_and_leaves_the_rotated_token(
    sealed: Client, old_and_new: tuple[str, str], cast: dict[str, Any], settings: Settings, at_platform: AtPlatform
) -> None:
    sent, ends = [], []

    def rotate_meanwhile(request: object) -> None:
        sent.append(request)
        ends.append(rotate()[0])
        settings.TOKEN_KEYS = [old_and_new[1]]

    at_platform.answers("lives.start", rotate_meanwhile)
    sealed.post(f"/dashboard/lives/{cast['lives']['scheduled']}/start/", {})
    assert (len(sent), ends) == (1, [0])
    assert Write.objects.get().state == State.DONE
    assert Account.objects.get(pk=sealed.session["account"]).token == cast["tokens"]["owner"]


def test_no_key_can_go_while_a_process_still_seals_with_the_older_one(
    old_and_new: tuple[str, str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = old_and_new
    tally = rotation.tally_all

    def tallied() -> rotation.Tally:
        settings.TOKEN_KEYS = [old]
        account = Account.objects.get(name="1")
        account.keep_token("token-1")
        account.save()
        settings.TOKEN_KEYS = [new, old]
        return tally()

    monkeypatch.setattr(rotation, "tally_all", tallied)
    code, said = rotate()
    assert code == 1 and "Keep every key" in said and "You can remove" not in said


def test_a_key_removed_too_early_is_said_and_helped_by_putting_it_back(
    sealed: Client, old_and_new: tuple[str, str], settings: Settings
) -> None:
    old, new = old_and_new
    settings.TOKEN_KEYS = [new]
    assert "5 stored secrets cannot be opened" in told_by_doctor() and "(reelroom.E023)" in told_by_doctor()
    code, said = rotate()
    assert code == 1 and "A key was removed too early" in said and "You can remove" not in said
    assert Account.objects.filter(sealed_token="").count() == 1, "nothing was given up"
    settings.TOKEN_KEYS = [new, old]
    assert rotate()[0] == 0
    assert sealed.get("/accounts/").status_code == 200


def test_what_a_lost_key_sealed_can_be_given_up_and_the_token_finds_its_account(
    sealed: Client, old_and_new: tuple[str, str], cast: dict[str, Any], settings: Settings
) -> None:
    settings.TOKEN_KEYS = [old_and_new[1]]
    code, said = rotate("--forget-lost")
    assert code == 0 and "accounts.Account.sealed_token: 4 that could not be opened forgotten." in said
    assert not Account.objects.connected().exists()
    account = sealed.session["account"]
    assert signed_in(Client(), cast["tokens"]["owner"]).session["account"] == account
    assert IdentityKey.objects.count() == 1


def test_accounts_with_another_fingerprint_are_carried_over_and_twins_are_left(
    sealed: Client, cast: dict[str, Any]
) -> None:
    Account.objects.filter(name="1").update(fingerprint="of an earlier key")
    Account.objects.filter(name="2").update(sealed_token=vault.seal("token-1"))
    Account.objects.create(name="twin", sealed_token=vault.seal(cast["tokens"]["owner"]), fingerprint="x")
    code, said = rotate()
    assert code == 0 and "Accounts found by the identity key from now on: 1." in said
    assert "Accounts whose token another account holds as well: 2." in said
