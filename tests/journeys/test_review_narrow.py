"""The room on narrow phones: first visit, empty, full, closed and without script, in the longest words."""

from typing import Any
from uuid import uuid4

from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import Complaints, OpenBrowser, Speak

WIDTHS = (320, 360, 390, 430)
BOXES = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".visually-hidden, .skip-link, dialog:not([open]), [hidden], [aria-hidden=true], noscript:empty")
    && getComputedStyle(one).clipPath === "none";
  const wrong = [];
  for (const button of document.querySelectorAll(".button, .action, .chip, .tabs__link")) {
    if (!shown(button)) continue;
    const range = document.createRange();
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (!shown(parentElement)) continue;
      for (const { 0: word, index } of data.matchAll(/\\S+/g)) {
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.y)));
        if (lines.size > 1) wrong.push(`${button.className}: "${word}" in ${lines.size} lines`);
      }
    }
  }
  const texts = [];
  // What stays in its place while the list runs lies over it by design: each is looked at by itself.
  const stays = [...document.querySelectorAll(".watch__pinned, .talk__foot")]
    .filter((one) => getComputedStyle(one).position === "sticky");
  const layer = (one) => stays.findIndex((held) => held.contains(one));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, { parentElement } = node;
    const left = "script, style, template, svg, option, .menu__list, .marker";
    if (!node.data.trim() || parentElement.closest(left)) continue;
    if (!shown(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 2 && box.height > 2)
        texts.push([box.x, box.y, box.right, box.bottom, node.data.trim().slice(0, 30), false, layer(node.parentElement)]);
  }
  for (const marker of document.querySelectorAll(".marker")) {
    if (!shown(marker)) continue;
    const box = marker.getBoundingClientRect();
    if (box.width) texts.push([box.x, box.y, box.right, box.bottom, `marker ${texts.length}`, true, layer(marker)]);
  }
  for (const [n, a] of texts.entries())
    for (const b of texts.slice(n + 1))
      if (a[4] !== b[4] && !(a[5] && b[5]) && a[6] === b[6] && Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 2
          && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 4)
        wrong.push(`"${a[4]}" over "${b[4]}"`);
  const ink = document.createElement("canvas").getContext("2d");
  for (const list of document.querySelectorAll("select")) {
    if (!shown(list)) continue;
    const { fontWeight, fontSize, fontFamily, paddingInlineStart, paddingInlineEnd } = getComputedStyle(list);
    ink.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const { text } = list.selectedOptions[0];
    const arrow = 16 + parseFloat(paddingInlineStart) + parseFloat(paddingInlineEnd);
    if (ink.measureText(text.trim()).width > list.clientWidth - arrow)
      wrong.push(`"${text.trim()}" is cut`);
  }
  for (const tab of document.querySelectorAll(".talk > .tabs > *"))
    if (tab.getBoundingClientRect().right > innerWidth) wrong.push(`tab "${tab.textContent.trim()}" is cut`);
  const box = document.getElementById("text");
  if (box && shown(box)) {
    const { fontSize, fontFamily, paddingInlineStart, textWrapMode } = getComputedStyle(box);
    ink.font = `${fontSize} ${fontFamily}`;
    const room = box.clientWidth - 2 * parseFloat(paddingInlineStart);
    if (textWrapMode === "nowrap" && ink.measureText(box.placeholder).width > room)
      wrong.push(`"${box.placeholder}" is cut`);
  }
  const finish = document.querySelector(".progress-strip__end > .button");
  if (finish) {
    const range = document.createRange();
    range.selectNodeContents(finish);
    if (range.getBoundingClientRect().height > 1.5 * parseFloat(getComputedStyle(finish).fontSize))
      wrong.push(`"${finish.textContent}" in several lines`);
  }
  const foot = document.querySelector(".talk__foot:not([data-open])"), first = document.querySelector(".empty, .thread");
  const end = foot && getComputedStyle(foot).position === "sticky" ? foot.getBoundingClientRect().top : Infinity;
  const { top, bottom } = first?.getBoundingClientRect() ?? {};
  if (first?.matches(".empty") ? bottom - parseFloat(getComputedStyle(first).paddingBottom) > end : top + 24 > end)
    wrong.push(`what was said is under the foot: ${Math.round(bottom)}, ${Math.round(top)} over ${end}`);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
    wrong.push(`scrolls sideways: ${scrollWidth}, ${wide.slice(-1)[0]?.className}`);
  }
  return [...new Set(wrong)].slice(0, 6);
}"""


def look(page: Page, state: str) -> dict[tuple[str, int], list[str]]:
    """What is wrong at each width with what the page shows now."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        if wrong := page.evaluate(BOXES):
            found[state, width] = wrong
    return found


def test_buttons_hold_their_words_and_no_text_is_over_another_on_a_narrow_phone(
    open_browser: OpenBrowser, speak: Speak, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("410")  # a closed room
    links = {name: platform.ReviewLink.objects.get(pk=cast["review_links"][name]) for name in ("open", "view_only")}
    bare, full = links["view_only"].video, links["open"].video
    platform.ReviewLink.objects.filter(pk=links["view_only"].pk).update(allow_comment=True)
    platform.ReviewComment.objects.filter(video__in=(bare, full)).delete()
    for second in range(30):
        platform.ReviewComment.objects.create(
            video=full, token=uuid4(), user_name="Bo", time=2 * second, text=f"The light of shot {second} is too cold."
        )
    found: dict[tuple[str, int], list[str]] = {}
    for script in (True, False):
        page = open_browser(
            java_script_enabled=script, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        speak(page, "es")  # its words are the longest
        suffix = "" if script else ", no script"

        page.goto(f"/{links['open'].pk}")
        expect(page.locator("#threads > li")).to_have_count(30)
        expect(page.locator(".talk__foot .notice")).to_be_visible()
        expect(page.locator("#text")).to_have_count(0)
        found |= look(page, f"full{suffix}")

        page.goto(f"/{cast['review_links']['expired']}")
        expect(page.locator("[data-closed]")).to_be_visible()
        found |= look(page, f"closed{suffix}")

        page.goto(f"/{links['view_only'].pk}")
        expect(page.locator(".empty__title")).to_be_visible()
        expect(page.locator("#threads > li, .marker")).to_have_count(0)
        found |= look(page, f"empty{suffix}")
        if script:
            page.locator("#text").tap()
            found |= look(page, "first words")
        expect(page.locator("#name")).to_be_visible()
        expect(page.locator("#name")).to_have_value("")
    assert found == {}, "\n".join(f"{where}: {wrong}" for where, wrong in found.items())
