"""What axe finds on a page, in light and in dark.

Contrast takes axe longer than all other rules together: it looks at what lies under every text. Texts that look alike, on
grounds that look alike, are asked about once: a table of forty rows has the colours of a few, and so has the next page. And a
page that is made of the same elements as one without a finding, in another language or once more, has none either.
"""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Known = dict[str, set[Any]]
"""What was asked about where nothing was found: the looks of texts by scheme, and what pages are made of."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
ANSWERS = {"resultTypes": ["violations"], "preload": False}
EVERYTHING_ELSE = {
    **ANSWERS,
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {"color-contrast": {"enabled": False}},
}
ONLY_COLOURS = {**ANSWERS, "runOnly": {"type": "rule", "values": COLOURS}}
RUN = "async (options) => (await axe.run({ exclude: window.spared ?? [] }, options)).violations"
STRUCTURE = """() => {
  const said = ["aria-label", "alt", "title", "placeholder", "value", "content", "lang"];
  const named = ["id", "for", "href", "src", "srcset", "action", "name", "style", "d", "datetime", "poster", "nonce"];
  const valueOf = ({ name, value }) =>
    named.includes(name) || name.startsWith("data-") || /by$|controls$|owns$|details$/.test(name) ? ""
      : said.includes(name) ? Boolean(value.trim()) : value;
  const parts = [...document.querySelectorAll(":not(script, style, link, meta, svg *)")].map((one) => [
    one.tagName, one.parentElement?.tagName, one.parentElement?.childElementCount, one.checkVisibility(),
    [...one.attributes].map((attribute) => `${attribute.name}=${valueOf(attribute)}`).sort().join(" "),
    [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()),
  ].join());
  const place = [...document.querySelectorAll("*")].map((one) => one.scrollTop).filter(Boolean);
  return [innerWidth, innerHeight, location.pathname.replace(/[0-9a-f-]{36}/g, ""), place, ...parts].join("|");
}"""
LOOKS = """(known) => {
  const asked = new Set(known), looks = new Set(), grounds = new Map();
  // Where a list is scrolled to, and on another screen, other things may lie over each other.
  const place = [...document.querySelectorAll("*")].map((one) => one.scrollTop).filter(Boolean);
  const here = [innerWidth, innerHeight, ...(place.length ? [location.pathname, ...place] : [])].join();
  const classes = (one) => `${one.tagName}.${one.getAttribute("class")}`;
  // What lies under an element: everything that is painted around it, from the last ground that hides what is under it.
  // What is out of the flow and hides nothing lies on who knows what: it is asked about on each page, the frame once.
  const groundOf = (one, style) => {
    const under = grounds.get(one.parentElement) ?? "";
    const veil = style.opacity !== "1" || style.filter !== "none" ? ` veil ${style.opacity} ${style.filter}` : "";
    const paint = [style.backgroundColor, style.backgroundImage].join() + veil;
    const isOpaque = !/^rgba|\\/|transparent/.test(style.backgroundColor) && style.backgroundImage === "none";
    if (isOpaque && !veil && !under.includes("veil")) return paint;
    const page = one.closest(".sidebar, .topbar") ? "" : location.pathname;
    if (["absolute", "fixed", "sticky"].includes(style.position))
      return `out of the flow of ${page} ${classes(one.parentElement)} ${classes(one)}/${paint}`;
    return paint === "rgba(0, 0, 0, 0),none" ? under : `${under}/${paint}`;
  };
  const isNew = (one) => {
    const style = getComputedStyle(one);
    grounds.set(one, groundOf(one, style));
    const texts = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim());
    const letters = texts.join("").length;
    const isSeen = one.checkVisibility() && !one.closest(".visually-hidden:not(:focus, :focus-within)");
    if (!isSeen || (!letters && !one.matches("input, select, textarea"))) return false;
    const look = [
      here, grounds.get(one), style.color, style.fill, style.fontSize, style.fontWeight, style.textShadow,
      style.textDecorationLine, one.tagName, one.getAttribute("class"), one.matches(":disabled, [aria-disabled=true]"),
      letters > 1, one.matches("a") && getComputedStyle(one.parentElement).color,
    ].join("|");
    if (asked.has(look) || looks.has(look)) return false;
    return Boolean(looks.add(look));
  };
  // The largest parts of an element in which nothing is new; null for all of it.
  const spare = (one) => {
    const isAsked = isNew(one);
    const parts = [...one.children].map(spare);
    if (!isAsked && parts.every((part) => part === null)) return null;
    return parts.flatMap((part, at) => part ?? [one.children[at]]);
  };
  window.spared = spare(document.body) ?? [];
  return [...looks];
}"""


def list_findings(page: Page, known: Known) -> list[str]:
    """One line a finding. In dark only colours are asked about: everything else is the same page."""
    found = [*_find_colours(page, "dark", known["dark"]), *_find_colours(page, "light", known["light"])]
    structure = hash(page.evaluate(STRUCTURE))
    if structure not in known["structure"]:
        page.evaluate("window.spared = []")
        others = _run(page, "light", EVERYTHING_ELSE)
        found += others
        if not others:
            known["structure"].add(structure)
    return found


def _find_colours(page: Page, scheme: Literal["light", "dark"], known: set[Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("document.getAnimations().forEach(one => one instanceof CSSTransition && one.finish())")
    looks = page.evaluate(LOOKS, list(known))
    found = _run(page, scheme, ONLY_COLOURS) if looks else []
    if not found:
        known.update(looks)
    return found


def _run(page: Page, scheme: str, options: dict[str, Any]) -> list[str]:
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{scheme} {one['id']}: {node['target']} {node['failureSummary']}"
        for one in page.evaluate(RUN, options)
        for node in one["nodes"]
    ]
