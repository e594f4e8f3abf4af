// @ts-check
// J, K and L as at an editing desk: back, stop, forward, and faster with every press; while K is held, J and L are
// single frames. Loaded with the first of these keys. Browsers play no film backwards, so going back is many small
// seeks.
import { announce } from "./announce.js";
import { player } from "./player.js";
import { setting } from "./store.js";
import { say } from "./words.js";

const SPEEDS = [1, 2, 4, 8];
const EVERY = 120; // milliseconds between two seeks: what a browser shows of a film that it has loaded
let speed = 0; // backwards is below nought
/** @type {number | undefined} */
let timer;

/**
 * One press: `held` says that K is down, `repeat` that the key is being held itself.
 * @param {string} key
 * @param {{ held: boolean, repeat: boolean }} options
 */
export function press(key, { held, repeat }) {
  if (key === "k") return stop();
  const way = key === "l" ? 1 : -1;
  if (held) return player.step(way);
  if (!repeat) run(way * faster(way));
  return undefined;
}

/** @param {number} way */
function faster(way) {
  const now = speed || (player.paused ? 0 : 1);
  return Math.sign(now) === way ? (SPEEDS[SPEEDS.indexOf(Math.abs(now)) + 1] ?? SPEEDS.at(-1)) : SPEEDS[0];
}

/** @param {number} rate */
function run(rate) {
  clearInterval(timer);
  speed = rate;
  if (rate > 0) {
    player.speed = rate;
    player.play();
  } else {
    player.pause();
    let before = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      back((now - before) / 1000);
      before = now;
    }, EVERY);
  }
  announce(say(rate > 0 ? "speed" : "backwards", { n: Math.abs(rate) }));
}

/** @param {number} seconds */
function back(seconds) {
  const to = player.time + speed * seconds;
  player.seek(to);
  if (to <= 0) stop();
}

function stop() {
  player.pause();
  settle();
}

function settle() {
  clearInterval(timer);
  speed = 0;
  if (player.speed !== setting("speed")) player.speed = setting("speed");
}

// Whoever plays or pauses in another way has ended it.
player.addEventListener("state", () => {
  if ((speed < 0 && !player.paused) || (speed > 0 && player.paused)) settle();
});
