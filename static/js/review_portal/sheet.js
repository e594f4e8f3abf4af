// @ts-check
// The list of keys on pages beside the room, and its switch for single keys. "?" is no single letter that speech could
// say, so the switch does not turn it off.
import { keep, setting } from "./store.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
const single = /** @type {HTMLInputElement} */ (sheet.querySelector("[data-setting]"));
single.checked = setting("keys");
single.addEventListener("change", () => keep("keys", single.checked));

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (/** @type {Element} */ (event.target).matches("textarea, select, input:not([type=radio], [type=range])")) return;
  event.preventDefault();
  sheet.showModal();
});
