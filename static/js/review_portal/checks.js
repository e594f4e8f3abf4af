// @ts-check
// The list of what was open on the cut before: counts what is chosen, keeps it until it is saved, takes Y and Shift+Y.
import { find, isField, isPlain } from "../keyboard.js";
import "./stay.js";
import { drop, get, set, setting } from "./store.js";
import { count, fill } from "./words.js";

const form = document.querySelector("[data-checks]");
/** @type {Record<string, string>} */
const KINDS = { fixed: "resolved", not: "open", "": "none" };

/** @returns {HTMLElement[]} */
const rows = () => [...(form?.querySelectorAll(".check") ?? [])];
/** @param {HTMLElement} row */
const asked = (row) => row.querySelector("input[type=hidden][name^='was-']");
/** @param {HTMLElement} row */
const chosen = (row) => row.querySelector("input[type=radio]:checked")?.value ?? "";

/** @param {HTMLElement} row */
function show(row) {
  const radio = row.querySelector("input[type=radio]:checked");
  if (!radio) return;
  const kind = KINDS[radio.value];
  row.classList.remove("is-none", "is-open", "is-resolved");
  row.classList.add(`is-${kind}`);
  row.querySelector("[data-state]").textContent = radio.dataset.word;
  const use = row.querySelector(".timecode use");
  use?.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#s-${kind === "none" ? "draft" : kind}`));
}

function sum() {
  const all = rows();
  const states = all.map((row) => (asked(row) ? chosen(row) : "not"));
  const added = all.filter((row) => asked(row) && chosen(row) === "not" && asked(row).value !== "not").length;
  const values = {
    fixed: states.filter((state) => state === "fixed").length,
    open: states.filter((state) => state === "not").length,
    left: states.filter((state) => !state).length,
  };
  const text = document.querySelector("[data-summary-text]");
  const save = document.querySelector("[data-save]");
  if (text) text.textContent = fill(form.dataset.summary, values);
  if (save) save.textContent = added ? count(form.dataset.one, form.dataset.many, added) : form.dataset.plain;
}

function keep() {
  const choices = Object.fromEntries(
    rows().flatMap((row) => {
      const was = asked(row);
      return was && chosen(row) !== was.value ? [[was.name, { was: was.value, choice: chosen(row) }]] : [];
    }),
  );
  if (Object.keys(choices).length) set("checks", choices);
  else drop("checks");
}

function restore() {
  const kept = get("checks") ?? {};
  for (const row of rows()) {
    const was = asked(row);
    const before = was && kept[was.name];
    if (!before || before.was !== was.value || chosen(row) !== was.value) continue;
    const radio = row.querySelector(`input[type=radio][value="${CSS.escape(before.choice)}"]`);
    if (radio) radio.checked = true;
  }
}

/** @param {HTMLElement} row */
function go(row) {
  for (const other of rows()) other.toggleAttribute("data-now", other === row);
  (row.querySelector("input[type=radio]") ?? row.querySelector("a")).focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

// The row that keys are about: the one with the focus, else the one that is marked, else the first without an answer.
const current = () =>
  rows().find((row) => row.contains(document.activeElement)) ??
  rows().find((row) => "now" in row.dataset) ??
  rows().find((row) => asked(row) && !chosen(row));

/**
 * Answer the current comment and go on to the next one without an answer.
 * @param {string} value
 */
function answer(value) {
  const row = current();
  const radio = row?.querySelector(`input[type=radio][value="${value}"]`);
  if (!radio) return;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  const all = rows();
  const after = [...all.slice(all.indexOf(row) + 1), ...all.slice(0, all.indexOf(row))];
  go(after.find((other) => asked(other) && !chosen(other)) ?? row);
}

/** @param {Heard<KeyboardEvent>} event */
function pressed(event) {
  if (!setting("keys") || !isPlain(event) || isField(event.target) || document.querySelector("dialog[open]")) return;
  const name = find(event, (known) => ["y", "shift+y"].includes(known));
  if (!name) return;
  answer(name === "y" ? "fixed" : "not");
  event.preventDefault();
}

/** @param {(seconds: number) => void} seek */
export function start(seek) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-seconds]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    seek(Number(link.dataset.seconds));
    const row = link.closest(".check");
    if (row) for (const other of rows()) other.toggleAttribute("data-now", other === row);
  });
  if (!form) return;
  if (new URLSearchParams(location.search).has("saved")) drop("checks");
  restore();
  rows().forEach(show);
  sum();
  form.addEventListener("change", (event) => {
    show(event.target.closest(".check"));
    sum();
    keep();
  });
  document.addEventListener("keydown", pressed);
}
