"""Analytics in a real browser: every page in both schemes, on the narrowest phone, by keyboard, without script, on paper."""

import base64
import io
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.journeys.conftest import FindingsOf, OpenBrowser, Speak, sideways

WEEK = "start=2026-11-01&end=2026-11-07&zone=UTC"
PAGES = [
    "",
    f"browsers/?{WEEK}",
    "cities/?country=BR",
    "referrers/",
    "ranking/",
    "traffic/",
    "retention/",
    "../referrals/",
]


def analytics(page: Page, path: str = "") -> None:
    """Opens a page of analytics."""
    page.goto(f"/dashboard/analytics/{path}")


@pytest.mark.parametrize("paths", [PAGES[:3], PAGES[3:]], ids=["overview, browsers, cities", "all others"])
def test_every_page_is_free_of_findings_and_fits_the_narrowest_phone(
    desk: OpenBrowser, axe: FindingsOf, paths: list[str]
) -> None:
    page = desk()
    found: dict[str, Any] = {}
    for path in paths:
        analytics(page, path)
        found[path] = axe(page) or sideways(page)
    assert found == {path: [] for path in paths}


def test_longest_words_make_no_phone_scroll_sideways(desk: OpenBrowser, speak: Speak) -> None:
    page = desk(java_script_enabled=False)  # widths are a matter of words and styles
    speak(page, "es")  # its words are the longest
    found: dict[str, Any] = {}
    for path in PAGES:
        analytics(page, path)
        found[path] = sideways(page)
    analytics(page)
    expect(page.get_by_text("PNG").first).to_be_hidden()  # script draws it
    assert page.locator("html").get_attribute("lang") == "es"
    assert found == {path: [] for path in PAGES}


def test_a_page_that_names_its_slips_has_no_finding_and_leads_to_the_field(
    desk: OpenBrowser, axe: FindingsOf, complaints: Any
) -> None:
    complaints.expected += ["400", "does not conform"]
    page = desk()
    analytics(page, "?start=2026-11-14&end=2026-11-01")
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    assert axe(page) == []
    summary.get_by_role("link").first.click()
    expect(page.get_by_label("To", exact=True)).to_be_focused()


