"""Weekly reports of sub-accounts: asked for by their parent, confirmed once, each an e-mail that opens its own account."""

from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.notices.models import Subscription
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from tests.conftest import signed_in
from tests.due import run_due
from tests.moments import Freeze
from tests.notices.conftest import confirm_all, sent
from tests.pages import one_line
from tests.reports.conftest import Audience
from tests.sub_accounts.family import CAFE, HERE, connect, plant_schools

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PAGE = "/dashboard/reports/sub-accounts/"
FRIDAY = datetime(2026, 11, 13, 12, tzinfo=UTC)
MONDAY = datetime(2026, 11, 16, 11, tzinfo=UTC)


@pytest.fixture
def children(owner: Client, audience: Audience, clock: Freeze) -> list[Account]:
    clock(FRIDAY)
    plant_schools(4)
    found = [connect(owner, name) for name in (CAFE, "School 3")]
    Account.objects.filter(parent__isnull=False).update(zone="America/Sao_Paulo")
    return found


def ask(owner: Client, which: object = "all", address: str = "ana@example.com") -> Any:
    return owner.post(PAGE, {"which": str(which), "address": address})


def test_page_of_sub_accounts_leads_to_it_and_a_report_of_each_is_asked_for_with_one_press(
    owner: Client, children: list[Account]
) -> None:
    assert f'href="{PAGE}"' in owner.get(HERE).content.decode()
    assert ask(owner)["Location"] == PAGE and ask(owner).status_code == 302, "the same form twice is one"
    assert {report.account for report in WeeklyReport.objects.all()} == set(children)
    run_due(2)
    (mail,) = sent("confirm")
    assert all(f"the weekly report “{child.name}”" in mail.text for child in children)
    page = unescape(one_line(owner.get(PAGE).content.decode()))
    assert all(f"<b>{child.name}: a…@example.com</b>" in page for child in children)


def test_each_report_is_an_email_of_its_own_that_opens_its_account(
    owner: Client, children: list[Account], clock: Freeze
) -> None:
    ask(owner)
    confirm_all()
    clock(MONDAY)
    weekly.send_due()
    run_due(2)
    mails = sent("letter")
    assert {mail.subject for mail in mails} == {f"{child.name}: weekly report" for child in children}
    for mail in mails:
        name = mail.subject.removesuffix(": weekly report")
        link = "/dashboard/reports/?" + mail.text.split("/dashboard/reports/?")[1].split()[0]
        page = unescape(owner.get(link).content.decode())
        assert f"This report is of “{name}”" in page and f"Switch to “{name}”" in page and 'id="report"' not in page
        form = page.split('class="button-row" action="')[1].split("</form>")[0]
        target = form.split('name="next" value="')[1].split('"')[0]
        shown = owner.post(form.split('"')[0], {"next": target}, follow=True).content.decode()
        assert 'id="report"' in shown and name in unescape(shown)
        owner.post(f"/accounts/{Account.objects.get(name=name).parent_id}/use/", {"next": HERE})


def test_report_of_one_sub_account_and_its_stop(owner: Client, children: list[Account]) -> None:
    first, second = children
    page = owner.get(f"{PAGE}?account={second.pk}").content.decode()
    assert f'value="{second.pk}" selected' in page
    ask(owner, second.pk)
    report = WeeklyReport.objects.get()
    assert report.account == second and report.subscription.account == first.parent
    answer = owner.post(f"/dashboard/reports/weekly/{report.pk}/stop/", {"about": "sub-accounts"})
    assert answer["Location"] == PAGE and not WeeklyReport.objects.exists() and not Subscription.objects.exists()


@pytest.mark.parametrize("which", ["", "nobody", "00000000-0000-4000-8000-000000000000"])
def test_unknown_sub_account_is_refused_at_its_field(owner: Client, children: list[Account], which: str) -> None:
    answer = ask(owner, which)
    assert answer.status_code == 422 and "field__error" in answer.content.decode() and not WeeklyReport.objects.exists()


