// @ts-check
// The keyboard. Single letters can be switched off; nothing is taken in fields, dialogs, while composing, or with
// modifiers.
import { act } from "./actions.js";
import { announce } from "./announce.js";
import { keep, setting } from "./store.js";
import { say } from "./words.js";

/** @type {Record<string, string>} */
const single = {
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
  arrowleft: "back",
  arrowright: "forward",
  home: "start",
  end: "end",
};
/** @type {Record<string, string>} */
const shifted = {
  k: "normal-speed",
  "<": "slower",
  ">": "faster",
  x: "resolve-next",
  arrowleft: "second-back",
  arrowright: "second-forward",
};
/** @param {Element} element */
const writes = (element) =>
  element.matches?.("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");
/** @param {Element} element */
const presses = (element) => element.matches?.("a, button, summary, input, [role=button]");

/** @param {Heard<KeyboardEvent>} event */
function typing(event) {
  const form = event.target.closest("form");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form?.matches("[data-composer]"))
    form.requestSubmit();
  else if (event.key === "Escape" && event.target.matches("textarea, input")) leave(event.target);
  else if (event.altKey && !event.ctrlKey && !event.metaKey) {
    const name =
      { KeyK: "play", KeyJ: "back", KeyL: "forward" }[event.code] ?? { k: "play", j: "back", l: "forward" }[event.key];
    if (!name) return;
    act(name);
  } else return;
  event.preventDefault();
}

// J, K and L: their module comes with the first of them, and takes what was pressed meanwhile in its order.
let stops = false;
/** @type {Promise<typeof import("./shuttle.js")> | null} */
let coming = null;

/**
 * @param {string} key
 * @param {boolean} repeat
 */
function shuttle(key, repeat) {
  const isHeld = stops;
  if (key === "k") stops = true;
  coming ??= import("./shuttle.js");
  coming.then(
    ({ press }) => press(key, { held: isHeld, repeat }),
    () => {
      coming = null;
    },
  );
}

/** @param {{ key?: string }} options */
const released = ({ key }) => {
  if (!key || key.toLowerCase() === "k") stops = false;
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
  if (writes(event.target)) {
    typing(event);
    return;
  }
  if (event.key === "Escape") {
    event.target.closest?.("details.menu[open]")?.removeAttribute("open");
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !setting("keys")) return;
  const key = event.key.toLowerCase();
  if (key === " " && presses(event.target)) return;
  if (["home", "end", "arrowleft", "arrowright"].includes(key) && event.target.closest?.(".markers, .marker-peek"))
    return;
  if (key === "?") document.getElementById("keys").showModal();
  else if (key === "/") document.getElementById("q")?.focus();
  else if (/^[0-9]$/.test(key)) act(`tenth-${key}`);
  else if (/^[jkl]$/.test(key) && !event.shiftKey) shuttle(key, event.repeat);
  else if ((event.shiftKey ? shifted : single)[key]) act((event.shiftKey ? shifted : single)[key]);
  else return;
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
