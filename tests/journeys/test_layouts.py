"""Pages on narrow and on wide screens, and the keys that every page has, in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.journeys.conftest import DESK, PHONE, SHIFTS, FindingsOf, OpenBrowser, Speak, sideways

WIDE: ViewportSize = {"width": 1920, "height": 1080}


def test_a_phone_sees_the_arrow_to_earlier_days_and_opens_the_dates_on_a_press(
    desk: OpenBrowser, axe: FindingsOf
) -> None:
    page = desk(viewport=PHONE)
    page.add_init_script(SHIFTS)
    page.goto("/dashboard/analytics/")
    earlier = page.get_by_role("link", name="The same number of days earlier")
    box = earlier.bounding_box()
    assert box is not None and box["width"] >= 44 and box["height"] >= 44 and 0 <= box["x"] < PHONE["width"] - 44
    start = page.get_by_label("From", exact=True)
    expect(start).to_be_hidden()
    bar = page.locator(".date-bar").bounding_box()
    assert bar is not None and bar["height"] < PHONE["height"] / 3
    assert page.evaluate("window.shifted") < 0.1
    page.get_by_text("Dates and options").click()
    expect(start).to_be_visible()
    assert axe(page) + sideways(page) == []


def test_a_wide_screen_is_used_and_countries_have_no_scroll_of_their_own(desk: OpenBrowser) -> None:
    page = desk(viewport=WIDE)
    page.goto("/dashboard/analytics/cities/")
    expect(page.get_by_label("From", exact=True)).to_be_visible()
    panel = page.locator("section.panel").last.bounding_box()
    assert panel is not None and panel["x"] + panel["width"] > 1800
    cut = "document.querySelector('.places__table .table-scroll')"
    assert page.evaluate(f"{cut}.scrollHeight - {cut}.clientHeight") <= 1


def test_change_of_a_country_and_its_why_need_no_scroll_beside_the_map(desk: OpenBrowser, speak: Speak) -> None:
    page = desk(java_script_enabled=False)  # widths are a matter of words and styles
    speak(page, "es")  # its words are the longest
    widths = "box => [box.scrollWidth - box.clientWidth, box.clientWidth]"
    for width in (1_199, 1_200, 1_280):
        page.set_viewport_size({"width": width, "height": 850})
        page.goto("/dashboard/analytics/cities/")
        excess, room = page.locator(".places__table .table-scroll").evaluate(widths)
        assert excess == 0 and (room < 500) is (width >= 1_200), (width, excess, room)


@pytest.mark.parametrize("viewport", [PHONE, DESK, WIDE])
def test_the_coasts_of_the_map_begin_where_the_map_begins(desk: OpenBrowser, viewport: ViewportSize) -> None:
    page = desk(viewport=viewport)
    page.goto("/dashboard/analytics/cities/")
    land = page.locator(".atlas__map [data-land] use, .atlas__map [data-land] path").first
    land.wait_for(state="attached")
    sentence, coasts = page.locator(".places__map .figure__finding").bounding_box(), land.bounding_box()
    assert sentence is not None and coasts is not None
    assert 0 <= coasts["y"] - sentence["y"] - sentence["height"] < 60


def test_a_question_mark_shows_the_keys_and_the_palette_acts_by_keyboard(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/dashboard/videos/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("drak theme")
    expect(page.get_by_role("option", name="Dark theme")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url.endswith("/dashboard/videos/")


def test_every_place_is_in_sight_on_a_laptop(desk: OpenBrowser, speak: Speak) -> None:
    page = desk(viewport={"width": 1440, "height": 900})
    speak(page, "es")  # its words are the longest
    page.goto("/dashboard/")
    hidden = "() => { const it = document.querySelector('.sidebar'); return it.scrollHeight - it.clientHeight; }"
    assert page.locator(".nav__link").count() > 15 and page.evaluate(hidden) <= 0
    low = (
        "() => Math.min(...[...document.querySelectorAll('.nav__link')].map(one => one.getBoundingClientRect().height))"
    )
    assert page.evaluate(low) >= 24, "and each is large enough to press"
    page.set_viewport_size({"width": 1440, "height": 500})
    assert page.evaluate(hidden) > 0, "where there is no room, it scrolls"


SMALL = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, [contenteditable]")]
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => `${location.pathname}: ${field.name || field.id || field.className}`)"""
WITH_FIELDS = (
    "/{link}", "/{link}?reply=1", "/{link}?tab=transcript", "/{link}/finish", "/{link}/email", "/{link}/people", "/sign-in/",
    "/dashboard/videos/", "/dashboard/subtitles/videos/{video}/pt-BR/", "/dashboard/ai-content/{lesson}/pt-BR/quiz/",
    "/dashboard/ai-content/{lesson}/pt-BR/mindmap/", "/dashboard/review-links/inbox/", "/dashboard/review-links/{link}/",
    "/dashboard/analytics/", "/dashboard/funnels/{funnel}/", "/dashboard/folders/",
)  # fmt: skip


def test_no_field_is_so_small_that_a_phone_zooms_into_it(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk(viewport=PHONE, has_touch=True, is_mobile=True)
    names = {"link": cast["review_links"]["open"], "video": cast["videos"]["reviewed"]}
    names |= {"lesson": cast["videos"]["with_ai_content"], "funnel": cast["funnels"]["main"]}
    small: list[str] = []
    for address in WITH_FIELDS:
        page.goto(address.format(**names))
        small += page.evaluate(SMALL)
    assert small == []


CUT = """() => {
  const ink = document.createElement("canvas").getContext("2d");
  const cut = [];
  for (const field of document.querySelectorAll("main :is(select, input[placeholder])")) {
    const { fontWeight, fontSize, fontFamily, paddingInlineStart } = getComputedStyle(field);
    ink.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const text = (field.placeholder ?? field.selectedOptions[0].text).trim();
    const room = field.clientWidth - 2 * parseFloat(paddingInlineStart) - (field.matches("select") ? 16 : 0);
    if (field.checkVisibility() && field.clientWidth && ink.measureText(text).width > room) cut.push(text);
  }
  for (const site of document.querySelectorAll(".referrer a")) {
    const range = document.createRange();
    range.setStart(site.firstChild, 0);
    range.setEnd(site.firstChild, site.firstChild.data.length);
    if (site.firstChild.data.length < 15 && range.getClientRects().length > 1) cut.push(site.firstChild.data);
  }
  return cut;
}"""


def test_no_chosen_word_and_no_short_name_of_a_site_is_cut_on_a_phone(desk: OpenBrowser, speak: Speak) -> None:
    page = desk(viewport=PHONE, has_touch=True, is_mobile=True)
    speak(page, "pt-br")
    found = {}
    for address in ("review-links/", "review-links/inbox/", "analytics/", "activity/"):
        page.goto(f"/dashboard/{address}")
        expect(page.locator("main select:visible, .referrer:visible").first).to_be_visible()
        if cut := page.evaluate(CUT) + sideways(page):
            found[address] = cut
    assert found == {}
