// @ts-check
// What was watched, in whole seconds, kept in this browser only; and where the picture was left.
import { player } from "./player.js";
import { get, set } from "./store.js";

const seconds = new Set();
for (const [from, to] of get("watched") ?? []) for (let at = from; at < to; at++) seconds.add(at);
let last = -1;
let dirty = false;

// Runs of watched seconds: [[0, 12], [40, 61]], the ends not included.
export function runs() {
  /** @type {[number, number][]} */
  const spans = [];
  for (const at of [...seconds].sort((a, b) => a - b)) {
    const run = spans.at(-1);
    if (run && run[1] === at) run[1] = at + 1;
    else spans.push([at, at + 1]);
  }
  return spans;
}

export const share = () => (player.length ? Math.min(1, seconds.size / player.length) : 0);

/**
 * The first second after `from` that was never watched, or -1.
 * @param {number} [from]
 */
export function unseen(from = 0) {
  for (let at = from; at < player.length; at++) if (!seconds.has(at)) return at;
  return -1;
}

export function save() {
  if (!dirty) return;
  dirty = false;
  set("watched", runs());
  set("position", player.second);
}

player.addEventListener("time", () => {
  const at = player.second;
  dirty = true;
  if (!player.paused && at !== last && at - last <= 3 && (!player.length || at < player.length)) seconds.add(at);
  last = at;
});
setInterval(save, 3000);
addEventListener("pagehide", save);
document.addEventListener("visibilitychange", save);
