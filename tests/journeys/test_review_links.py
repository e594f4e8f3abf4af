"""The desk for review links in a real browser: create, share, follow, resolve, export; by phone, without script, to axe."""

import csv
import io
import re
import uuid
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from tests.forms import PlainBrowser
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways

PAGES = (
    "/dashboard/review-links/",
    "/dashboard/review-links/?q=nothing+like+it",
    "/dashboard/review-links/create/",
    "/dashboard/review-links/create/?video={video}",
    "/dashboard/review-links/import/?video={video}",
    "/dashboard/review-links/{open}/",
    "/dashboard/review-links/{open}/print/",
    "/dashboard/review-links/{open}/export.edl?start=x",
    "/dashboard/review-links/{expired}/",
    "/dashboard/review-links/videos/{video}/",
    "/{open}/print",
    "/{open}/export.edl?start=x",
)


def addresses(cast: dict[str, Any]) -> list[str]:
    names = {**cast["review_links"], "video": cast["videos"]["reviewed"]}
    return [page.format(**names) for page in PAGES]


def test_typing_a_date_chooses_it_and_choosing_another_time_empties_nothing_typed(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = desk()
    page.goto(f"/dashboard/review-links/create/?video={cast['videos']['plain']}")
    date, other = page.get_by_label("Date and time"), page.locator("#id_closes_custom")
    expect(other).not_to_be_checked()
    date.fill("2027-01-05T10:30")
    expect(other).to_be_checked()
    page.get_by_label("In 7 days").check()
    expect(date).to_have_value("2027-01-05T10:30")
    page.goto("/dashboard/analytics/?start=2026-01-05&end=2026-01-06&compare=chosen&against=2026-01-01")
    page.get_by_label("Compare with").select_option("previous")
    expect(page.locator("#against")).to_have_value("")  # it held what the page brought


def test_every_page_fits_a_phone_and_axe_finds_nothing(
    desk: OpenBrowser, cast: dict[str, Any], axe: FindingsOf, complaints: Complaints, speak: Speak
) -> None:
    complaints.expected.append("422")
    page = desk(has_touch=True)
    speak(page, "es")  # its words are the longest
    found = []
    for address in addresses(cast):
        page.goto(address)
        found += [f"{address} scrolls sideways at {width}" for width in sideways(page)]
        for menu in page.locator("main details.menu > summary, .review__tools details.menu > summary").all():
            menu.click()
        found += [f"{address} {finding}" for finding in axe(page)]
    assert not found, "\n".join(found)


def create(page: Page, cast: dict[str, Any], name: str) -> None:
    page.goto(f"/dashboard/review-links/create/?video={cast['videos']['reviewed']}")
    page.get_by_label("Name of the link").fill(name)


@pytest.mark.smoke
def test_a_link_is_created_copied_and_opens_for_somebody_without_an_account(
    desk: OpenBrowser, open_browser: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = desk(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/dashboard/review-links/")
    page.get_by_role("link", name="Create review link").first.click()
    page.get_by_role("searchbox").fill("Serra Alta, launch film")
    page.get_by_role("main").get_by_role("button", name="Search").click()
    page.locator(f"a[href$='video={cast['videos']['reviewed']}']").click()
    page.get_by_label("Name of the link").fill("Cut 4")
    page.get_by_label("In 3 days").check()
    expect(page.get_by_text("They can comment on the moment")).to_be_visible()
    page.get_by_label("Reviewers may comment").uncheck()
    expect(page.get_by_text("They watch and read what is there.")).to_be_visible()
    expect(page.get_by_text("They can comment on the moment")).to_be_hidden()
    page.get_by_label("Reviewers may comment").check()
    page.get_by_role("button", name="Create review link").click()
    expect(page.get_by_role("heading", name="Cut 4")).to_be_visible()
    page.get_by_role("link", name="Copy address").click()
    expect(page.locator("#toasts")).to_contain_text("Address copied")
    address = page.evaluate("navigator.clipboard.readText()")
    assert PlatformLink.objects.get(name="Cut 4").pk == uuid.UUID(address[-36:])
    reviewer = open_browser(viewport=PHONE)
    reviewer.goto(address)
    expect(reviewer.get_by_role("heading", name="Serra Alta, launch film")).to_be_visible()


def test_a_double_click_creates_one_link(desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints) -> None:
    complaints.expected.append("409")  # gone back, the same link from a form loaded anew is asked about
    page = desk()
    create(page, cast, "Twice")
    page.get_by_role("button", name="Create review link").dblclick()
    expect(page.get_by_role("heading", name="Twice")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Create review link").click()
    expect(page.get_by_role("button", name="Create another link")).to_be_visible()
    assert PlatformLink.objects.filter(name="Twice").count() == 1


def test_a_mistake_is_named_focused_and_costs_nothing_typed(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    create(page, cast, "Cut 3/final")
    page.get_by_label("In 14 days").check()
    page.get_by_label("Resolved comments stay visible").uncheck()
    page.get_by_role("button", name="Create review link").click()
    expect(page.locator("[data-error-summary]")).to_be_focused()
    page.get_by_role("link", name="Remove “/” (character 6).").click()
    expect(page.get_by_label("Name of the link")).to_be_focused()
    expect(page.get_by_label("In 14 days")).to_be_checked()
    expect(page.get_by_label("Resolved comments stay visible")).not_to_be_checked()


def test_resolving_keeps_the_focus_the_place_and_offers_undo(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    page.goto(f"/dashboard/review-links/{cast['review_links']['open']}/")
    card = page.locator("article", has_text="The ridge line runs straight")
    page.evaluate("window.stayed = true")
    card.get_by_role("button", name=re.compile("^Resolve")).click()
    expect(card.get_by_role("button", name=re.compile("^Reopen"))).to_be_focused()
    expect(page.locator("#counts")).to_have_text("5 of 14 resolved")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(card.get_by_role("button", name=re.compile("^Resolve"))).to_be_visible()
    expect(page.locator("#counts")).to_have_text("4 of 14 resolved")
    assert page.evaluate("window.stayed")
    assert ReviewComment.objects.get(text__startswith="The ridge line runs").status == "open"


def test_a_refusal_is_said_beside_the_list(desk: OpenBrowser, cast: dict[str, Any], faults: Any) -> None:
    page = desk()
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    faults.set("public_review.update_comment", status=403)
    page.locator("article", has_text="The ridge line runs straight").get_by_role(
        "button", name=re.compile("^Resolve")
    ).click()
    expect(page.locator("#refused")).to_contain_text("The platform does not allow this change")


def test_what_a_reviewer_writes_is_announced_and_not_pushed_in(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    link = cast["review_links"]["open"]
    page = desk()
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    page.goto(f"/dashboard/review-links/{link}/")
    reviewer = PlainBrowser(Client()).open(f"/{link}")
    reviewer.fill("Your comment", "Written while you look.").fill("Your name", "Camila").press("Post comment")
    page.evaluate("document.body.dispatchEvent(new Event('wake'))")  # as on coming back to the tab
    expect(page.get_by_role("link", name="New comments or changes. Load them")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("Written while you look.")).to_have_count(0)
    page.get_by_role("link", name="New comments or changes. Load them").click()
    expect(page.get_by_text("Written while you look.")).to_be_visible()


def test_exports_are_downloaded_and_can_be_read(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = open_browser()
    page.goto(f"/{cast['review_links']['open']}?show=open")
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spreadsheet CSV").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"), newline="")))
    assert download.value.suggested_filename == "Serra Alta, launch film - Cut 3.csv"
    assert len(rows) == 11
    page.get_by_label("Frame rate").select_option("29.97df")
    page.get_by_label("Timeline starts at").fill("00:00:00:00")
    with page.expect_download() as download:
        page.get_by_role("button", name="DaVinci Resolve EDL").click()
    content = Path(download.value.path()).read_text()
    assert "FCM: DROP FRAME" in content
    assert content.count("|C:ResolveColorBlue") == 10
    with page.expect_download() as download:
        page.get_by_role("button", name="Final Cut Pro FCPXML").click()
    assert len(list(ET.parse(download.value.path()).iter("marker"))) == 10
    page.reload()
    page.locator("summary", has_text="Export").click()
    expect(page.get_by_label("Frame rate")).to_have_value("29.97df")
    expect(page.get_by_label("Timeline starts at")).to_have_value("00:00:00;00")


def test_the_page_is_used_by_keyboard_alone(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    page.locator("summary", has_text="Export").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Spreadsheet CSV")).to_be_focused()
    for _step in range(5):
        page.keyboard.press("Tab")
    expect(page.get_by_label("Timeline starts at")).to_be_focused()


def test_a_menu_closes_with_escape_and_by_a_click_elsewhere(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk(viewport=PHONE, has_touch=True)
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    summary = page.locator("main summary", has_text="Export")
    summary.click()
    page.get_by_label("Frame rate").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Frame rate")).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_label("Frame rate")).to_be_hidden()


def test_an_answer_is_written_at_its_comment(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    page.locator("article", has_text="The ridge line runs straight").get_by_role(
        "link", name=re.compile("^Reply")
    ).click()
    expect(page.get_by_label("Reply to Priya Nair")).to_be_focused()
    page.keyboard.type("Lowered by 80 px.")
    page.get_by_role("button", name="Post reply").click()
    expect(page.locator("article", has_text="The ridge line runs straight")).to_contain_text("Lowered by 80 px.")
    expect(page.locator("#toasts")).to_contain_text("Reply posted.")
