// @ts-check
// The rows of the transcript: the one that is said now, those that are near, and how many comments each has. However
// long the film, only some of them are on the page.
import { room } from "./given.js";

const MOST = 160; // rows on the page
const CHUNK = 40;
const NEAR = "600px";
const REST = 4000;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let follows = true;
let busy = false;
let rests = 0; // until then nothing is asked: the last rows did not come
let sought = 0; // until then the picture is on its way to a row that was pressed
/** @type {IntersectionObserver | undefined} */
let observer;

export const panel = () => document.getElementById("transcript");
export const list = () => /** @type {HTMLElement | null} */ (panel()?.querySelector(".sentences"));
export const rows = () => /** @type {HTMLElement[]} */ ([...(list()?.children ?? [])]);
const box = () => panel().querySelector("[data-words-list]");
/** @param {string} way */
const link = (way) => /** @type {HTMLAnchorElement} */ (panel().querySelector(`[data-more="${way}"]`));
/** @param {HTMLElement} row */
export const number = (row) => Number(row.dataset.n);
const total = () => Number(panel().dataset.total);
const isShown = () => Boolean(list()?.checkVisibility());
const current = () => /** @type {HTMLElement | null} */ (list()?.querySelector("[aria-current]"));

// What of the list can be seen: its own box, or what the picture and the foot leave of the page.
function band() {
  const own = box();
  const rect = own.getBoundingClientRect();
  if (own.scrollHeight > own.clientHeight + 1) return { scroller: own, top: rect.top, bottom: rect.bottom };
  const [picture, foot] = [".watch__pinned", ".talk__foot"].map((part) =>
    document.querySelector(part).getBoundingClientRect(),
  );
  const isAbove = picture.left < rect.right && picture.right > rect.left + 1;
  const top = isAbove ? Math.max(0, picture.bottom) : 0;
  return { scroller: document.scrollingElement, top, bottom: Math.min(innerHeight, foot.top) };
}

/**
 * Bring a row where it can be read together with those after it, unless it is there.
 * @param {HTMLElement} row
 * @param {ScrollBehavior} [behavior]
 */
export function reveal(row, behavior = calm.matches ? "instant" : "smooth") {
  const { scroller, top, bottom } = band();
  const place = row.getBoundingClientRect();
  if (place.top >= top && place.bottom <= bottom - (bottom - top) / 4) return;
  scroller.scrollBy({ top: place.top - top - (bottom - top) / 4, behavior });
}

/** @param {boolean} on */
export function follow(on) {
  follows = on;
  const offer = panel()?.querySelector("[data-follow]");
  if (offer) offer.hidden = on;
  if (on) mark({ again: true });
}

/**
 * Mark the row that is said now. Where it is not on the page and the list follows, it comes.
 * @param {{ again?: boolean }} [options]
 */
export function mark({ again = false } = {}) {
  if (!isShown() || Date.now() < sought) return;
  const all = rows();
  const at = room.player.time + 0.05;
  const index = all.findLastIndex((row) => Number(row.dataset.from) <= at);
  const isBefore = index < 0 && number(all[0]) > 0;
  const isAfter = index === all.length - 1 && number(all[index]) < total() - 1 && at >= Number(all[index].dataset.to);
  // Of rows that begin together, as the voices of one cue do, the first.
  const now = isBefore || isAfter ? null : (all.find((row) => row.dataset.from === all[index]?.dataset.from) ?? null);
  if (now !== current() || again) {
    current()?.removeAttribute("aria-current");
    now?.setAttribute("aria-current", "true");
    if (now && follows) reveal(now);
  }
  if ((isBefore || isAfter) && follows) bringAround();
}

async function bringAround() {
  const fresh = Date.now() < rests ? null : await bring({ t: String(room.player.second) });
  if (!fresh) return;
  list().replaceChildren(...fresh);
  settle();
  const now = current();
  if (now) reveal(now, "instant");
}

/**
 * Rows that the server has: null while others are on their way, or where there are none to get.
 * @param {Record<string, string>} wish
 */
async function bring(wish) {
  if (busy) return null;
  busy = true;
  const shown = list();
  const query = new URLSearchParams(link("later").search);
  for (const name of ["from", "t"]) query.delete(name);
  if ("t" in wish) query.delete("find");
  for (const [name, value] of Object.entries(wish)) query.set(name, value);
  try {
    const { status, part } = await room.ask(`${location.pathname}/transcript?${query}`);
    if (status !== 200) rests = Date.now() + REST;
    if (status !== 200 || shown !== list()) return null; // another search came in between
    return [...(part.querySelector(".sentences")?.children ?? [])];
  } finally {
    busy = false;
  }
}

