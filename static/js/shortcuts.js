// @ts-check
// Single keys for links that carry one (data-key). One switch turns them off and is remembered; they never act in
// fields, in dialogs, while composing, on a focused chart, or together with Ctrl, Alt or Meta.
import { isField, isPlain, names } from "./keyboard.js";

const KEPT = "single-keys";

function on() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

for (const box of document.querySelectorAll("[data-single-keys]")) {
  box.checked = on();
  box.addEventListener("change", () => {
    for (const other of document.querySelectorAll("[data-single-keys]")) other.checked = box.checked;
    try {
      localStorage.setItem(KEPT, box.checked ? "on" : "off");
    } catch {
      // Private windows forget it: the switch then holds for this page.
    }
  });
}

// "?" shows every key of the page. It is no single letter that speech could say, so the switch does not turn it off.
const sheet = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-all-keys]"));

function show() {
  document.querySelector("[data-palette]")?.close();
  if (!document.querySelector("dialog:modal")) sheet.showModal();
}

if (sheet) {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) show();
  });
  document.addEventListener("keydown", (event) => {
    if (!isPlain(event) || !names(event).includes("?") || isField(event.target) || event.target.closest("dialog"))
      return;
    event.preventDefault();
    show();
  });
}

document.addEventListener("keydown", (event) => {
  const box = document.querySelector("[data-single-keys]");
  if (!box?.checked || !isPlain(event) || isField(event.target)) return;
  if (event.target.closest("input, dialog, [data-cursor], [data-atlas], .table-scroll")) return;
  const link = names(event)
    .map((name) => document.querySelector(`[data-key="${CSS.escape(name)}"]`))
    .find(Boolean);
  if (!link) return;
  event.preventDefault();
  link.click();
});
