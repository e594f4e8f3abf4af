"""The platform's trouble in a real browser: a quiet banner that goes by itself, and a page that names the operation."""

from types import ModuleType

from playwright.sync_api import expect

from dashboard.upstream.platform_health import TROUBLE_AFTER
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

BANNER = "The platform has trouble answering right now."


def test_the_banner_comes_with_trouble_and_goes_by_itself_while_a_half_written_text_stays(
    desk: OpenBrowser, axe: FindingsOf, faults: ModuleType, complaints: Complaints
) -> None:
    complaints.expected.append("502")
    page = desk()
    page.clock.install()
    faults.set("playlists.list", status=500)
    for _time in range(TROUBLE_AFTER):
        page.request.get("/dashboard/playlists/")
    page.goto("/dashboard/activity/")
    page.get_by_role("main").get_by_role("link", name="Platform health").press("Enter")
    expect(page.get_by_role("row", name="playlists.list")).to_contain_text("Trouble of its own")
    assert axe(page) + sideways(page) == []
    page.goto("/dashboard/playlists/")
    expect(page.get_by_text(BANNER)).to_be_visible()
    field = page.get_by_label("Open a playlist by its id")
    field.fill("half of an i")
    page.clock.run_for(6_000)
    expect(page.get_by_text(BANNER)).to_be_visible()
    faults.clear()
    assert page.request.get("/dashboard/playlists/").ok, "somebody's call works again"
    page.clock.run_for(30_000)
    expect(page.get_by_text(BANNER)).to_have_count(0)
    expect(field).to_have_value("half of an i")
    expect(field).to_be_focused()
