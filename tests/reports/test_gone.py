"""A weekly report whose folder is gone: its address and the owner are told once, and it comes back with its folder."""

import sys
from datetime import UTC, date, datetime, timedelta
from html import unescape
from types import ModuleType

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.notices.models import Mail
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.queries import ReportData
from dashboard.reports.rules import Week
from dashboard.sandbox.models import Folder, Video
from tests.due import run_due
from tests.forgetting import forget
from tests.moments import Freeze, at_statement
from tests.notices.conftest import confirm_all, sent
from tests.reports.conftest import WEEK, Audience

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SEND = "/dashboard/reports/weekly/"
FRIDAY = datetime(2026, 11, 13, 12, tzinfo=UTC)
MONDAY = datetime(2026, 11, 16, 11, tzinfo=UTC)


@pytest.fixture
def folder(videos: list[Video]) -> Folder:
    found = videos[0].folder
    assert found is not None
    return found


@pytest.fixture
def asked(audience: Audience, owner: Client, clock: Freeze, folder: Folder) -> WeeklyReport:
    """The report of a folder, which a confirmed address asked for on Friday."""
    clock(FRIDAY)
    owner.get(f"/dashboard/reports/?about=folder:{folder.pk}")
    assert owner.post(SEND, {"about": f"folder:{folder.pk}", "address": "ana@example.com"}).status_code == 302
    confirm_all()
    return WeeklyReport.objects.get()


def work(clock: Freeze, at: datetime) -> list[Mail]:
    clock(at)
    forget()
    weekly.send_due()
    run_due(2)
    return sent("letter")


def test_its_address_is_told_once_and_the_report_can_be_stopped_there(
    asked: WeeklyReport, clock: Freeze, folder: Folder
) -> None:
    Folder.objects.filter(pk=folder.pk).delete()
    (mail,) = work(clock, MONDAY)
    assert mail.subject == f"“{folder.name}” can no longer be reported"
    assert f"The folder “{folder.name}” of “{asked.account.name}” is gone" in mail.text
    stop = "/dashboard/reports/stop/" + mail.text.split("/dashboard/reports/stop/")[1].split()[0]
    assert work(clock, MONDAY + timedelta(hours=1)) == work(clock, MONDAY + timedelta(days=7)) == [mail]
    assert Client().post(stop).status_code == 200 and not WeeklyReport.objects.exists()


def test_the_overview_says_it_until_it_is_stopped(
    asked: WeeklyReport, owner: Client, clock: Freeze, folder: Folder
) -> None:
    said = f"The weekly report “{folder.name}” is no longer sent"
    assert said not in unescape(owner.get("/dashboard/").content.decode())
    Folder.objects.filter(pk=folder.pk).delete()
    work(clock, MONDAY)
    page = unescape(owner.get("/dashboard/").content.decode())
    assert said in page and weekly.build_stop_token(asked) in page
    notices = unescape(owner.get("/dashboard/notices/").content.decode())
    assert said in notices
    weekly.stop(asked)
    assert said not in unescape(owner.get("/dashboard/").content.decode())


def test_page_of_a_folder_that_came_back_says_that_the_report_is_sent_again(
    asked: WeeklyReport, owner: Client, clock: Freeze, folder: Folder
) -> None:
    about = f"/dashboard/reports/?about=folder:{folder.pk}"
    found = Folder.objects.filter(pk=folder.pk).values()[0]
    Folder.objects.filter(pk=folder.pk).delete()
    work(clock, MONDAY)
    assert owner.get(about).status_code == 404
    Folder.objects.create(**found)
    forget()
    assert "Every Monday" in owner.get(about).content.decode()


def test_report_comes_back_with_its_folder(
    asked: WeeklyReport, owner: Client, clock: Freeze, audience: Audience, folder: Folder
) -> None:
    Folder.objects.filter(pk=folder.pk).update(active=False)
    Folder.objects.filter(pk=folder.pk).delete()
    work(clock, MONDAY)
    Folder.objects.create(
        pk=folder.pk, organization=folder.organization, user=folder.user, name=folder.name, parent=folder.parent
    )
    audience.plays |= {day + timedelta(days=7): {"someone": 1} for day in WEEK}
    mails = work(clock, MONDAY + timedelta(days=7))
    assert [mail.subject for mail in mails][1:] == [f"{folder.name}: weekly report"]
    asked.refresh_from_db()
    assert asked.gone_at is None and asked.week == date(2026, 11, 16)


def test_folders_that_cannot_be_read_are_not_gone(
    asked: WeeklyReport, clock: Freeze, faults: ModuleType, account: Account
) -> None:
    faults.set("folders.list", status=500)
    assert not work(clock, MONDAY)
    asked.refresh_from_db()
    assert asked.gone_at is None and account.pk == asked.account_id


def test_report_that_is_told_to_be_gone_is_read_no_more_until_the_next_monday(
    asked: WeeklyReport, clock: Freeze, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Week] = []
    read = weekly.read_report

    def count_reads(report: WeeklyReport, week: Week) -> ReportData | None:
        reads.append(week)
        return read(report, week)

    monkeypatch.setattr(weekly, "read_report", count_reads)
    Folder.objects.filter(pk=folder.pk).delete()
    for minutes in (0, 5, 10):
        work(clock, MONDAY + timedelta(minutes=minutes))
    assert reads == [Week(date(2026, 11, 9))]
    for minutes in (0, 5):
        work(clock, MONDAY + timedelta(days=7, minutes=minutes))
    assert reads == [Week(date(2026, 11, 9)), Week(date(2026, 11, 16))]


def test_worker_that_dies_before_it_tells_has_told_nothing_and_tells_it_later(
    asked: WeeklyReport, clock: Freeze, folder: Folder
) -> None:
    Folder.objects.filter(pk=folder.pk).delete()
    with at_statement('INSERT INTO "notices_mail"', sys.exit), pytest.raises(SystemExit):
        work(clock, MONDAY)
    asked.refresh_from_db()
    assert asked.gone_at is None and asked.week == date(2026, 11, 2)
    assert len(work(clock, MONDAY + timedelta(minutes=5))) == 1
