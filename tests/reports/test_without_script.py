"""A report is chosen, sent every Monday and stopped, without script."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.notices.models import Mail
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from tests.due import run_due
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_report_of_a_folder_is_sent_every_monday_and_stopped_from_the_mail(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (
        PlainBrowser(owner).open("/dashboard/reports/").choose("Report about", "Lançamento 2026").press("Show report")
    )
    assert page.has("h1", "Lançamento 2026") and page.has("h2", "What changed")
    assert page.follow("Week before").has("a", "Week after")
    page.follow("Week after").fill("E-mail address", "ana@example").press("Send this every Monday")
    assert page.answer.status_code == 422 and "This is no e-mail address" in page.text
    assert page.field("E-mail address").value == "ana@example"
    page.fill("E-mail address", "ana@example.com").press("Send this every Monday")
    assert "Not confirmed yet" in page.text
    run_due(2)
    open_mail(page).follow("Confirm address")
    assert "the weekly report “Lançamento 2026”" in page.text
    page.press("Confirm address")
    WeeklyReport.objects.update(week=WeeklyReport.objects.get().week - timedelta(days=7))
    monkeypatch.setattr("dashboard.reports.rules.GIVE_UP", timedelta(days=8))  # whatever day it is today
    assert weekly.send_due() == 1 and weekly.send_due() == 0
    run_due(2)
    mail = f"{Mail.objects.get(kind='letter').pk}/"
    assert open_mail(page, mail).has("h1", "Lançamento 2026: weekly report")
    assert page.follow("Open the report").has("h1", "Lançamento 2026")
    open_mail(page, mail).follow("Stop this report").press("Stop this report")
    assert page.has("h1", "The report is stopped") and not WeeklyReport.objects.exists()


def open_mail(page: PlainBrowser, which: str = "") -> PlainBrowser:
    """A mail of the embedded mailbox, the newest or this one."""
    page.open(f"/dashboard/notices/mailbox/{which}")
    return page.open(next(page.all("iframe")).attrs["src"])
