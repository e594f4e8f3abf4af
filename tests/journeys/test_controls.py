"""Every control that a page offers can be seen and pressed: on two phones, on a phone on its side and on a desk."""

from typing import Any

from playwright.sync_api import Page

from tests.journeys.conftest import Complaints, OpenBrowser, Speak
from tests.journeys.test_long_words import addresses
from tests.journeys.test_review_cuts import cuts as cuts

SCREENS = ((320, 640), (390, 844), (844, 390), (1280, 800))
ELSEWHERE = {
    ".topbar": (1280,),  # the sidebar has it
    ".date-bar__summary": (844, 1280),  # what it opens is open
    ".date-bar__against": (320, 390, 844, 1280),  # only with dates of one's own
    ".talk__foot:not([data-open]) :is(button, select, summary, a, input)": (
        320,
        390,
        844,
    ),  # the box of words opens the rest
    ".composer__name[data-nameless]": (1280,),  # asked with the first words
    ".only-wide, .transport__range": (320, 390, 844),  # the menu of the player has them
    "#speed, [data-speed]": (320, 390, 844, 1280),  # the menu of the player or the row, whichever has room
    ".transport__group:first-child > :is(:first-child, :last-child)": (320,),  # the list below has every comment
    ".review__tools > :is([data-theme-switch], [commandfor=keys]), .review__tools [data-theme-switch]": (320, 390),
}
"""What a screen does not show on purpose, because something else on it does the same."""
LOOK = """async (elsewhere) => {
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider]";
  const absent = "[hidden], [inert], [aria-hidden=true], dialog:not([open]), .visually-hidden, .skip-link";
  const wrong = new Set();
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isFolded = (one) => {
    for (let fold = one.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])"))
      if (one.closest("summary")?.parentElement !== fold) return true;
    return false;
  };
  const isAway = (one) => {
    const list = one.closest("[popover]:not(:popover-open)");
    return one.closest(absent) || isFolded(one) || (list && !list.checkVisibility());
  };
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const isHit = (one, control) => [...one.getClientRects()].some((box) => {
    const hit = document.elementFromPoint(...middle(box));
    return hit && (one.contains(hit) || control.contains(hit) || hit.closest("label")?.control === control);
  });
  const findCutter = (one) => {
    let box = one.getBoundingClientRect(), { position } = getComputedStyle(one);
    for (let up = one.parentElement; up && position !== "fixed"; up = up.parentElement) {
      const style = getComputedStyle(up), frame = up.getBoundingClientRect(), [x, y] = middle(box);
      if (position === "absolute" && style.position === "static") continue;
      position = style.position;
      const kinds = [style.overflowX, style.overflowY];
      if (kinds.some((kind) => kind === "auto" || kind === "scroll")) {
        if (x + up.scrollLeft < frame.left || y + up.scrollTop < frame.top) return up;
        box = frame;
      } else if (up !== document.body && kinds.some((kind) => kind !== "visible")
        && (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom)) return up;
    }
    return position !== "fixed" && (box.left + scrollX < -1 || box.top + scrollY < -1) ? document.documentElement : null;
  };
  const judge = (control) => {
    const shown = (control.matches("[type=checkbox], [type=radio], [type=file]") && control.labels[0]) || control;
    if (!control.checkVisibility({ visibilityProperty: true }) || !isSeen(shown)) return "is not shown";
    const { width, height } = shown.getBoundingClientRect(), cutter = findCutter(shown);
    if (width < 8 || height < 8) return `is ${width} by ${height}`;
    if (cutter) return `is outside of ${cutter.tagName}.${cutter.className}`;
    if (isHit(shown, control)) return "";
    shown.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (isHit(shown, control)) return "";
    const over = document.elementFromPoint(...middle(shown.getClientRects()[0]));
    return over ? `is under ${over.tagName}.${over.className}` : "is off the screen";
  };
  const look = (root) => {
    for (const control of root.querySelectorAll(controls)) {
      const fault = isAway(control) || control.closest(elsewhere) || (control.matches("summary") && root !== document)
        ? "" : judge(control);
      const words = (control.textContent.trim() || control.name || control.id).slice(0, 30).replace(/\\s+/g, " ");
      if (fault) wrong.add(`${control.tagName}.${control.className} “${words}” ${fault}`);
    }
  };
  look(document);
  for (const fold of document.querySelectorAll("details:not([open])")) {
    if (!fold.checkVisibility() || isAway(fold.querySelector("summary"))) continue;
    const opened = new Promise((done) => fold.addEventListener("toggle", done, { once: true }));
    fold.open = true;
    await opened;
    look(fold);
    fold.open = false;
  }
  for (const list of document.querySelectorAll("[popover]")) {
    const opener = document.querySelector(`[popovertarget="${list.id}"]`);
    if (list.checkVisibility() || (opener && isAway(opener))) continue;
    if (!opener || !isSeen(opener)) {
      wrong.add(`#${list.id} is opened by nothing`);
      continue;
    }
    list.showPopover();
    look(list);
    list.hidePopover();
  }
  scrollTo(0, 0);
  return [...wrong];
}"""


def list_faults(page: Page, address: str) -> list[str]:
    """What is wrong with the page's controls on each screen."""
    faults = []
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        elsewhere = ", ".join(selector for selector, widths in ELSEWHERE.items() if width in widths)
        faults += [f"{address} at {width}: {fault}" for fault in page.evaluate(LOOK, elsewhere)]
    return faults


def test_every_control_can_be_seen_and_pressed_on_every_screen(
    cuts: tuple[str, str], desk: OpenBrowser, cast: dict[str, Any], speak: Speak, complaints: Complaints
) -> None:
    complaints.expected.append("410")  # a closed link
    page = desk()
    speak(page, "es")
    faults = []
    for address in [*addresses(cast), f"/{cast['review_links']['expired']}", f"{cuts[1]}/from-cut"]:
        if address.endswith("?tab=transcript"):
            continue  # the comments are behind the other tab
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(address)
        page.locator("[value=not]").evaluate_all("(radios) => radios.forEach((radio) => { radio.checked = true; })")
        faults += list_faults(page, address)
    assert not faults, "\n".join(faults)
