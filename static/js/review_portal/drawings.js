// @ts-check
// Brings what drawing needs when it is needed: the tools when somebody begins, the strip when a form has a drawing, the
// picture over the video when there is one to show. None of it is loaded before.
import { isPlain, names } from "../keyboard.js";
import { register } from "./actions.js";
import { announce, toast } from "./announce.js";
import { format, parse } from "./clock.js";
import { player } from "./player.js";
import { keep, setting } from "./store.js";
import { fill, say } from "./words.js";

const room = { announce, fill, format, isPlain, keep, names, parse, player, say, setting, toast };

/**
 * @param {Promise<any>} part
 * @param {(part: any) => unknown} act
 */
async function bring(part, act) {
  try {
    const loaded = await part;
    loaded.enter(room);
    await act(loaded);
  } catch (error) {
    toast(say("noTools"));
    if (navigator.onLine) reportError(error);
  }
}

/** @param {HTMLElement} [button] */
function draw(button = document.querySelector("[data-draw]")) {
  if (button) bring(import("./draw.js"), (part) => part.toggle(button.closest("form")));
}

function look() {
  const drawn = [...document.querySelectorAll("input[name=drawing]")].some(({ value }) => value);
  if (drawn || document.querySelector(".attached")) bring(import("./attached.js"), (part) => part.show());
  if (drawn || document.querySelector("#threads .still, .stage > .drawing"))
    bring(import("./overlay.js"), (part) => part.show());
}

export function start() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-draw]");
    if (button) draw(button);
  });
  document.addEventListener("room:drawing", look);
  document.addEventListener("room:live", look);
  register({ draw: () => draw() });
  look();
}
