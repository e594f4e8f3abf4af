"""Whose addresses get a report: those of its own account and of its parent, while both are connected."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.notices.models import Mail, Subscription
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.sandbox.models import Token
from tests.due import run_due
from tests.forgetting import forget
from tests.moments import Freeze
from tests.notices.conftest import confirm_all, sent
from tests.pages import read_page
from tests.reports.conftest import Audience
from tests.sub_accounts.family import CAFE, connect

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PAGE = "/dashboard/reports/sub-accounts/"
SETTINGS = "/dashboard/notices/settings/"
FRIDAY = datetime(2026, 11, 13, 12, tzinfo=UTC)
MONDAY = datetime(2026, 11, 16, 11, tzinfo=UTC)
NO_CHILD = "Stopped: no longer a sub-account of this account"


@pytest.fixture
def child(owner: Client, audience: Audience, clock: Freeze) -> Account:
    """A sub-account whose report a confirmed address of its parent asked for on Friday."""
    clock(FRIDAY)
    child = connect(owner, CAFE)
    child.zone = "America/Sao_Paulo"
    child.save(update_fields=["zone"])
    ask(owner)
    confirm_all()
    return child


def ask(owner: Client) -> None:
    assert owner.post(PAGE, {"which": "all", "address": "ana@example.com"}).status_code == 302


def work(clock: Freeze, at: datetime = MONDAY) -> list[Mail]:
    clock(at)
    weekly.send_due()
    run_due(2)
    return sent("letter")


def move(child: Account, how: str) -> None:
    """Give it another parent, or none."""
    child.parent = Account.objects.create(name="Elsewhere", fingerprint="x") if how == "other" else None
    child.save(update_fields=["parent"])


def disconnect(account: Account) -> None:
    account.forget_token()
    account.save()


def test_parent_gets_the_report_of_its_sub_account(child: Account, clock: Freeze) -> None:
    assert len(work(clock)) == 1


@pytest.mark.parametrize("how", ["other", "none"])
def test_former_parent_gets_nothing_and_its_list_says_so(
    child: Account, owner: Client, clock: Freeze, how: str
) -> None:
    move(child, how)
    child.name = "A name that is nobody's business any more"
    child.save(update_fields=["name"])
    assert not work(clock)
    page = read_page(owner, PAGE).split('id="weekly"')[1].split("</section>")[0]
    assert (
        NO_CHILD in page and f"{CAFE}: a…@example.com" in page and "Every Monday" not in page and child.name not in page
    )
    assert CAFE not in read_page(owner, SETTINGS)
    report = WeeklyReport.objects.get()
    owner.post(f"/dashboard/reports/weekly/{report.pk}/stop/", {"about": "sub-accounts"})
    assert NO_CHILD not in read_page(owner, PAGE) and not WeeklyReport.objects.exists()


def test_former_parent_to_whom_the_sub_account_comes_back_gets_its_report_once_it_asks_again(
    child: Account, owner: Client, clock: Freeze
) -> None:
    parent = child.parent
    move(child, "none")
    work(clock, FRIDAY)
    child.parent = parent
    child.save(update_fields=["parent"])
    assert not work(clock)
    clock(MONDAY + timedelta(days=1))
    ask(owner)
    assert "Every Monday" in read_page(owner, PAGE)
    assert not work(clock, MONDAY + timedelta(days=1)) and WeeklyReport.objects.count() == 1


def test_link_of_an_old_mail_says_that_the_report_of_a_former_sub_account_is_stopped(
    child: Account, clock: Freeze
) -> None:
    move(child, "none")
    work(clock)
    page = Client().get(f"/dashboard/reports/stop/{weekly.build_stop_token(WeeklyReport.objects.get())}/")
    assert "The report is stopped" in page.content.decode()


def test_address_that_gets_only_what_is_stopped_is_forgotten_with_its_last_report(
    child: Account, owner: Client, clock: Freeze
) -> None:
    owner.post("/dashboard/reports/weekly/", {"about": "", "address": "ana@example.com"})
    move(child, "none")
    work(clock, FRIDAY)
    report = WeeklyReport.objects.get(stopped_at=None)
    owner.post(f"/dashboard/reports/weekly/{report.pk}/stop/")
    assert not Subscription.objects.exists() and not WeeklyReport.objects.exists()


@pytest.mark.parametrize("how", ["other", "none"])
def test_mail_that_waits_is_not_sent_to_a_former_parent(child: Account, clock: Freeze, how: str) -> None:
    clock(MONDAY)
    assert weekly.send_due() == 1
    move(child, how)
    run_due(2)
    assert not sent("letter")


@pytest.mark.parametrize("who", ["parent", "child"])
def test_nothing_is_sent_while_the_parent_or_the_sub_account_is_not_connected(
    child: Account, clock: Freeze, who: str
) -> None:
    parent = child.parent
    assert parent is not None
    disconnect(parent if who == "parent" else child)
    assert not work(clock)


@pytest.mark.parametrize("who", ["parent", "child"])
def test_mail_that_waits_is_not_sent_once_the_parent_or_the_sub_account_is_disconnected(
    child: Account, clock: Freeze, who: str
) -> None:
    clock(MONDAY)
    assert weekly.send_due() == 1
    parent = child.parent
    assert parent is not None
    disconnect(parent if who == "parent" else child)
    run_due(2)
    assert not sent("letter")


def test_own_report_of_an_account_that_becomes_a_sub_account_is_still_sent(
    audience: Audience, owner: Client, clock: Freeze, account: Account
) -> None:
    clock(FRIDAY)
    owner.post("/dashboard/reports/weekly/", {"about": "", "address": "ana@example.com"})
    confirm_all()
    move(account, "other")
    assert len(work(clock)) == 1


def see_overview(owner: Client) -> str:
    return read_page(owner, "/dashboard/")


def test_list_and_overview_say_that_the_sub_account_is_not_connected(child: Account, owner: Client) -> None:
    said = f"The weekly report “{CAFE}” is no longer sent"
    assert "Every Monday" in read_page(owner, PAGE) and said not in see_overview(owner)
    token = child.token
    disconnect(child)
    page = read_page(owner, PAGE)
    assert "Not sent: this account is not connected" in page and "Every Monday" not in page and "8:00, " not in page
    overview = see_overview(owner)
    assert said in overview and f"“{CAFE}” is not connected" in overview
    assert weekly.build_stop_token(WeeklyReport.objects.get()) in overview
    child.keep_token(token)
    child.save()
    assert "Every Monday" in read_page(owner, PAGE) and said not in see_overview(owner)


def test_list_and_overview_say_that_the_token_was_refused_until_there_is_a_new_one(
    child: Account, owner: Client, clock: Freeze
) -> None:
    said = f"The weekly report “{CAFE}” is no longer sent"
    forget()
    Token.objects.filter(value=child.token).update(value="another")
    assert not work(clock)
    assert "Not sent: the platform no longer accepts this account's token" in read_page(owner, PAGE)
    overview = see_overview(owner)
    assert said in overview and f"The platform no longer accepts the token of “{CAFE}”" in overview
    child.keep_token("another")
    child.save()
    assert "Every Monday" in read_page(owner, PAGE) and said not in see_overview(owner)
    assert len(work(clock, MONDAY + timedelta(hours=1))) == 1
    assert not WeeklyReport.objects.get().refused


def test_token_that_is_accepted_again_is_said_no_more(
    child: Account, owner: Client, clock: Freeze, faults: ModuleType
) -> None:
    forget()
    faults.set("videos.list", status=401)
    assert not work(clock) and "no longer accepts this account's token" in read_page(owner, PAGE)
    faults.clear()
    assert len(work(clock, MONDAY + timedelta(minutes=5))) == 1
    assert "Every Monday" in read_page(owner, PAGE)


def test_token_whose_key_is_gone_needs_a_new_one(child: Account, owner: Client, clock: Freeze) -> None:
    forget()
    Account.objects.filter(pk=child.pk).update(sealed_token="v1:nobody-opens-this")
    assert not work(clock) and "no longer accepts this account's token" in read_page(owner, PAGE)


def test_platform_that_fails_refuses_no_token(child: Account, owner: Client, clock: Freeze, faults: ModuleType) -> None:
    forget()
    faults.set("videos.list", status=500)
    assert not work(clock) and "Every Monday" in read_page(owner, PAGE)


def test_address_that_is_not_confirmed_is_said_before_its_account_is(child: Account, owner: Client) -> None:
    Subscription.objects.update(confirmed_at=None)
    disconnect(child)
    assert "Not confirmed yet" in read_page(owner, PAGE) and "is no longer sent" not in see_overview(owner)
