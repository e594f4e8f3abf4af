"""Starting a live early in a real browser: once, and followed until it is on air."""

from typing import Any

from playwright.sync_api import expect

from dashboard.activity.models import Entry
from dashboard.sandbox.clock import Frozen
from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/lives/"


def test_a_live_is_started_once_and_goes_on_air_without_a_reload(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any], clock: Frozen
) -> None:
    page, live = desk(), cast["lives"]["scheduled"]
    page.goto(ADDRESS)
    assert axe(page) + sideways(page) == []
    page.locator(f'a[href="{ADDRESS}{live}/start/"]').press("Enter")
    expect(page.get_by_text("The live is scheduled.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Start live").press("Enter")
    stage = page.get_by_role("status").first
    expect(stage).to_have_text("Waiting for the encoder")
    expect(page.locator("[aria-current=step]")).to_have_text("Waiting for the encoder")
    page.evaluate("window.stayed = true")
    other = page.context.new_page()
    other.goto(f"{ADDRESS}{live}/start/")
    expect(other.get_by_role("button", name="Start live")).to_be_disabled()
    expect(other.get_by_text("The platform would refuse")).to_be_visible()
    other.close()
    clock.travel(60)
    expect(stage).to_have_text("On air")
    assert page.evaluate("window.stayed"), "the page was not loaded again"
    expect(page.locator("#progress[hx-get]")).to_have_count(0)
    assert axe(page) + sideways(page) == []
    assert Entry.objects.filter(operation="lives.start").count() == 1
