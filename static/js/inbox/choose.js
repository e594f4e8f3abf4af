// @ts-check
// Several rows at once: what can be done with them appears with the first that is selected, and says with how many.
import { act, inbox, settledItem } from "./rows.js";

const form = () => inbox.querySelector("[data-picks]");
export const picked = () =>
  [...inbox.querySelectorAll("[data-row] input:checked")].map((box) => box.closest("[data-row]"));
/**
 * Which rows are selected: one that the server brings anew, because it was read, comes without its tick.
 * @type {Set<string>}
 */
let selected = new Set();
const remember = () => {
  selected = new Set(picked().map((row) => row.dataset.row));
};

/** @type {Record<string, (row: HTMLElement) => boolean>} */
const APPLIES = {
  resolve: (row) => "comment" in row.dataset && row.dataset.state !== "resolved",
  reopen: (row) => row.dataset.state === "resolved",
  read: (row) => row.classList.contains("inbox-row--unread"),
};

function tell() {
  const bar = inbox.querySelector("[data-bulk]");
  if (!bar) return;
  const rows = picked();
  bar.hidden = rows.length === 0;
  const words = bar.querySelector("b");
  words.textContent = rows.length === 1 ? words.dataset.one : words.dataset.many.replace("#", String(rows.length));
  for (const button of bar.querySelectorAll("[data-counts]")) {
    const count = rows.filter(APPLIES[button.getAttribute("value")]).length;
    button.textContent = `${button.dataset.counts} ${count}`;
    button.hidden = count === 0;
  }
}

/** @param {HTMLElement} row */
export function toggle(row) {
  row.querySelector("input[type=checkbox]").click();
}

/**
 * The same action for everything that is selected; false where nothing is.
 * @param {string} name
 */
export function actOnPicked(name) {
  const rows = picked();
  selected.clear();
  if (rows.length) act(name, rows);
  return rows.length > 0;
}

function restore() {
  for (const row of inbox.querySelectorAll("[data-row]")) {
    const box = row.querySelector("input[type=checkbox]");
    if (box && selected.has(row.dataset.row)) box.checked = true;
  }
  tell();
}

inbox.addEventListener("change", () => {
  remember();
  tell();
});
inbox.addEventListener("reset", () =>
  setTimeout(() => {
    remember();
    tell();
  }),
);
inbox.addEventListener("submit", (event) => {
  selected.clear();
  if (event.target === form()) form().querySelector("[name=open]").setAttribute("value", settledItem());
});
// At the swap itself: a key that is pressed before it has settled acts on all that is selected.
for (const name of ["htmx:oobAfterSwap", "htmx:afterSettle"]) document.addEventListener(name, restore);
addEventListener("pageshow", () => {
  remember();
  tell();
});

const none = inbox.querySelector("[data-choose-nothing]");
if (none) none.hidden = false;
tell();
