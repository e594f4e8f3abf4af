"""Getting started in a real browser: the page sees by itself that a video plays."""

from playwright.sync_api import expect

from dashboard.getting_started.models import Setup
from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways


def test_the_page_sees_that_the_platform_s_player_plays_and_keeps_it(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/dashboard/getting-started/")
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Copy address").wait_for()
    player = page.frame_locator("[data-film] iframe").locator("video")
    player.evaluate("video => { video.muted = true; return video.play(); }")
    expect(page.locator("#played")).to_contain_text("Seen")
    expect(page.locator("[data-film] iframe")).to_have_count(1)
    assert Setup.objects.get().played_at is not None
    assert axe(page) == []


def test_a_player_that_says_nothing_shows_what_helps(desk: OpenBrowser) -> None:
    page = desk()
    page.route(
        "**/media/player/**", lambda route: route.fulfill(body="<title>Forbidden</title>", content_type="text/html")
    )
    page.clock.install()
    page.goto("/dashboard/getting-started/")
    expect(page.locator("[data-fails]")).to_be_hidden()
    page.clock.run_for(21_000)
    expect(page.locator("[data-fails]")).to_be_visible()
