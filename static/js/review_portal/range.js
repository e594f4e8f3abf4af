// @ts-check
// A range on the bar: in, out, loop. A comment can be looped too: from two seconds before to three after. A range that
// somebody sets belongs to the comment in the box (composer.js); that of a loop does not.
import { register } from "./actions.js";
import { format } from "./clock.js";
import { player } from "./player.js";
import { say } from "./words.js";

// In seconds, null where it is open.
class Range extends EventTarget {
  /** @type {number | null} */
  from = null;
  /** @type {number | null} */
  to = null;
  loops = false;
  own = false;
}
export const range = new Range();

const label = document.querySelector("[data-range]");
const loop = document.querySelector("[data-do=loop]");
const clear = document.querySelector("[data-do=clear]");
const span = document.querySelector("[data-span]");

export const spans = () => range.from !== null && range.to !== null && range.to > range.from;
export const text = () => `${format(range.from)}-${format(range.to)}`;

/**
 * @param {HTMLElement} element
 * @param {number} from
 * @param {number} to
 */
function place(element, from, to) {
  /** @param {number} at */
  const percent = (at) => `${Math.min(100, (at / player.length) * 100)}%`;
  element.style.setProperty("--at", percent(from));
  element.style.setProperty("--to", percent(to));
}

function show() {
  const any = range.from !== null || range.to !== null;
  label.hidden = clear.hidden = !any;
  loop.hidden = !spans();
  if (!spans()) range.loops = false;
  loop.setAttribute("aria-pressed", String(range.loops));
  /** @param {number | null} at */
  const timeText = (at) => (at === null ? "…" : format(at));
  label.textContent = say("range", { from: timeText(range.from), to: timeText(range.to) });
  span.hidden = !any || !player.length;
  if (!span.hidden) place(span, range.from ?? 0, range.to ?? range.from ?? 0);
  range.dispatchEvent(new Event("change"));
}

/**
 * @param {number | null} from
 * @param {number | null} to
 * @param {{ loops?: boolean, own?: boolean }} [options]
 */
export function set(from, to, { loops = range.loops, own = true } = {}) {
  Object.assign(range, { from, to, loops, own });
  show();
}

/** @returns {{ from: number | null, to: number | null }} */
const own = () => (range.own ? range : { from: null, to: null });

/**
 * @param {number} from
 * @param {number} to
 */
export function loopAround(from, to) {
  set(Math.max(0, from - 2), Math.min(player.length || Infinity, Math.max(to, from) + 3), { loops: true, own: false });
  player.seek(range.from);
  player.play();
}

if (label) {
  register({
    in: () => {
      const { from, to } = own();
      set(from === player.second ? null : player.second, to > player.second ? to : null);
    },
    out: () => {
      const { from } = own();
      set(from !== null && from < player.second ? from : null, player.second);
    },
    loop: () => set(range.from, range.to, { loops: !range.loops, own: range.own }),
    clear: () => set(null, null),
  });
  player.addEventListener("time", () => {
    if (range.loops && !player.paused && (player.time >= range.to || player.time < range.from - 0.5))
      player.seek(range.from);
  });
}
