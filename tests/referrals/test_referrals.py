"""Referrals: link, estimate, received and balance out of any answer, and a history that is kept here day by day."""

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import ReferralSummary, parse_summary
from dashboard.referrals.tasks import keep_referrals
from dashboard.upstream.models import KnownAnswer
from dashboard.writes import schedule
from tests.answering import answer_with
from tests.conftest import signed_in
from tests.forgetting import forget, make_old

ADDRESS = "/dashboard/referrals/"
database = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            {"referral_link": "https://join.example/r/a", "pending_estimated_value": 32000, "total_received": 486000,
             "current_balance": 124000, "currency": "brl"},
            ReferralSummary("https://join.example/r/a", Decimal(320), Decimal(4860), Decimal(1240), "BRL"),
        ),
        (
            {"data": {"link": "https://join.example/r/a", "estimated": "12.50", "received": 3, "balance": 1, "currency": "USD"}},
            ReferralSummary("https://join.example/r/a", Decimal("12.50"), Decimal(3), Decimal(1), "USD"),
        ),
        ({"code": "ANA10", "balance": 7}, ReferralSummary("ANA10", None, None, Decimal(7), "")),
        ({"balance": "lots", "received": True}, ReferralSummary("", None, None, None, "")),
        ([], ReferralSummary("", None, None, None, "")),
        (None, ReferralSummary("", None, None, None, "")),
        ({"balance": "1e400"}, ReferralSummary("", None, None, None, "")),
    ],
)  # fmt: skip
def test_the_four_notions_are_read_from_any_shape(raw: object, expected: ReferralSummary) -> None:
    assert parse_summary(raw) == expected


def nest(levels: int, wrap: Callable[[object], object]) -> object:
    """A balance inside so many objects or lists."""
    value: object = {"balance": 7}
    for _level in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda inner: {"data": inner}, lambda inner: [inner]], ids=["objects", "lists"])
@pytest.mark.parametrize(("levels", "is_read"), [(1, True), (5, True), (6, False)])
def test_amounts_are_read_out_of_what_holds_them_down_to_six_levels(
    levels: int, is_read: bool, wrap: Callable[[object], object]
) -> None:
    assert parse_summary(nest(levels, wrap)).balance == (Decimal(7) if is_read else None)


@pytest.mark.parametrize(
    ("raw", "field", "value"),
    [
        ({"balance": [7]}, "balance", Decimal(7)),  # a list of one keeps the name it stands under
        ({"balance": [7, 8]}, "balance", None),
        ({"balance": "lots", "available": 5}, "balance", Decimal(5)),  # one that is no number does not hide the next
        ({"balance": 10**15}, "balance", None),
        ({"balance": 10**15 - 1}, "balance", Decimal(10**15 - 1)),
        ({"name": "BRL", "balance": 700}, "balance", Decimal(700)),  # three letters are no currency by themselves
        ({"currency": 986, "balance": 700}, "balance", Decimal(700)),
        ({"currency": "reais", "balance": 700}, "balance", Decimal(700)),
        ({"code": "ANA10", "page": "HTTPS://join.example/r/a"}, "link", "HTTPS://join.example/r/a"),
        ({"note": "nothing", "link": "  "}, "link", ""),
        ("https://join.example/r/a", "link", ""),  # without a name nobody knows what it is
    ],
)
def test_what_an_answer_says_is_read_and_nothing_beside_it(raw: object, field: str, value: object) -> None:
    assert getattr(parse_summary(raw), field) == value


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just("balance"), inner, max_size=4),
    )
)
def test_no_answer_raises(raw: object) -> None:
    parse_summary(raw)


@database
def test_nobody_sees_it_without_signing_in(client: Client) -> None:
    assert "/sign-in/" in client.get(ADDRESS)["Location"]


@database
def test_the_link_can_be_copied_and_the_amounts_are_written_the_readers_way(owner: Client) -> None:
    text = owner.get(ADDRESS).content.decode()
    assert 'data-copy="https://join.example/r/serra-alta"' in text
    assert "R$4,860.00" in text and "whole numbers are read as cents" in text
    assert "1 day saved since" in text and "No history yet" in text
    assert ReferralDay.objects.count() == 1


