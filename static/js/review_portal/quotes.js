// @ts-check
// Words that a comment is about: chosen row by row, and written at the beginning of the comment with their range, where
// they can be read and changed like everything else that is sent.
import { room } from "./given.js";
import { list, number, panel, rows } from "./sentences.js";

const MOST = 220; // characters: the words about them need room
/** @type {{ from: number, to: number } | null} */
let chosen = null; // the first and the last row
let anchor = 0;
let written = "";

const field = () => document.querySelector('[data-draft="main"]')?.elements.text;
/** @param {number} n */
const isChosen = (n) => chosen !== null && chosen.from <= n && n <= chosen.to;
const chosenRows = () => rows().filter((row) => isChosen(number(row)));

function quote() {
  const own = chosenRows();
  let words = own.map((row) => row.querySelector(".sentence__words").textContent.trim()).join(" ");
  for (const [wrong, right] of room.table("repairs")) words = words.replaceAll(wrong, right);
  if (words.length > MOST) words = `${words.slice(0, MOST - 1).trimEnd()}…`;
  const from = Math.floor(Number(own[0].dataset.from));
  const last = Math.max(Math.ceil(Math.max(...own.map((row) => Number(row.dataset.to)))), from + 1);
  const to = room.player.length ? Math.min(last, room.player.length) : last;
  return { from, text: `${to > from ? `${room.format(from)}-${room.format(to)} ` : ""}“${words}”\n` };
}

/** @param {boolean} focus */
function write(focus) {
  const box = field();
  const rest = written && box.value.startsWith(written) ? box.value.slice(written.length) : box.value;
  const { from, text } = chosen ? quote() : { from: undefined, text: "" };
  written = text;
  box.value = "";
  if (chosen && room.setting("pause") && !room.player.paused) room.player.pause();
  room.put({ text: text + rest, time: from }, { focus });
  if (focus) box.setSelectionRange(text.length, text.length);
  show();
}

// Each row says whether it is chosen, and what its button does.
export function show() {
  if (!list()) return;
  const { remove } = list().dataset;
  for (const row of rows()) {
    const on = isChosen(number(row));
    row.classList.toggle("sentence--picked", on);
    const button = row.querySelector("[data-quote]");
    if (!button || button.getAttribute("aria-pressed") === String(on)) continue;
    const [use, name] = [button.querySelector("use"), button.querySelector("span")];
    name.dataset.add ??= name.textContent;
    const time = row.querySelector(".sentence__time").textContent;
    name.textContent = on ? room.fill(remove, { time }) : name.dataset.add;
    use.setAttribute("href", use.getAttribute("href").replace(/#.*/, on ? "#i-x" : "#i-quote"));
    button.setAttribute("aria-pressed", String(on));
  }
}

// Links without script, buttons with it.
export function equip() {
  for (const link of panel()?.querySelectorAll("a[data-quote]") ?? []) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: link.className });
    button.dataset.quote = "";
    button.append(...link.childNodes);
    link.replaceWith(button);
  }
  show();
}

/** @param {number} n */
function pick(n) {
  const isOff = isChosen(n);
  chosen = isOff ? null : { from: n, to: n };
  anchor = n;
  write(!isOff);
}

/**
 * From the first that was chosen to this one.
 * @param {number} n
 */
function stretch(n) {
  if (!chosen) anchor = n;
  chosen = { from: Math.min(anchor, n), to: Math.max(anchor, n) };
  const known = chosenRows().map(number);
  chosen = { from: known[0], to: /** @type {number} */ (known.at(-1)) };
  write(false);
}

/** @param {Heard<MouseEvent>} event */
function clicked(event) {
  const row = event.target.closest?.(".sentence");
  const isButton = Boolean(event.target.closest?.("[data-quote]"));
  if (!row || event.button || !field() || event.ctrlKey || event.metaKey) return;
  if (event.shiftKey && (isButton || event.target.closest(".sentence__link"))) stretch(number(row));
  else if (isButton) pick(number(row));
  else return;
  event.preventDefault();
}

/** @param {Heard<KeyboardEvent>} event */
function pressed(event) {
  const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const row = event.target.closest?.(".sentence");
  if (!way || !event.shiftKey || !row || !field()) return;
  event.preventDefault();
  if (!chosen) {
    chosen = { from: number(row), to: number(row) };
    anchor = number(row);
  }
  const next = /** @type {HTMLElement | null} */ (way > 0 ? row.nextElementSibling : row.previousElementSibling);
  if (!next) return;
  stretch(number(next));
  next.querySelector("[data-quote]")?.focus();
}

// Sent, or rewritten by hand: nothing is chosen any more.
function forget() {
  if (!chosen || field()?.value.startsWith(written)) return;
  chosen = null;
  written = "";
  show();
}

export function start() {
  document.addEventListener("click", clicked, { capture: true });
  document.addEventListener("keydown", pressed, { capture: true });
  document.addEventListener("room:rows", equip);
  for (const name of ["input", "room:live", "room:emptied"]) document.addEventListener(name, forget);
}
