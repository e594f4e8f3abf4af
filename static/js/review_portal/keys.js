// @ts-check
// The keyboard. Single letters can be switched off; nothing is taken in fields, dialogs, while composing, or with
// modifiers.
import { find, isField, isPlain } from "../keyboard.js";
import { act } from "./actions.js";
import { announce } from "./announce.js";
import { keep, setting } from "./store.js";
import { say } from "./words.js";

/** @type {Record<string, string>} */
const KEYS = {
  " ": "play",
  "<": "slower",
  ">": "faster",
  ",": "frame-back",
  ".": "frame-forward",
  n: "next",
  p: "previous",
  c: "comment",
  d: "draw",
  g: "transcript",
  r: "reply",
  e: "edit",
  x: "resolve",
  i: "in",
  o: "out",
  u: "clear",
  m: "mute",
  t: "captions",
  f: "full",
  "shift+k": "normal-speed",
  "shift+x": "resolve-next",
  ArrowLeft: "back",
  ArrowRight: "forward",
  "shift+ArrowLeft": "second-back",
  "shift+ArrowRight": "second-forward",
  Home: "start",
  End: "end",
};
/** @type {Record<string, string>} */
const WITH_ALT = { k: "play", j: "back", l: "forward" };
/** @param {Element} element */
const presses = (element) => element.matches?.("a, button, summary, input, [role=button]");

/** @param {Heard<KeyboardEvent>} event */
function typing(event) {
  const form = event.target.closest("form");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form?.matches("[data-composer]"))
    form.requestSubmit();
  else if (event.key === "Escape" && event.target.matches("textarea, input")) leave(event.target);
  else if (event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState("AltGraph")) {
    const name = find(event, (known) => WITH_ALT[known]);
    if (!name) return;
    act(WITH_ALT[name]);
  } else return;
  event.preventDefault();
}

// J, K and L: their module comes with the first of them, and takes what was pressed meanwhile in its order.
let stops = "";
/** @type {Promise<typeof import("./shuttle.js")> | null} */
let coming = null;

/**
 * @param {string} key
 * @param {KeyboardEvent} event
 */
function shuttle(key, { code, repeat }) {
  const isHeld = Boolean(stops);
  if (key === "k") stops = code;
  coming ??= import("./shuttle.js");
  coming.then(
    ({ press }) => press(key, { held: isHeld, repeat }),
    () => {
      coming = null;
    },
  );
}

/** @param {{ code?: string }} options */
const released = ({ code }) => {
  if (!code || code === stops) stops = "";
};

/**
 * Out of the box; what is written stays in it.
 * @param {HTMLElement} field
 */
function leave(field) {
  const home = field.closest(".thread") ?? document.getElementById("main");
  if (home.tabIndex < 0) home.tabIndex = -1;
  field.blur();
  home.focus({ preventScroll: true });
}

/** @param {Heard<KeyboardEvent>} event */
function pressed(event) {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
  if (document.querySelector("dialog[open]")) return;
  if (isField(event.target)) {
    typing(event);
    return;
  }
  if (event.key === "Escape") {
    event.target.closest?.("details.menu[open]")?.removeAttribute("open");
    return;
  }
  if (!isPlain(event) || !setting("keys")) return;
  const key = find(event, (name) => KEYS[name] || /^[?/0-9jkl]$/.test(name));
  if (!key || (key === " " && presses(event.target))) return;
  if (/Arrow|Home|End/.test(key) && event.target.closest?.("input, .markers, .marker-peek")) return;
  if (key === "?") document.getElementById("keys").showModal();
  else if (key === "/") document.getElementById("q")?.focus();
  else if (/^[0-9]$/.test(key)) act(`tenth-${key}`);
  else if (/^[jkl]$/.test(key)) shuttle(key, event);
  else act(KEYS[key]);
  event.preventDefault();
}

export function start() {
  document.addEventListener("keydown", pressed);
  document.addEventListener("keyup", released);
  addEventListener("blur", () => released({}));
  for (const box of document.querySelectorAll("[data-setting]")) {
    box.checked = setting(box.dataset.setting);
    box.addEventListener("change", () => {
      keep(box.dataset.setting, box.checked);
      if (box.dataset.setting === "keys") announce(say(box.checked ? "keysOn" : "keysOff"));
    });
  }
}