@pytest.mark.smoke
def test_a_line_and_a_map_are_read_with_the_keyboard(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page, f"?{WEEK}&compare=none")
    chart = page.get_by_role("group", name=re.compile("Views per day"))
    chart.focus()
    page.keyboard.press("ArrowRight")
    spoken = chart.locator("output")
    expect(spoken).to_have_text(re.compile(r"Sun, Nov 1, [\d,]+"))
    page.keyboard.press("End")
    expect(spoken).to_have_text(re.compile(r"Sat, Nov 7, [\d,]+"))
    page.keyboard.press("ArrowLeft")
    expect(spoken).to_have_text(re.compile(r"Fri, Nov 6, [\d,]+"))
    row = page.locator("#panel-events-table tbody tr").nth(5).locator("td").first.text_content()
    assert row and row in (spoken.text_content() or "")
    expect(chart.locator("[data-cursor-line]")).to_be_visible()
    atlas = page.get_by_role("group", name=re.compile("Cities.*the largest first"))
    rows = page.locator("#panel-cities tbody tr")
    atlas.focus()
    for key, index in (("ArrowRight", 0), ("ArrowDown", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        city = (rows.nth(index).locator("th").evaluate("cell => cell.firstChild.textContent") or "").strip()
        expect(atlas.locator("output")).to_have_text(f"{city}, {rows.nth(index).locator('td').first.text_content()}")
    expect(atlas.locator(".world__bubble--here")).to_have_count(1)
    assert page.url.endswith("compare=none"), "the arrows of the map do not move the days"


def test_days_are_chosen_with_keys_alone_and_single_keys_can_be_switched_off(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page)
    page.keyboard.press("w")
    page.wait_for_url(re.compile(r"start="))
    expect(page.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "true")
    page.keyboard.press("x")
    page.wait_for_url(re.compile(r"compare=none"))
    page.get_by_label("Compare with").select_option("chosen")
    against = page.get_by_label("Compare from")
    expect(against).to_be_visible()
    against.fill("2026-03-01")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("against=2026-03-01"))
    expect(page.locator(".date-bar__zone")).to_contain_text("against Mar 1")
    page.get_by_label("Single keys on").uncheck()
    before = page.url
    page.locator("h1").click()
    page.keyboard.press("m")
    page.reload()
    assert page.url == before
    expect(page.get_by_label("Single keys on")).not_to_be_checked()


LOOKED_AT = """async ([data, title, face]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const inked = (x, y, width, height, dark) => {
    const pixels = pen.getImageData(x, y, width, height).data;
    let left = width, right = -1, count = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      if (!dark(pixels[at], pixels[at + 1], pixels[at + 2])) continue;
      const column = (at / 4) % width;
      left = Math.min(left, column);
      right = Math.max(right, column);
      count += 1;
    }
    return { count, left: x + left, width: right - left + 1 };
  };
  const band = inked(0, 40, image.width, 64, (r, g, b) => r + g + b < 300);
  pen.font = `600 44px ${face}`;
  return {
    size: [image.width, image.height],
    title: band,
    titleWidth: pen.measureText(title).width,
    line: inked(0, 200, image.width, image.height - 300, (r, g, b) => r < 40 && Math.abs(g - 112) < 30 && Math.abs(b - 126) < 30),
    paper: inked(0, 0, image.width, image.height, (r, g, b) => r + g + b === 765).count / (image.width * image.height),
  };
}"""


def test_the_picture_shows_the_drawing_its_title_and_nothing_is_cut(desk: OpenBrowser, tmp_path: Path) -> None:
    page = desk()
    analytics(page, f"browsers/?{WEEK}&compare=none")
    drawing = page.evaluate(
        "async () => (await fetch(document.querySelector('#panel-events [data-picture]').href)).text()"
    )
    page.locator("#panel-events details.menu > summary").click()
    with page.expect_download() as download:
        page.locator("#panel-events [data-picture]").click()
    assert download.value.suggested_filename == "events-views_2026-11-01_2026-11-07_UTC.png"
    made = tmp_path / "made.png"
    download.value.save_as(made)
    face = re.search(r'font-family="([^"]+)"', drawing)
    assert face and "<title>Views per day</title>" in drawing
    data = base64.b64encode(made.read_bytes()).decode()
    seen = page.evaluate(LOOKED_AT, [data, "Views per day", face[1]])
    width, height = (float(re.findall(rf'<svg [^>]*?{name}="([\d.]+)"', drawing)[0]) for name in ("width", "height"))
    assert seen["size"] == [round(width * 2), round(height * 2)]
    assert seen["title"]["left"] == pytest.approx(80, abs=6) and seen["title"]["count"] > 1_000
    assert seen["title"]["width"] == pytest.approx(seen["titleWidth"], abs=12), "the title, whole and in its own face"
    assert seen["line"]["count"] > 2_000 and seen["line"]["width"] > width * 2 * 0.85, "the line, from end to end"
    assert 0.5 < seen["paper"] < 0.98, "neither blank nor black"


def polylines(content: str) -> list[list[tuple[float, float]]]:
    """The stroked lines of a page of a PDF that are made of straight steps alone."""
    found = re.findall(r"(?m)^([-\d.]+ [-\d.]+) m\n((?:[-\d.]+ [-\d.]+ l\n)+)S$", content)
    lines = [[first, *(step.removesuffix(" l") for step in steps.splitlines())] for first, steps in found]
    return [[(float(x), float(y)) for x, y in (point.split() for point in line)] for line in lines]


def test_it_prints_in_vectors_with_its_tables_open_and_numbers_that_can_be_read(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page, f"?{WEEK}&compare=none")
    rows = page.locator("#panel-events-table tbody tr td:nth-child(2)").all_text_contents()
    values = [int(text.replace(",", "")) for text in rows]
    assert len(set(values)) > 3
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    assert [image for sheet in reader.pages for image in sheet.images] == []
    streams = (sheet.get_contents() for sheet in reader.pages)
    contents = [str(stream.get_data(), "latin-1") for stream in streams if stream is not None]
    assert not any(re.search(r"(?m)^BI\b", content) for content in contents), "no picture within the text either"
    lines = [line for content in contents for line in polylines(content) if len(line) == len(values)]
    assert any(as_drawn(line, values) for line in lines), "the line of the chart is a path through its very numbers"
    circles = sum(len(re.findall(r"(?m)^[-\d.]+ [-\d.]+ m\n(?:.* c\n){4,}h$", content)) for content in contents)
    assert circles >= 120, "so are the bubbles"
    sizes: list[float] = []

    def measured(text: str, outer: list[float], own: list[float], _font: Any, size: float) -> None:
        if text.strip():
            sizes.append(size * abs(own[3]) * abs(outer[3]))

    text = " ".join(sheet.extract_text(visitor_text=measured) for sheet in reader.pages)
    assert min(sizes) >= 8, "points"
    for day, value in zip(("Sun, Nov 1", "Sat, Nov 7"), (rows[0], rows[-1]), strict=True):
        assert re.search(rf"{day}\s*{value}", text), "first and last row of the open table"


def as_drawn(line: list[tuple[float, float]], values: list[int]) -> bool:
    """Whether a path goes through the values: equal steps to the right, heights in proportion."""
    steps = [after[0] - before[0] for before, after in pairwise(line)]
    low, high = min(range(len(values)), key=values.__getitem__), max(range(len(values)), key=values.__getitem__)
    scale = (line[high][1] - line[low][1]) / (values[high] - values[low])
    heights = [line[low][1] + (value - values[low]) * scale for value in values]
    even = max(steps) - min(steps) < 0.01 * max(steps)
    return (
        scale < 0
        and even
        and [y for _, y in line] == pytest.approx(heights, abs=0.02 * abs(line[high][1] - line[low][1]))
    )


def test_one_video_of_several_is_tried_alone_and_the_focus_goes_on(
    desk: OpenBrowser, axe: FindingsOf, faults: ModuleType, cast: dict[str, Any], late: Callable[..., None]
) -> None:
    several = f"traffic/?{WEEK}&video={cast['videos']['plain']}&video={cast['videos']['with_subtitles']}"
    page = desk()
    faults.set("analytics.traffic", status=500)
    analytics(page, several)
    expect(page.get_by_role("link", name="Try all again")).to_be_visible()
    assert axe(page) == [] and sideways(page) == []
    faults.clear()
    faults.set("analytics.traffic", status=500, times=1)
    analytics(page, several)
    address = page.url
    expect(page.get_by_text("The platform has trouble of its own.")).to_be_visible()
    page.get_by_role("link", name="Try again").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Traffic by video")).to_be_visible()
    expect(page.get_by_role("heading", name="Traffic per day")).to_be_focused()
    assert page.url == address
    late("analytics.city")
    analytics(page, f"?{WEEK}")
    expect(page.get_by_role("img", name=re.compile("Map of cities"))).to_be_visible()
    expect(page.get_by_text("still answering")).to_have_count(0)


def test_forced_colours_and_no_motion_keep_every_shape_apart(desk: OpenBrowser) -> None:
    page = desk(forced_colors="active", reduced_motion="reduce")
    analytics(page, "?zone=UTC")

    def look(selector: str, name: str) -> str:
        found = page.locator(selector).last.evaluate("(element, name) => getComputedStyle(element)[name]", name)
        return str(found)

    none = {"none", "rgba(0, 0, 0, 0)"}
    assert look("#panel-events path.line", "stroke") not in none
    assert look("#panel-events .chart__svg path.line--past", "strokeDasharray") != "none"
    assert look(".bar__value", "fill") != look(".bar__past", "stroke"), "the tick is seen on its bar"
    assert look(".bar__value", "fill") != look(".bar__track", "fill")
    land = look(".world__land", "fill")
    assert land == look(".bar__track", "fill"), "land is the ground that bubbles are seen on"
    assert land not in {
        look(".world__bubble", "fill"),
        look(".world__bubble", "stroke"),
        look(".world__land", "stroke"),
    }
