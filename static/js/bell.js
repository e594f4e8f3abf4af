// @ts-check
// Browser notices: asked for by a press, then shown when the bell counts something new while the tab is hidden. And the
// count in the title of a hidden tab.
import { load } from "./htmx.js";

const ALLOWED = "notices";
const COUNT_AFTER = 20_000; // milliseconds until a page that loads no htmx by itself counts what is new
const title = document.title;
const counted = () => Number(document.getElementById("bell-count")?.dataset.new ?? 0);
let last = counted();

const isOn = () =>
  "Notification" in window && Notification.permission === "granted" && localStorage.getItem(ALLOWED) === "on";

document.addEventListener("htmx:afterSwap", () => {
  const now = counted();
  if (now === last) return;
  const words = document.getElementById("bell-count")?.textContent.trim();
  if (document.hidden) document.title = now ? `(${now}) ${title}` : title;
  if (now > last && document.hidden && isOn()) {
    const shown = new Notification("Reelroom", { body: words, tag: ALLOWED });
    shown.addEventListener("click", () => window.focus());
  }
  last = now;
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = title;
});

const bell = document.querySelector(".bell");
if (bell) {
  const prepare = () => load().catch(() => {});
  for (const sign of ["pointerenter", "focusin"]) bell.addEventListener(sign, prepare, { once: true });
  setTimeout(prepare, COUNT_AFTER);
}

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-notify]"));

/** @param {HTMLButtonElement} ask */
function show(ask) {
  ask.hidden = !("Notification" in window);
  const state = ask.hidden ? "" : isOn() ? "on" : Notification.permission === "denied" ? "denied" : "";
  if (!state) return;
  ask.disabled = true;
  ask.querySelector("span").textContent = ask.dataset[state];
}

if (button) {
  show(button);
  button.addEventListener("click", async () => {
    if ((await Notification.requestPermission()) === "granted") localStorage.setItem(ALLOWED, "on");
    show(button);
  });
}
