"""A sub-account in a real browser: its documents checked at the field, followed, and connected."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.accounts.models import Account
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways
from tests.review_links.inbox_rows import make_comment, make_link
from tests.sub_accounts.family import plant_schools, token_of

ADDRESS = "/dashboard/sub-accounts/"
RIGHT = {
    "Name of the sub-account": "Escola Serra Alta",
    "Tax id": "12.ABC.345/01DE-35",
    "Phone": "+55 11 91234-5678",
    "Name of its administrator": "Ana Prado",
    "E-mail of its administrator": "ana@example.com",
}


def filled(page: Page) -> None:
    for label, text in RIGHT.items():
        page.get_by_label(label, exact=label.startswith("Name")).fill(text)


def test_by_keyboard_a_wrong_document_is_said_at_its_field_and_a_right_one_is_followed_until_connected(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(ADDRESS)
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Create sub-account").press("Enter")
    expect(page.get_by_text("This account is a parent account, not a sub-account.")).to_be_visible()
    filled(page)
    tax_id = page.get_by_label("Tax id")
    for text in ("529.982.247-24", "111.111.111-11", "12.ABC.345/01DE-36"):
        tax_id.fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("[data-error-summary]")).to_be_focused()
        expect(tax_id).to_have_attribute("aria-invalid", "true")
        expect(tax_id).to_have_value(text)
        expect(page.get_by_label("Phone")).to_have_value(RIGHT["Phone"])
    assert axe(page) + sideways(page) == []
    page.locator("[data-error-summary] a").press("Enter")
    expect(tax_id).to_be_focused()
    tax_id.fill(RIGHT["Tax id"])
    page.keyboard.press("Enter")
    expect(page.get_by_text("Creating", exact=True)).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Connect its token").press("Enter")
    expect(page.get_by_text("The account is connected as a sub-account of “Account owner”.")).to_be_visible()
    expect(page.get_by_label("Name of the account")).to_have_value(RIGHT["Name of the sub-account"])
    page.get_by_label("API token").fill(cast["tokens"]["sub_account"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/")
    assert Account.objects.get(name=RIGHT["Name of the sub-account"]).parent == Account.objects.get(parent=None)


def wait_for_comment(name: str) -> None:
    """A reviewer's comment that nobody has answered, on a link of a connected sub-account."""
    make_comment(make_link(Account.objects.get(name=name)))


@pytest.mark.smoke
def test_by_keyboard_a_sub_account_of_twelve_is_connected_in_its_row_and_opened_at_what_waits_there(
    desk: OpenBrowser, axe: FindingsOf
) -> None:
    plant_schools(12)
    page = desk()
    page.goto(ADDRESS)
    expect(page.get_by_role("row", name="12 together")).to_be_visible()
    table = page.get_by_role("region", name="Table of sub-accounts")
    row = table.locator("tr", has=page.get_by_role("rowheader", name="School 3"))
    expect(row).to_contain_text("Connect to see plays")
    row.get_by_role("link", name="Connect : School 3").press("Enter")
    page.get_by_label("API token").fill(token_of("School 3"))
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{ADDRESS}")
    wait_for_comment("School 3")
    page.reload()
    expect(row).to_contain_text("Connected")
    expect(row).not_to_contain_text("Connect to see plays")
    expect(page.get_by_text("Parent account").first).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Need you 1").press("Enter")
    expect(table.get_by_role("rowheader")).to_have_text(["School 3", "12 together"])
    page.get_by_role("button", name="Open 1 waiting : School 3").press("Enter")
    page.wait_for_url("**/dashboard/review-links/inbox/")
    expect(page.get_by_text("Sub-account of Account owner").first).to_be_visible()
    expect(page.get_by_text("1 unanswered comment").first).to_be_visible()


def test_report_is_accessible_and_black_on_white_on_paper(desk: OpenBrowser, axe: FindingsOf) -> None:
    plant_schools(12)
    page = desk(color_scheme="dark")
    page.goto(f"{ADDRESS}report/")
    assert axe(page) + sideways(page) == []
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("button", name="Print or save as PDF")).to_be_hidden()
    ink = page.locator("h1").evaluate("head => getComputedStyle(head).color")
    lightness = re.match(r"oklch\(([\d.]+)", ink)
    assert lightness and float(lightness[1]) < 0.4, ink
