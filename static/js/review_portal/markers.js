// @ts-check
// Markers are real controls: one tab stop, arrows inside, Enter opens. Those closer than a fingertip join into one that
// lists its comments on hover, focus or click. A draft has a hollow one, which gives way when crowded.
import { format } from "./clock.js";
import { player } from "./player.js";
import { say } from "./words.js";

// Pixels that a marker needs for itself, and as much as the style sheet keeps it from the ends of its lane.
const touched = matchMedia("(pointer: coarse)");
const room = () => (touched.matches ? 46 : 32);
const END = 8;
const peek = document.querySelector("[data-peek]");
const lane = () => document.getElementById("markers");
/** @type {Draft[]} */
let drafts = [];
/** @type {Marker | null} */
let open = null;
let current = -1;

/** @param {Element} link */
const shape = (link) => link.querySelector("use")?.getAttribute("href") ?? "";
const sprite = () =>
  document.querySelector("#markers use, .thread use, .timecode use")?.getAttribute("href").split("#")[0] ?? shapes;
const shapes = document.querySelector("use")?.getAttribute("href").split("#")[0] ?? "";

/** @param {string} name */
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "shape");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${sprite()}#s-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Stored texts that wait: [{name, time}].
 * @param {Draft[]} list
 */
export function showDrafts(list) {
  drafts = list;
  layout();
}

/** @param {{ time: number }} options */
function draftItem({ time }) {
  const item = document.createElement("li");
  item.dataset.made = "";
  const link = Object.assign(document.createElement("a"), {
    className: "marker marker--draft is-draft",
    href: "#composer",
  });
  link.dataset.t = String(time);
  link.dataset.draft = "";
  link.append(icon("draft"), hidden(say("draft", { time: format(time) })));
  item.append(link);
  return item;
}

/** @param {string} text */
const hidden = (text) =>
  Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: text });

const itemsOf = (/** @type {HTMLElement} */ list) => /** @type {HTMLElement[]} */ ([...list.children]);

export function layout() {
  const list = lane();
  if (!list || !player.length) return;
  const focused = list.contains(document.activeElement) ? document.activeElement.closest("li") : null;
  const focusedAt = focused
    ? itemsOf(list)
        .filter((item) => !item.hidden)
        .indexOf(focused)
    : -1;
  for (const element of list.querySelectorAll("[data-made]")) element.remove();
  for (const time of new Set(drafts.map((draft) => Math.floor(draft.time)))) {
    const after = itemsOf(list).find((item) => Number(item.firstElementChild.dataset.t) > time);
    list.insertBefore(draftItem({ time }), after ?? null);
  }
  for (const group of groups(itemsOf(list))) join(group);
  tabStop();
  if (focusedAt >= 0) links()[Math.min(focusedAt, links().length - 1)]?.focus();
  follow(true);
}

/** @param {HTMLElement[]} elements */
function groups(elements) {
  const width = lane().clientWidth;
  /** @param {number} at */
  const within = (at) => Math.min(Math.max(at * width, END), width - END);
  /** @type {MarkerGroup[]} */
  const markerGroups = [];
  for (const item of elements) {
    item.hidden = false;
    const link = item.firstElementChild;
    const at = Math.min(1, Number(link.dataset.t) / player.length);
    link.style.setProperty("--at", `${at * 100}%`);
    const last = markerGroups.at(-1);
    const apart = room() + (last && last.items.length > 1 ? 8 : 0);
    if (last && within(at) - last.at < apart) last.items.push(item);
    else markerGroups.push({ at: within(at), items: [item] });
  }
  return markerGroups;
}

/** @param {MarkerGroup} options */
function join({ items }) {
  const real = items.filter((item) => !("draft" in item.firstElementChild.dataset));
  if (items.length === 1) return;
  for (const item of items) item.hidden = real.length > 0 && (real.length > 1 || item !== real[0]);
  if (real.length < 2) return;
  const members = real.map((item) => item.firstElementChild);
  const state = members.some((link) => link.matches(".is-open")) ? "open" : "resolved";
  const times = members.map((link) => Number(link.dataset.t));
  const item = document.createElement("li");
  item.dataset.made = "";
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: `marker marker--group is-${state}`,
  });
  const words = {
    n: members.length,
    from: format(Math.min(...times)),
    to: format(Math.max(...times)),
    open: members.filter((link) => link.matches(".is-open")).length,
  };
  button.style.setProperty("--at", members[0].style.getPropertyValue("--at"));
  button.setAttribute("aria-expanded", "false");
  button.append(icon(state), String(members.length), hidden(` ${say("group", words)}`));
  button.dataset.t = String(times[0]);
  Object.assign(button, { members });
  item.append(button);
  items.at(-1).after(item);
}

