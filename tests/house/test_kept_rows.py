"""What a fixture did comes back as rows: from the same state alone, and as if it had been done just now."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Organization
from tests import kept_rows
from tests.kept_rows import KeptRows

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_second_taking_finds_rows_cache_and_cookies_without_the_step_and_later(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, taken, client = KeptRows(), [], Client()

    def step() -> None:
        taken.append(1)
        Organization.objects.create(name="Studio", pullzone="vz")
        Account.objects.create(name="Studio", fingerprint="f", sealed_token="s")
        cache.set("known", 1, 60)
        client.cookies["who"] = "ana"

    real = kept_rows.now

    def take(after: timedelta) -> tuple[Account, str, Organization, object]:
        nonlocal client
        client = Client()
        with monkeypatch.context() as patch, transaction.atomic(), transaction.atomic(using="sandbox"):
            patch.setattr(kept_rows, "now", lambda: real() + after)
            kept.take(step, client)
            found = (
                Account.objects.get(),
                client.cookies["who"].value,
                Organization.objects.get(pullzone="vz"),
                cache.get("known"),
            )
            transaction.set_rollback(True)
            transaction.set_rollback(True, using="sandbox")
        cache.clear()
        return found

    first, second = take(timedelta(0)), take(timedelta(seconds=30))
    assert first[1:] == second[1:] == ("ana", first[2], 1) and first[0].pk == second[0].pk
    assert taken == [1]
    assert second[0].created_at - first[0].created_at > timedelta(seconds=29)
    take(timedelta(seconds=kept_rows.FRESH_SECONDS + 1))
    assert taken == [1, 1], "an old step is taken anew"


def test_step_is_taken_where_a_row_that_it_changes_says_something_else() -> None:
    kept, names = KeptRows(), []
    account = Account.objects.create(name="Studio", fingerprint="f", sealed_token="s", zone="UTC")

    def step() -> None:
        names.append(Account.objects.get().zone)
        Account.objects.update(name="Renamed")

    for zone in ("UTC", "UTC", "America/Sao_Paulo", "America/Sao_Paulo"):
        savepoint = transaction.savepoint()
        Account.objects.update(zone=zone)
        kept.take(step)
        account.refresh_from_db()
        assert (account.name, account.zone) == ("Renamed", zone)
        transaction.savepoint_rollback(savepoint)
    assert names == ["UTC", "America/Sao_Paulo"]


def test_step_is_taken_where_another_row_is_there() -> None:
    kept, taken = KeptRows(), []

    def step() -> None:
        taken.append(1)
        cache.set("known", 1)

    for number in range(2):
        Organization.objects.create(name=f"Studio {number}", pullzone="vz")
        kept.take(step)
    assert len(taken) == 2
