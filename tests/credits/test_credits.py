"""AI credits: what the platform tells is shown, and nothing is said that it did not tell."""

import csv
import io
import json
from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.faults import use_manner
from dashboard.upstream.credits import last_days
from tests.answering import answer_with
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CREDITS = "/dashboard/credits/"


def test_the_page_shows_the_balance_and_what_used_and_added_credits(owner: Client) -> None:
    page = read_page(owner, CREDITS)
    assert "Balance now" in page and "Credits of the plan" in page and "+600" in page
    assert "Translation, pt-BR to de" in page and "Refunded" in page and "Used" in page
    assert page.count('href="/dashboard/videos/') > 3


def test_more_days_show_more_and_a_choice_that_is_none_is_the_usual_one(owner: Client) -> None:
    rows = {days: read_page(owner, f"{CREDITS}?days={days}").count("<tr>") for days in ("30", "365", "x")}
    assert rows["365"] > rows["30"] == rows["x"]


@pytest.mark.parametrize("count", [1, 30])
def test_last_days_are_as_many_as_asked_today_included(count: int) -> None:
    start, end = last_days(count)
    assert (end - start).days + 1 == count


def test_the_history_is_a_file(owner: Client) -> None:
    answer = owner.get(f"{CREDITS}credits.csv?days=365")
    assert "ai-credits_" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    added = [row for row in rows if row["type"] == "ADD"]
    assert {(row["amount"], row["status"], row["description"]) for row in added} == {
        ("600", "COMPLETED", "Credits of the plan")
    }
    assert any(row["type"] == "SUB" and row["video_title"] for row in rows)


@pytest.mark.parametrize("status", [404, 405, 403])
def test_a_platform_without_it_is_said_plainly(owner: Client, faults: ModuleType, status: int) -> None:
    faults.set("credits.history", status=status)
    answer = owner.get(CREDITS)
    page = unescape(answer.content.decode())
    assert answer.status_code == 200 and "does not tell AI credits over its API" in page
    assert "Balance now" not in page and "Export history" not in page


def test_a_platform_started_without_it_is_found_out_and_not_asked_again(
    owner: Client, calls: Callable[[str], int]
) -> None:
    try:
        use_manner(without=frozenset({"credits.history"}))
        owner.post("/dashboard/health/probe/")
        asked = calls("credits.history")
        for address in (CREDITS, "/dashboard/", "/dashboard/subtitles/"):
            page = read_page(owner, address)
            assert "AI credit balance" not in page and "Balance now" not in page
    finally:
        use_manner()
    assert calls("credits.history") == asked == 1


def test_trouble_is_said_and_is_no_balance_of_zero(owner: Client, faults: ModuleType) -> None:
    faults.set("credits.history", status=500)
    answer = owner.get(CREDITS)
    page = unescape(answer.content.decode())
    assert answer.status_code == 502 and "Try again" in page and "Balance now" not in page


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"balance": 7}, "The platform tells the balance, but no history."),
        ({"history": []}, "not known"),
        ({"balance": 7, "history": []}, "No credits were used or added in these days"),
        ({"balance": 7, "history": [{"id": "c1", "type": "BONUS", "status": "PENDING"}]}, "PENDING"),
        ({"balance": 7, "history": ["c1"]}, "c1"),
    ],
)
def test_what_is_not_told_is_not_known(owner: Client, monkeypatch: pytest.MonkeyPatch, told: Any, said: str) -> None:
    answer_with(monkeypatch, lambda request: told, "credits.history")
    page = read_page(owner, CREDITS)
    assert said in page, json.dumps(told)
    assert ">0<" not in page


@pytest.mark.parametrize("shape", ["wrapped", "bare", "strings"])
def test_the_balance_is_the_same_in_every_shape(owner: Client, shape: str) -> None:
    balance = read_page(owner, CREDITS).split('stat__value">')[1].split("<")[0]
    forget()
    try:
        use_manner(shape=shape)
        assert read_page(owner, CREDITS).split('stat__value">')[1].split("<")[0] == balance
    finally:
        use_manner()


def test_what_uses_credits_says_what_is_left(owner: Client, faults: ModuleType) -> None:
    page = read_page(owner, "/dashboard/subtitles/")
    assert "AI credit balance of “" in page and 'href="/dashboard/credits/"' in page
    faults.set("credits.history", status=404)
    forget()
    assert "AI credit balance" not in read_page(owner, "/dashboard/subtitles/")


def test_a_sub_account_is_told_the_balance_of_the_parent_that_pays(client: Client, cast: dict[str, Any]) -> None:
    child = signed_in(client, cast["tokens"]["sub_account"])
    parent = Account(name="Parent")
    parent.keep_token(cast["tokens"]["owner"])
    parent.save()
    Account.objects.exclude(pk=parent.pk).update(parent=parent)
    page = read_page(child, "/dashboard/subtitles/")
    assert "AI credit balance of “Parent”: " in page and 'href="/dashboard/credits/"' not in page


def test_one_call_serves_every_page(owner: Client, calls: Callable[[str], int]) -> None:
    for address in ("/dashboard/", CREDITS, "/dashboard/subtitles/", "/dashboard/"):
        owner.get(address)
    assert calls("credits.history") == 1
