"""The account's time zone: every page of it shows its times in that zone, with 24 hours, and says which zone it is once."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from tests.forms import read_forms

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_pages_show_times_in_the_accounts_zone_and_name_it_once(owner: Client) -> None:
    account = Account.objects.get()
    entry = Entry.objects.create(account_id=account.pk, actor="Ana", operation="lives.start", outcome=Outcome.DONE)
    Entry.objects.filter(pk=entry.pk).update(at=datetime(2026, 11, 20, 20, 5, tzinfo=UTC))
    owner.cookies["zone"] = "Europe/Berlin"
    for zone, hour in (("", "21:05"), ("Asia/Tokyo", "05:05")):
        Account.objects.update(zone=zone)
        text = owner.get("/dashboard/activity/").content.decode()
        assert hour in text and text.count((zone or "Europe/Berlin").replace("_", " ")) == 1
        assert not re.search(r"\d [AP]M\b", text)


@pytest.mark.parametrize(
    "page", ["", "videos/", "activity/", "lives/", "subtitles/", "review-links/", "ab-tests/", "notices/"]
)
def test_every_page_names_the_zone_once_and_writes_24_hours(owner: Client, page: str) -> None:
    Account.objects.update(zone="Asia/Tokyo")
    text = owner.get(f"/dashboard/{page}", follow=True).content.decode()
    assert text.count("Times in Asia/Tokyo") == 1
    assert not re.search(r"\d [AP]M\b", text)


def test_the_zone_is_chosen_at_the_account_and_a_name_changed_meanwhile_stays(owner: Client) -> None:
    account = Account.objects.get()
    page = f"/accounts/{account.pk}/"
    form = next(one for one in read_forms(owner.get(page).content.decode(), page) if one.action == page)
    Account.objects.update(name="Renamed meanwhile")
    values: dict[str, Any] = dict(form.values)
    assert owner.post(page, {**values, "zone": "America/Sao_Paulo"}).status_code == 302
    account.refresh_from_db()
    assert (account.zone, account.name) == ("America/Sao_Paulo", "Renamed meanwhile")
    assert "Times in America/Sao Paulo." in owner.get("/dashboard/lives/").content.decode()


@pytest.mark.parametrize("zone", ["Mars/Base", "../etc/passwd"])
def test_a_zone_that_there_is_not_is_refused(owner: Client, zone: str) -> None:
    account = Account.objects.get()
    answer = owner.post(f"/accounts/{account.pk}/", {"name": account.name, "zone": zone})
    assert answer.status_code == 422 and not Account.objects.get().zone
