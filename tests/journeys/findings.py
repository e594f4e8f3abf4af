"""What axe finds on a page, in light and in dark.

Contrast takes axe longer than all other rules together: it looks at what lies under every text. Texts that look alike, on
grounds that look alike, are asked about once: a table of forty rows has the colours of a few.
"""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
ANSWERS = {"resultTypes": ["violations"], "preload": False}
EVERYTHING_ELSE = {
    **ANSWERS,
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {"color-contrast": {"enabled": False}},
}
ONLY_COLOURS = {**ANSWERS, "runOnly": {"type": "rule", "values": COLOURS}}
RUN = "async (options) => (await axe.run(options)).violations"
RUN_ON_EACH_LOOK = """async (options) => {
  const looks = new Set();
  const grounds = new Map();
  // What lies under an element: everything that is painted around it. What is out of the flow lies on who knows what.
  const groundOf = (one, style) => {
    if (["absolute", "fixed", "sticky"].includes(style.position)) return `out of the flow ${grounds.size}`;
    const under = grounds.get(one.parentElement) ?? "";
    const paint = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
    return paint === "rgba(0, 0, 0, 0),none,1,none" ? under : `${under}/${paint}`;
  };
  const isNew = (one) => {
    const style = getComputedStyle(one);
    grounds.set(one, groundOf(one, style));
    const texts = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim());
    const letters = texts.join("").length;
    if (!one.checkVisibility() || (!letters && !one.matches("input, select, textarea"))) return false;
    const look = [
      grounds.get(one), style.color, style.fill, style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine,
      one.tagName, one.getAttribute("class"), one.matches(":disabled, [aria-disabled=true]"), letters > 1,
      one.matches("a") && getComputedStyle(one.parentElement).color,
    ].join("|");
    return !looks.has(look) && Boolean(looks.add(look));
  };
  // The largest parts of an element in which nothing is new; null for all of it.
  const spare = (one) => {
    const isAsked = isNew(one);
    const parts = [...one.children].map(spare);
    if (!isAsked && parts.every((part) => part === null)) return null;
    return parts.flatMap((part, at) => part ?? [one.children[at]]);
  };
  return (await axe.run({ exclude: spare(document.body) ?? [] }, options)).violations;
}"""


def list_findings(page: Page) -> list[str]:
    """One line a finding. In dark only colours are asked about: everything else is the same page."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [
        *_in_scheme(page, "dark", RUN_ON_EACH_LOOK, ONLY_COLOURS),
        *_in_scheme(page, "light", RUN_ON_EACH_LOOK, ONLY_COLOURS),
        *_in_scheme(page, "light", RUN, EVERYTHING_ELSE),
    ]


def _in_scheme(page: Page, scheme: Literal["light", "dark"], run: str, options: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("document.getAnimations().forEach(one => one instanceof CSSTransition && one.finish())")
    found = page.evaluate(run, options)
    return [
        f"{scheme} {one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]
    ]