const links = () => [...lane().querySelectorAll("li:not([hidden]) > .marker")];

/** @param {Marker} [marker] */
function tabStop(marker) {
  const all = links();
  const stop = marker ?? all.find((link) => link.getAttribute("aria-current") === "true") ?? all[0];
  for (const link of all) link.tabIndex = link === stop ? 0 : -1;
}

/**
 * One line per comment: beside a marker as a preview, beside a group as its chooser.
 * @param {Marker} marker
 * @param {boolean} [chooses]
 */
function show(marker, chooses) {
  const members = marker.members ?? [marker];
  if ("draft" in marker.dataset) return hide();
  peek.replaceChildren(
    ...members.map((link) => {
      const row = Object.assign(document.createElement("a"), { className: "marker-peek__link", href: link.hash });
      row.classList.add(link.matches(".is-open") ? "is-open" : "is-resolved");
      row.tabIndex = marker.members ? 0 : -1;
      const gist = link.querySelector(".marker__gist")?.textContent ?? "";
      row.append(
        icon(shape(link).endsWith("resolved") ? "resolved" : "open"),
        Object.assign(document.createElement("b"), { textContent: format(Number(link.dataset.t)) }),
        Object.assign(document.createElement("span"), { textContent: gist }),
      );
      return row;
    }),
  );
  const at = parseFloat(marker.style.getPropertyValue("--at"));
  peek.style.setProperty("--at", `${at}%`);
  peek.style.setProperty("--shift", `${-at}%`);
  peek.hidden = false;
  open = marker;
  if (marker.members) marker.setAttribute("aria-expanded", "true");
  if (chooses) peek.firstElementChild.focus();
}

function hide() {
  open?.removeAttribute("aria-expanded");
  if (open?.members) open.setAttribute("aria-expanded", "false");
  open = null;
  peek.hidden = true;
}

/** @param {Heard<KeyboardEvent>} event */
function move(event) {
  const all = links();
  const index = all.indexOf(/** @type {Marker} */ (document.activeElement));
  const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: all.length - 1 }[event.key];
  if (index < 0 || to === undefined) return;
  event.preventDefault();
  const next = all[Math.min(all.length - 1, Math.max(0, to))];
  tabStop(next);
  next.focus();
}

/** @param {Heard<KeyboardEvent>} event */
function inPeek(event) {
  const rows = [...peek.children];
  const index = rows.indexOf(document.activeElement);
  if (event.key === "Escape") {
    event.preventDefault();
    open?.focus(); // while it is open: a marker that gets the focus shows its comments
    hide();
  } else if (index >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    rows[(index + (event.key === "ArrowDown" ? 1 : rows.length - 1)) % rows.length].focus();
  }
}

/**
 * The marker of the moment that plays is the current one.
 * @param {boolean} [anew]
 */
export function follow(anew = false) {
  if (!lane() || (!anew && player.second === current)) return;
  current = player.second;
  let now = null;
  for (const link of links()) {
    const at = Number(link.dataset.t);
    const last = link.members ? Math.max(...link.members.map((member) => Number(member.dataset.t))) : at;
    if (!("draft" in link.dataset) && at <= current && current - last < 4) now = link;
  }
  for (const link of links()) {
    if (link === now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

if (peek && document.querySelector("[data-timeline]")) {
  const area = document.querySelector("[data-timeline]");
  /** @param {Heard<Event>} event */
  const marker = (event) => event.target.closest?.(".marker");
  area.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    if (marker(event)) show(marker(event));
    else if (!event.target.closest(".marker-peek, .markers") && !peek.contains(document.activeElement)) hide();
  });
  area.addEventListener("pointerleave", () => {
    if (!peek.contains(document.activeElement)) hide();
  });
  area.addEventListener("focusin", (event) => {
    if (marker(event) && marker(event) !== open) show(marker(event));
  });
  area.addEventListener("focusout", (event) => {
    if (!area.contains(event.relatedTarget)) hide();
  });
  area.addEventListener("keydown", (event) => {
    if (event.target.closest(".markers")) move(event);
  });
  area.addEventListener("keydown", (event) => {
    if (!peek.hidden) inPeek(event);
  });
  area.addEventListener("click", (event) => {
    const group = marker(event);
    if (group?.members) show(group, true);
    else if (event.target.closest(".marker, .marker-peek__link")) setTimeout(hide);
  });
  player.addEventListener("time", () => follow());
  player.addEventListener("length", layout);
  new ResizeObserver(layout).observe(area);
}
