// @ts-check
// The list of keys on pages beside the room, and its switch for single keys, which turns "?" off as well.
import { keep, setting } from "./store.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
const single = /** @type {HTMLInputElement} */ (sheet.querySelector("[data-setting]"));
single.checked = setting("keys");
single.addEventListener("change", () => keep("keys", single.checked));

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !setting("keys") || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (/** @type {Element} */ (event.target).matches("textarea, select, input:not([type=radio], [type=range])")) return;
  event.preventDefault();
  sheet.showModal();
});