def test_page_says_the_hour_in_the_zone_of_each_sub_account(owner: Client, children: list[Account]) -> None:
    first, second = children
    Account.objects.filter(pk=first.pk).update(zone="Asia/Tokyo")
    Account.objects.filter(pk=second.pk).update(zone="")
    Account.objects.filter(parent=None).update(zone="Europe/Lisbon")
    ask(owner)
    page = unescape(one_line(owner.get(PAGE).content.decode())).split('id="weekly"')[1].split("</section>")[0]
    assert "at 8:00 in each sub-account's time zone, once" in page and "(Europe/Lisbon)" not in page
    zones = [row.split("</li>")[0] for row in page.split("<li")[1:]]
    asker = Subscription.objects.get().zone.replace("_", " ")
    assert "8:00, Asia/Tokyo" in zones[0] and f"8:00, {asker}" in zones[1]


def test_sub_account_that_this_browser_did_not_connect_is_not_reported(
    owner: Client, children: list[Account], cast: dict[str, Any]
) -> None:
    stranger = signed_in(Client(), cast["tokens"]["owner"])
    assert "No sub-account is connected" in stranger.get(PAGE).content.decode()
    assert ask(stranger, children[0].pk).status_code == 422 and not WeeklyReport.objects.exists()
    link = f"/dashboard/reports/?account={children[0].pk}"
    page = unescape(stranger.get(link).content.decode())
    assert "This report is of another account" in page and children[0].name not in page


def test_browser_that_connected_no_sub_account_lists_what_is_sent_and_stops_it(
    owner: Client, children: list[Account], cast: dict[str, Any]
) -> None:
    ask(owner, children[0].pk)
    confirm_all()
    stranger = signed_in(Client(), cast["tokens"]["owner"])
    page = unescape(one_line(stranger.get(PAGE).content.decode()))
    assert f"<b>{children[0].name}: a…@example.com</b>" in page and "No sub-account is connected" in page
    report = WeeklyReport.objects.get()
    stop = f"/dashboard/reports/weekly/{report.pk}/stop/"
    assert f'action="{stop}"' in page and f'action="{PAGE}"' not in page
    assert stranger.post(stop, {"about": "sub-accounts"})["Location"] == PAGE and not WeeklyReport.objects.exists()
    assert "a…@example.com" not in stranger.get(PAGE).content.decode()


def test_all_of_no_sub_accounts_asks_for_nothing(owner: Client, children: list[Account], cast: dict[str, Any]) -> None:
    stranger = signed_in(Client(), cast["tokens"]["owner"])
    assert ask(stranger).status_code == 422 and not Subscription.objects.exists()


def test_sub_account_cannot_stop_what_its_parent_gets_and_does_not_list_it(
    owner: Client, children: list[Account]
) -> None:
    ask(owner, children[0].pk)
    report = WeeklyReport.objects.get()
    owner.post(f"/accounts/{children[0].pk}/use/", {"next": "/dashboard/"})
    assert owner.get(PAGE)["Location"] == "/dashboard/reports/"
    assert owner.post(f"/dashboard/reports/weekly/{report.pk}/stop/").status_code == 404
    assert "a…@example.com" not in owner.get("/dashboard/reports/").content.decode()


def test_more_reports_than_confirmations_may_be_asked_for_go_to_a_confirmed_address(
    owner: Client, audience: Audience, clock: Freeze
) -> None:
    clock(FRIDAY)
    send = "/dashboard/reports/weekly/"
    owner.post(send, {"about": "", "address": "ana@example.com"})
    confirm_all()
    for number in range(25):
        answer = owner.post(send, {"about": f"search:traffic>{number}GB", "address": "ana@example.com"})
        assert answer.status_code == 302, number
    assert WeeklyReport.objects.count() == 26
    statuses = [owner.post(send, {"about": "", "address": f"new{n}@example.com"}).status_code for n in range(25)]
    assert statuses[0] == 302 and statuses[-1] == 429, "of new addresses, confirmations stay limited"
