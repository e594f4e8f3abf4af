"""A live that is made and ended from here, in a real browser."""

import pytest
from playwright.sync_api import expect

from dashboard.sandbox.models import Live
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

CREATE = "/dashboard/lives/create/"


@pytest.mark.smoke
def test_a_live_is_created_by_keyboard_and_its_key_is_shown_for_a_press(
    desk: OpenBrowser, axe: FindingsOf, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto("/dashboard/lives/")
    page.get_by_role("link", name="Create live").press("Enter")
    assert axe(page) + sideways(page) == []
    page.get_by_label("Title").press("Enter")
    expect(page.locator("[data-error-summary]")).to_be_focused()
    page.get_by_role("link", name="Write a title for the live.").press("Enter")
    expect(page.get_by_label("Title")).to_be_focused()
    page.get_by_label("Title").fill("Prova às 20 h")
    page.get_by_label("Scheduled for").fill("2099-12-01T20:00")
    page.get_by_label("720p").press("Space")
    page.get_by_label("Title").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Prova às 20 h")
    live = Live.objects.get(title="Prova às 20 h")
    assert live.options == {"bitrate": ["720p"]}
    assert axe(page) + sideways(page) == []
    expect(page.get_by_label("Stream key")).to_have_count(0)
    page.get_by_role("button", name="Show the stream key").press("Enter")
    assert page.get_by_label("Stream key", exact=True).input_value().startswith("demo-")
    assert axe(page) + sideways(page) == []
    page.reload()
    page.get_by_role("link", name="Hide the stream key").press("Enter")
    expect(page.get_by_role("button", name="Show the stream key")).to_be_visible()
