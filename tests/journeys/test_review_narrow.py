"""The room on narrow phones: first visit, empty, full, closed and without script, in three languages."""

from typing import Any

import pytest

from dashboard.sandbox import models as platform
from tests.journeys.conftest import Complaints, OpenBrowser, Speak

WIDTHS = (320, 360, 390, 430)
BOXES = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".visually-hidden, .skip-link, dialog:not([open]), [hidden], [aria-hidden=true], noscript:empty");
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
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, { parentElement } = node;
    const left = "script, style, template, svg, option, .talk__foot, .menu__list, .marker";
    if (!node.data.trim() || parentElement.closest(left)) continue;
    if (!shown(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 2 && box.height > 2) texts.push([box.x, box.y, box.right, box.bottom, node.data.trim().slice(0, 30)]);
  }
  for (const marker of document.querySelectorAll(".marker")) {
    if (!shown(marker)) continue;
    const box = marker.getBoundingClientRect();
    if (box.width) texts.push([box.x, box.y, box.right, box.bottom, `marker ${texts.length}`, true]);
  }
  for (const [n, a] of texts.entries())
    for (const b of texts.slice(n + 1))
      if (a[4] !== b[4] && !(a[5] && b[5]) && Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 2
          && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 4)
        wrong.push(`"${a[4]}" over "${b[4]}"`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("scrolls sideways");
  return [...new Set(wrong)].slice(0, 6);
}"""


@pytest.mark.parametrize("language", ["en", "pt-br", "es"])
def test_buttons_hold_their_words_and_no_text_is_over_another_on_a_narrow_phone(
    open_browser: OpenBrowser, speak: Speak, cast: dict[str, Any], language: str, complaints: Complaints
) -> None:
    links = cast["review_links"]
    bare = platform.ReviewLink.objects.get(pk=links["view_only"])
    found = {}
    complaints.expected.append("410")  # a closed room
    rooms = {"full": links["open"], "closed": links["expired"], "empty": str(bare.pk)}
    platform.ReviewComment.objects.filter(video=bare.video).delete()
    platform.ReviewLink.objects.filter(pk=bare.pk).update(allow_comment=True)
    for script in (True, False):
        page = open_browser(
            java_script_enabled=script, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        speak(page, language)
        for name, link in rooms.items():
            page.goto(f"/{link}")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 844})
                if wrong := page.evaluate(BOXES):
                    found[name, script, width] = wrong
    assert found == {}, "\n".join(f"{where}: {wrong}" for where, wrong in found.items())
