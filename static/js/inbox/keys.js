// @ts-check
// The keyboard of the inbox. The switch for single keys holds here too; nothing is taken in fields, dialogs, while
// composing, or with modifiers, except what sends the reply that is being written.
import { find, isField, isPlain } from "../keyboard.js";
import { actOnPicked, toggle } from "./choose.js";
import { stepFrames, toggle as play } from "./film.js";
import { act, chosen, current, focus, inbox, open, resolve, step } from "./rows.js";

const box = () => document.getElementById("answer-text");

function reply() {
  const row = chosen();
  if (row && row !== current()) open(row);
  else box()?.focus();
}

function undo() {
  const forms = document.querySelectorAll("#inbox-undo form:not([aria-busy])");
  const last = forms[forms.length - 1];
  const shown = document.querySelector("#inbox-done button");
  if (!last) {
    shown?.click();
    return;
  }
  last.setAttribute("aria-busy", "true"); // a second press undoes what was done before
  last.addEventListener(
    "htmx:afterRequest",
    (event) => {
      if (event.detail.successful) last.remove();
      else last.removeAttribute("aria-busy");
    },
    { once: true },
  );
  last.querySelector("button").click();
}

/** @param {(row: HTMLElement) => void} does */
const withRow = (does) => {
  const row = chosen();
  if (row) does(row);
};

/** @type {Record<string, () => void>} */
const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  e: () => actOnPicked("resolve") || withRow(resolve),
  u: () => actOnPicked("unread") || withRow((row) => act("unread", [row])),
  x: () => withRow(toggle),
  r: reply,
  z: undo,
  " ": play,
  ",": () => stepFrames(-1),
  ".": () => stepFrames(1),
};

/** Keys that go on while they are held down; the others act once a press. */
const HELD = new Set(["j", "k", ",", "."]);

/** @param {KeyboardEvent} event */
function writing(event) {
  if (event.key === "Escape" && current()) {
    focus(current());
    return true;
  }
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false;
  const buttons = [...document.querySelectorAll("#answer [data-then]")];
  const wanted = event.shiftKey ? "resolve" : "";
  (buttons.find((button) => button.dataset.then === wanted) ?? buttons[0])?.click();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (target === box()) {
    if (writing(event)) event.preventDefault();
    return;
  }
  const isOn = document.querySelector("[data-single-keys]")?.checked;
  if (!isOn || !isPlain(event) || isField(target) || target.closest("input:not([type=checkbox]), video")) return;
  const key = find(event, (name) => KEYS[name]);
  if (key === " " && target.closest("button, summary, input, .inbox__bar a")) return;
  if (!key || !inbox) return;
  event.preventDefault();
  if (!event.repeat || HELD.has(key)) KEYS[key]();
});
