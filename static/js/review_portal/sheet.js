// @ts-check
// The list of keys on pages beside the room, and its switch for single keys, which turns "?" off as well.
import { isField, isPlain, names } from "../keyboard.js";
import { keep, setting } from "./store.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
const single = /** @type {HTMLInputElement} */ (sheet.querySelector("[data-setting]"));
single.checked = setting("keys");
single.addEventListener("change", () => keep("keys", single.checked));

document.addEventListener("keydown", (event) => {
  if (!setting("keys") || !isPlain(event) || !names(event).includes("?")) return;
  if (isField(event.target) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  sheet.showModal();
});