/** @param {string} way */
async function extend(way) {
  const all = rows();
  const [first, last] = [number(all[0]), number(all.at(-1))];
  const isLater = way === "later";
  const from = isLater ? last + 1 : Math.max(0, first - CHUNK);
  const fresh = (await bring({ from: String(from) }))?.filter((row) => {
    const n = number(/** @type {HTMLElement} */ (row));
    return isLater ? n > last : n < first;
  });
  if (!fresh?.length) return;
  hold(isLater ? all.at(-1) : all[0], () => {
    list()[isLater ? "append" : "prepend"](...fresh);
    prune(isLater);
  });
  settle();
}

// What is far at the other end leaves, unless somebody is in it.
/** @param {boolean} fromStart */
function prune(fromStart) {
  const all = rows();
  const surplus = fromStart ? all.slice(0, Math.max(0, all.length - MOST)) : all.slice(MOST);
  if (surplus.some((row) => row.contains(document.activeElement))) return;
  for (const row of surplus) row.remove();
}

/**
 * Whatever changes around a row, it stays where the reader sees it.
 * @param {HTMLElement} row
 * @param {() => void} change
 */
function hold(row, change) {
  const { scroller } = band();
  const before = row.getBoundingClientRect().top;
  change();
  scroller.scrollBy({ top: row.getBoundingClientRect().top - before, behavior: "instant" });
}

// After rows came or went: where the list goes on, and what each row says of its comments.
export function settle() {
  if (!list()) return;
  const all = rows();
  const [first, last] = [number(all[0]), number(all.at(-1))];
  list().setAttribute("start", String(first + 1));
  edge("earlier", first === 0, Math.max(0, first - CHUNK));
  edge("later", last >= total() - 1, last + 1);
  recount();
  document.dispatchEvent(new Event("room:rows"));
  mark();
  observe();
}

/**
 * @param {string} way
 * @param {boolean} isEnd
 * @param {number} from
 */
function edge(way, isEnd, from) {
  const query = new URLSearchParams(link(way).search);
  query.set("from", String(from));
  link(way).search = String(query);
  link(way).hidden = isEnd;
}

function observe() {
  observer?.disconnect();
  observer = new IntersectionObserver(
    (entries) => {
      const near = entries.find((entry) => entry.isIntersecting);
      if (near) extend(/** @type {HTMLElement} */ (near.target).dataset.more);
    },
    { rootMargin: NEAR, scrollMargin: NEAR },
  );
  for (const way of ["earlier", "later"]) if (!link(way).hidden) observer.observe(link(way));
}

// Comments that came or went meanwhile: the list beside has them all.
function recount() {
  const threads = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#threads .thread")]);
  const all = rows();
  const seconds = all.map((row) => Math.floor(Number(row.dataset.from)));
  all.forEach((row, index) => {
    const until = index + 1 < all.length ? seconds[index + 1] : Number(row.dataset.to) + 1;
    const own = threads.filter(({ dataset: { t } }) => Number(t) >= seconds[index] && Number(t) < until);
    const next = own.length ? badge(row, own) : null;
    const before = row.querySelector(".sentence__talk");
    if (before?.textContent === next?.textContent && before?.className === next?.className) return;
    before?.remove();
    if (next) row.querySelector(".sentence__end").prepend(next);
  });
}

/**
 * @param {HTMLElement} row
 * @param {HTMLElement[]} threads
 */
function badge(row, threads) {
  const { content, dataset } = /** @type {HTMLTemplateElement} */ (panel().querySelector("[data-badge]"));
  const element = /** @type {HTMLElement} */ (content.firstElementChild.cloneNode(true));
  const kind = threads.some((thread) => thread.matches(".is-open")) ? "open" : "resolved";
  element.classList.add(`is-${kind}`);
  const use = element.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#s-${kind}`));
  element.setAttribute("href", `#${threads[0].id}`);
  const [shown, said] = element.querySelectorAll("span");
  shown.textContent = String(threads.length);
  const time = row.querySelector(".sentence__time").textContent;
  said.textContent = room.fill(threads.length === 1 ? dataset.one : dataset.many, { n: threads.length, time });
  return element;
}

/** @param {HTMLElement} row */
export function play(row) {
  const from = Number(row.dataset.from);
  follows = true;
  current()?.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
  sought = Date.now() + 400; // until the picture is there, the time is still the old one
  panel().querySelector("[data-follow]").hidden = true;
  room.player.seek(from);
  room.player.play();
}

/** @param {Event} event */
function isScrolling(event) {
  if (!isShown()) return false;
  if (event instanceof KeyboardEvent && !/^(Page|Arrow)(Up|Down)$|^ $/.test(event.key)) return false;
  if (event.type === "pointerdown") return event.target === box(); // its scroll bar
  return panel().contains(/** @type {Node} */ (event.target));
}

export function start() {
  for (const sign of ["wheel", "touchmove", "keydown", "pointerdown"])
    document.addEventListener(
      sign,
      (event) => {
        if (follows && !event.defaultPrevented && isScrolling(event)) follow(false);
      },
      { passive: true },
    );
  for (const name of ["time", "state", "changed"]) room.player.addEventListener(name, () => mark());
  document.addEventListener("room:live", () => {
    if (list()) recount();
  });
}