@database
def test_a_day_is_kept_once_with_its_last_figures(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.get(ADDRESS)
    raw: dict[str, Any] = {"referral_link": "https://x.example/", "current_balance": 50, "currency": "brl"}
    answer_with(monkeypatch, lambda _request: raw, "analytics.member_referrals")
    forget()
    owner.get(ADDRESS)
    assert [row.balance for row in ReferralDay.objects.all()] == [Decimal("0.50")]


@database
def test_two_days_are_a_line_a_table_and_a_file(owner: Client) -> None:
    account_id = owner.session["account"]
    ReferralDay.objects.create(
        account_id=account_id,
        day=date(2026, 10, 1),
        received=Decimal(4000),
        balance=Decimal(900),
        pending=None,
        currency="BRL",
    )
    text = owner.get(ADDRESS).content.decode()
    assert "R$860.00 received between Oct 1, 2026" in text and "chart__svg" in text
    answer = owner.get("/dashboard/referrals/referrals.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode().removeprefix("\ufeff"))))
    assert (rows[0]["Day"], rows[0]["Received"], rows[0]["Pending estimate"]) == ("2026-10-01", "4000", "")
    assert owner.get("/dashboard/referrals/referrals.svg")["Content-Type"] == "image/svg+xml"
    assert owner.get("/dashboard/referrals/referrals.pdf").status_code == 404


@database
def test_no_file_without_a_history(owner: Client) -> None:
    assert owner.get("/dashboard/referrals/referrals.csv").status_code == 404


@database
def test_a_shape_nobody_knows_is_shown_as_it_came(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    raw: dict[str, Any] = {"message": "soon <b>"}
    answer_with(monkeypatch, lambda _request: raw, "analytics.member_referrals")
    text = owner.get(ADDRESS).content.decode()
    assert "soon &lt;b&gt;" in text and not ReferralDay.objects.exists()


FAULTS = [{"status": 500}, {"status": 403}, {"status": 429}, {"broken": "refused"}]


@database
@pytest.mark.parametrize("fault", FAULTS, ids=["fails", "forbids", "asks for a pause", "is not there"])
def test_trouble_is_said_and_the_last_good_figures_stay_with_their_age(
    owner: Client, faults: ModuleType, fault: dict[str, Any]
) -> None:
    owner.get(ADDRESS)
    cache.clear()  # as after a restart of the process
    make_old(3 * 3600)
    faults.set("analytics.member_referrals", **fault)
    text = owner.get(ADDRESS).content.decode()
    assert "Try again" in text and f'hx-get="{ADDRESS}?panel=now"' in text
    assert "These are the last numbers received, 3" in text
    assert "R$4,860.00" in text and "https://join.example/r/serra-alta" in text and "1 day saved" in text


@database
def test_old_figures_are_not_kept_as_those_of_today(owner: Client, faults: ModuleType) -> None:
    owner.get(ADDRESS)
    ReferralDay.objects.all().delete()
    make_old()
    faults.set("analytics.member_referrals", status=500)
    owner.get(ADDRESS)
    assert not ReferralDay.objects.exists()


@database
def test_without_any_earlier_figures_trouble_is_all_there_is_and_trying_again_brings_them(
    owner: Client, faults: ModuleType
) -> None:
    faults.set("analytics.member_referrals", status=500)
    text = owner.get(ADDRESS).content.decode()
    assert (
        "The platform has trouble of its own." in text
        and "last numbers received" not in text
        and "stat__value" not in text
    )
    faults.clear()
    part = owner.get(f"{ADDRESS}?panel=now", headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div class="stack" id="referrals-now">') and "R$4,860.00" in part
    assert "<html" not in part and "Try again" not in part


@database
def test_a_late_answer_is_said_and_fetches_itself_and_is_a_link_without_script(
    owner: Client, late: Callable[..., None]
) -> None:
    late("analytics.member_referrals")
    text = owner.get(ADDRESS).content.decode()
    assert "The platform is still answering this question." in text and "Look again" in text
    assert f'hx-get="{ADDRESS}?panel=now" hx-trigger="load"' in text
    part = owner.get(f"{ADDRESS}?panel=now", headers={"HX-Request": "true"}).content.decode()
    assert "R$4,860.00" in part and "hx-trigger" not in part


@database
def test_an_account_sees_its_own_referrals_in_health_and_in_trouble(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    ours = owner.get(ADDRESS).content.decode()
    other = signed_in(Client(), cast["tokens"]["sub_account"])
    assert "R$4,860.00" in ours
    assert "R$4,860.00" not in other.get(ADDRESS).content.decode()
    ReferralDay.objects.create(
        account_id=owner.session["account"], day=date(2026, 10, 1), received=Decimal(4000), currency="BRL"
    )
    assert other.get(f"{ADDRESS}referrals.csv").status_code == 404
    assert owner.get(f"{ADDRESS}referrals.csv").status_code == 200
    KnownAnswer.objects.exclude(account_id=owner.session["account"]).delete()
    forget()
    faults.set("analytics.member_referrals", status=500)
    stranger = other.get(ADDRESS).content.decode()
    assert "R$4,860.00" not in stranger and "serra-alta" not in stranger and "last numbers received" not in stranger


@database
def test_a_daily_command_keeps_every_connected_account(owner: Client, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("keep_referrals")
    assert "1 accounts kept" in capsys.readouterr().out
    assert ReferralDay.objects.count() == 1


@database
def test_a_day_is_kept_although_its_first_read_failed(owner: Client, faults: ModuleType) -> None:
    """The worker reads every hour: a day is missed only where no read of it succeeds."""
    faults.set("analytics.member_referrals", status=503)
    assert keep_referrals.call()["kept"] == []
    faults.clear()
    assert schedule._recurring[keep_referrals.module_path].every <= timedelta(hours=1)
    assert keep_referrals.call()["kept"]
    assert ReferralDay.objects.count() == 1
