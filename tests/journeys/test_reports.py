"""A report is chosen, printed on one page, sent by e-mail every Monday and stopped: at a desk, on a phone, without script."""

import io
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from dashboard.notices.models import Mail
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from tests.due import run_due
from tests.journeys.conftest import PHONE, sideways

REPORT = "/dashboard/reports/"
MAILBOX = "/dashboard/notices/mailbox/"


def test_report_of_a_folder_is_sent_every_monday_and_stopped_from_the_mail(
    desk: Any, complaints: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints.expected.append("422")
    page: Page = desk(viewport=PHONE)
    page.goto(REPORT)
    page.get_by_label("Report about").select_option(label="Lançamento 2026")
    page.get_by_role("button", name="Show report").click()
    expect(page.locator("h1")).to_have_text("Lançamento 2026")
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.get_by_role("link", name="Week before").click()
    expect(page.get_by_role("link", name="Week after")).to_be_visible()
    page.get_by_role("link", name="Week after").click()

    page.get_by_label("E-mail address").fill("ana@example")
    page.get_by_role("button", name="Send this every Monday").click()
    expect(page.locator("#weekly")).to_contain_text("This is no e-mail address")
    expect(page.get_by_label("E-mail address")).to_have_value("ana@example")
    page.get_by_label("E-mail address").fill("ana@example.com")
    page.get_by_role("button", name="Send this every Monday").click()
    expect(page.locator("#weekly")).to_contain_text("Not confirmed yet")
    run_due(2)
    page.goto(MAILBOX)
    page.frame_locator("iframe").get_by_role("link", name="Confirm address").click()
    expect(page.locator("main")).to_contain_text("the weekly report “Lançamento 2026”")
    page.get_by_role("button", name="Confirm address").click()

    report = WeeklyReport.objects.get()
    WeeklyReport.objects.update(week=report.week - timedelta(days=7))
    monkeypatch.setattr("dashboard.reports.rules.GIVE_UP", timedelta(days=8))  # whatever day it is today
    assert weekly.send_due() == 1 and weekly.send_due() == 0
    run_due(2)
    mail = Mail.objects.get(kind="letter")
    page.goto(f"{MAILBOX}{mail.pk}/")
    letter = page.frame_locator("iframe")
    expect(letter.locator("h1")).to_have_text("Lançamento 2026: weekly report")
    letter.get_by_role("link", name="Open the report").click()
    expect(page.locator("h1")).to_have_text("Lançamento 2026")
    page.goto(f"{MAILBOX}{mail.pk}/")
    page.frame_locator("iframe").get_by_role("link", name="Stop this report").click()
    page.get_by_role("button", name="Stop this report").click()
    expect(page.locator("h1")).to_have_text("The report is stopped")
    assert not WeeklyReport.objects.exists()


def test_report_fits_every_width_and_one_sheet_of_paper_in_the_longest_words(desk: Any, axe: Any, speak: Any) -> None:
    page: Page = desk(color_scheme="dark")
    speak(page, "es")  # its words are the longest
    page.goto(REPORT)
    expect(page.locator(".report .table")).to_be_visible()
    assert sideways(page) == [] and axe(page) == []
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    assert len(reader.pages) == 1
    words = reader.pages[0].extract_text()
    assert "Lançamento 2026" in words and "ana@" not in words
    page.emulate_media(media="print")
    for part in (".report-bar", ".report-weekly", ".sidebar", ".topbar"):
        expect(page.locator(part)).to_be_hidden()
