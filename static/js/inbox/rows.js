// @ts-check
// Rows and the one that is open. Where both fit side by side a row opens beside the list, which keeps its order; else
// its link is followed.
import { load } from "../htmx.js";

const wide = matchMedia("(min-width: 75rem)");
export const inbox = document.querySelector("[data-inbox]");
/** @returns {HTMLElement[]} */
const rows = () => [...inbox.querySelectorAll("[data-row]")];
/** Which item is open. */
const openItem = () => document.getElementById("thread")?.dataset.item ?? "";
let marked = openItem();
/** The same, and "" while another one is about to take its place. */
export const settledItem = () => (marked === openItem() ? marked : "");
/** The row that is open or about to be. */
export const current = () => rows().find((row) => row.dataset.row === marked) ?? null;
const isWide = () => wide.matches;
/** @param {HTMLElement} row */
const linkOf = (row) => /** @type {HTMLAnchorElement} */ (row.querySelector(".inbox-row__link"));
/** @param {HTMLElement} row */
const isWaiting = (row) => row.dataset.state === "unanswered";

/** The row that keys are about: the one in focus, else the open one. */
export const chosen = () => document.activeElement?.closest("[data-row]") ?? current();

/** @param {string} id */
const mark = (id) => {
  marked = id;
  for (const row of rows()) {
    if (row.dataset.row === id) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
};

/** @param {HTMLElement} row */
export function focus(row) {
  linkOf(row).focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/**
 * @param {HTMLElement} row
 * @param {{ quiet?: boolean }} [options] quiet: the focus stays where it is
 */
export async function open(row, { quiet = false } = {}) {
  const { href } = linkOf(row);
  if (!isWide()) {
    location.assign(href);
    return;
  }
  mark(row.dataset.row);
  inbox.classList.add("inbox--open");
  if (!quiet) focus(row);
  history.replaceState(history.state, "", href);
  await load();
  const source = document.getElementById("inbox-opener");
  // Another row that is opened meanwhile aborts this one; what fails is told by htmx's events.
  window.htmx.ajax("GET", href, { source, target: "#thread", swap: "outerHTML" }).catch(() => {});
}

/**
 * The next row in a direction; nothing beyond the ends.
 * @param {number} direction
 */
export function step(direction) {
  const every = rows();
  const from = chosen();
  const next = from ? every[every.indexOf(from) + direction] : every[0];
  if (next && isWide()) open(next);
  else if (next && !inbox.classList.contains("inbox--open")) focus(next);
  else followStep(direction);
}

/** @param {number} direction */
function followStep(direction) {
  const isAlone = inbox.classList.contains("inbox--open") && !isWide();
  const where = isAlone
    ? `#thread [data-step="${direction}"]`
    : `.inbox__pages [rel=${direction > 0 ? "next" : "prev"}]`;
  inbox.querySelector(where)?.click();
}

/**
 * The row that waits next, after this one or from the beginning.
 * @param {HTMLElement} from
 */
function nextWaiting(from) {
  const every = rows();
  const at = every.indexOf(from);
  return [...every.slice(at + 1), ...every.slice(0, Math.max(0, at))].find((row) => row !== from && isWaiting(row));
}

/**
 * Send an action about rows; the server's answer changes them, the counts, and says what was done.
 * @param {string} name
 * @param {HTMLElement[]} picked
 * @param {string} [item] the open item whose thread changes along
 */
export async function act(name, picked, item = settledItem()) {
  if (!picked.length) return;
  await load();
  const values = {
    act: name,
    pick: picked.map((row) => row.dataset.row),
    key: document.querySelector("#picks-key input").value,
    open: item,
  };
  await window.htmx.ajax("POST", inbox.dataset.act, { source: picked[0], swap: "none", values }).catch(() => {});
}

/**
 * Resolve a row and go on to the one that waits next, without waiting for the answer.
 * @param {HTMLElement} row
 */
export async function resolve(row) {
  const isOpen = row === current();
  const next = nextWaiting(row);
  const sent =
    "comment" in row.dataset && row.dataset.state !== "resolved"
      ? act("resolve", [row], next && isOpen ? "" : settledItem())
      : null;
  const before = row.dataset.state;
  if (sent) row.dataset.state = "resolving";
  if (next && isOpen) open(next);
  else if (next) focus(next);
  await sent;
  if (row.isConnected && row.dataset.state === "resolving") row.dataset.state = before; // it was not: it waits again
  if (!next && inbox.querySelector(".inbox__pages a")) location.assign(listAddress());
}

/** The first page of this list, which holds what is left of it. */
function listAddress() {
  const query = new URLSearchParams(location.search);
  query.delete("page");
  const list = new URL(inbox.dataset.act, location.href);
  list.pathname = list.pathname.replace(/act\/$/, "");
  return list.pathname + (query.size ? `?${query}` : "");
}

inbox.addEventListener("click", (event) => {
  const target = event.target;
  const link = target.closest(".inbox-row__link");
  if (link && isWide() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    open(link.closest("[data-row]"));
    return;
  }
  const button = target.closest("[data-do]");
  const row = current();
  if (!button || !row || !isWide()) return;
  event.preventDefault();
  if (button.dataset.do === "resolve") resolve(row);
  else act(button.dataset.do, [row]);
});

// After a reply the server opens the next row: the list follows it.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "thread") {
    mark(marked); // rows that changed came without the mark
    return;
  }
  const item = openItem();
  history.replaceState(history.state, "", document.getElementById("thread").dataset.address ?? listAddress());
  const row = rows().find((one) => one.dataset.row === item);
  if (row && row !== current()) {
    mark(item);
    if (isWide()) focus(row);
  } else if (row && isWide() && document.activeElement?.closest("#thread")) focus(row);
  if (!row && item && isWide()) location.replace(document.getElementById("thread").dataset.address);
  if (!isWide()) document.getElementById("thread").scrollIntoView();
});

const first = rows()[0];
if (isWide() && first && !openItem()) open(first, { quiet: true });
