// @ts-check
// Two cuts with one transport. One of them leads, the one with the sound; the other is kept in step with it.
import "../commands.js";
import { find, isField, isPlain } from "../keyboard.js";
import "../language.js";
import "../menu.js";
import "../place.js";
import "../theme.js";
import "../toast.js";
import "../zone.js";
import "./countdown.js";
import "./sheet.js";
import { announce } from "./announce.js";
import * as checks from "./checks.js";
import { format } from "./clock.js";
import { FrameFilm, VideoFilm } from "./films.js";
import { framesApart, Pair, timecode } from "./in_step.js";
import { setting } from "./store.js";
import { count, fill } from "./words.js";

const LOOK = 80; // milliseconds between two looks at both
const SECONDS_NEAR = 0.5;
const ROOM = 40; // pixels from one marker to the next
const ROOM_TOUCHED = 56;
const root = document.querySelector("[data-compare]");
const words = root.dataset;
const known = Number(words.length);
const pair = new Pair(() => performance.now());

/** @type {HTMLElement[]} */
const panes = [...root.querySelectorAll("[data-pane]")];
/** @type {ComparedCut[]} */
const sides = panes.map((pane) => ({ pane, number: pane.dataset.pane, film: build(pane), isBroken: false }));
let leads = sides.findLastIndex((side) => side.film);

/** @param {HTMLElement} pane */
function build(pane) {
  const video = pane.querySelector("video");
  const frame = pane.querySelector("iframe");
  if (video) return new VideoFilm(video, Number(pane.dataset.rate));
  return frame ? new FrameFilm(frame) : null;
}

const alive = () => sides.filter((side) => side.film && !side.isBroken);
const leader = () => (sides[leads]?.film && !sides[leads].isBroken ? sides[leads] : alive()[0]);
const follower = () => alive().find((side) => side !== leader());
const length = () => known || Math.max(0, ...alive().map((side) => side.film.length));
const time = () => leader()?.film.time ?? 0;

// One transport

/** @param {number} seconds */
function seek(seconds) {
  const at = Math.max(0, Math.min(seconds, length() || seconds));
  leader()?.film.seek(at);
  if (follower()) pair.jump(follower().film, pair.target(at, follower().film));
  show();
}

function toggle() {
  const isOver = leader() && length() && time() >= (leader().film.length || length()) - pair.frame;
  if (!pair.playing && isOver) seek(0);
  pair.playing = !pair.playing;
  for (const side of alive()) {
    side.film.rate = pair.speed;
    if (pair.playing) side.film.play();
    else side.film.pause();
  }
  show();
}

/** @param {number} frames */
async function step(frames) {
  if (pair.playing) toggle();
  await leader()?.film.step(frames);
}

/** @param {number} frames */
function move(frames) {
  const follows = follower();
  if (!follows || !follows.film.exact) return;
  // Said of the earlier cut, whichever follows.
  pair.shift += follows === sides[0] ? frames : -frames;
  const shift = follows === sides[0] ? pair.shift : -pair.shift;
  const sign = shift > 0 ? `+${shift}` : `−${Math.abs(shift)}`;
  const text = shift ? fill(Math.abs(shift) === 1 ? words.shiftOne : words.shiftMany, { n: sign }) : words.shiftNone;
  root.querySelector("[data-shift-word]").textContent = text;
  pair.jumpedAt = -Infinity;
  announce(text);
}

// How they are shown

const wipe = root.querySelector("[data-wipe]");
const choices = root.querySelector("[data-views]");

function draw() {
  const view = choices.querySelector("input:checked").value;
  words.view = view;
  root.querySelector("[data-panes]").style.setProperty("--wipe", `${wipe.value}%`);
  const before = Number(wipe.value);
  const values = { before, after: 100 - before, b: sides[0].number, a: sides[1].number };
  wipe.setAttribute("aria-valuetext", fill(words.wipeValue, values));
}

function switchView() {
  const other = choices.querySelector("input:enabled:not(:checked)");
  if (!other) return;
  other.checked = true;
  draw();
  announce(other.parentElement.textContent.trim());
}

function listen() {
  const number = document.querySelector("[data-sound]").value;
  const place = sides.findIndex((side) => side.number === number);
  const shift = follower() === sides[0] ? pair.shift : -pair.shift;
  if (place >= 0) leads = place;
  pair.shift = follower() === sides[0] ? shift : -shift;
  for (const side of alive()) {
    side.film.sound = side.number === number;
    side.film.rate = pair.speed;
  }
}

// What is said of them

const clock = document.querySelector("[data-clock]");
const bar = document.querySelector("[data-seek]");
const played = document.querySelector("[data-played]");
const play = document.querySelector("[data-act=play]");
const sign = root.querySelector("[data-in-step-word]");

function show() {
  const at = time();
  clock.textContent = format(at);
  if (document.activeElement !== bar || pair.playing) bar.value = String(Math.floor(at));
  bar.max = String(Math.floor(length()));
  bar.setAttribute("aria-valuetext", format(at));
  played.setAttribute("width", String(length() ? Math.min(1000, (at / length()) * 1000) : 0));
  const [start, stop] = play.querySelectorAll("svg");
  start.toggleAttribute("hidden", pair.playing);
  stop.toggleAttribute("hidden", !pair.playing);
  play.querySelector("span").textContent = pair.playing ? play.dataset.pause : play.dataset.play;
  for (const side of sides.filter((one) => one.film))
    side.pane.querySelector("[data-timecode]").textContent = timecode(side.film.time, side.film.fps);
  // Links lead to the moment that is on.
  const second = Math.floor(at);
  for (const link of [...document.querySelectorAll("a[data-alone]"), document.querySelector("a[data-close]")])
    link.href = link.href.replace(/\?.*|$/, second ? `?t=${second}` : "");
  document.querySelector("[data-moment]").value = String(second);
}

/**
 * @param {string} text
 * @param {string} kind
 */
function say(text, kind) {
  const place = sign.querySelector("span");
  if (place.textContent === text) return;
  place.textContent = text;
  mark(sign, kind);
}

/** @param {{ word: string, drift: number, late: Film | null }} state */
function tell({ word, drift, late }) {
  if (word === "wait") {
    say(fill(words.waiting, { n: sides.find((side) => side.film === late).number }), "none");
    return;
  }
  if (!leader().film.exact || !follower().film.exact) {
    const isNear = Math.abs(drift) <= SECONDS_NEAR;
    say(
      isNear ? words.inStep : fill(words.secondsApart, { n: Math.abs(drift).toFixed(1) }),
      isNear ? "resolved" : "open",
    );
    return;
  }
  const apart = framesApart(drift, pair.frame);
  say(apart ? count(words.apartOne, words.apartMany, apart) : words.inStep, apart ? "open" : "resolved");
}

function learnRates() {
  const rates = alive()
    .map((side) => side.film.fps)
    .filter(Boolean);
  if (rates.length) pair.frame = 1 / Math.min(...rates);
  const [first, second] = sides.map((side) => side.film?.fps ?? 0);
  const box = root.querySelector("[data-notices]");
  if (!first || !second || first === second || box.querySelector("[data-differ]")) return;
  box.append(notice(fill(words.rates, { before: first, after: second }), "differ"));
}

/**
 * @param {string} text
 * @param {string} name
 */
function notice(text, name) {
  const element = Object.assign(document.createElement("div"), { className: "notice notice--warning" });
  element.dataset[name] = "";
  element.setAttribute("role", "status");
  element.append(document.createElement("span"), Object.assign(document.createElement("p"), { textContent: text }));
  return element;
}

// A cut that does not load never takes the other one with it.

/** @param {ComparedCut} side */
function lose(side) {
  if (side.isBroken) return;
  side.isBroken = true;
  const other = sides.find((one) => one !== side);
  const box = side.pane.querySelector("[data-broken]");
  box.hidden = false;
  box.querySelector("p").textContent = fill(words.broken, { n: side.number, other: other.number });
  if (pair.playing && leader()?.film.paused) leader().film.play();
  show();
}

/** @param {ComparedCut} side */
function retry(side) {
  side.film.retry(time()); // where the other one is
  side.isBroken = false;
  side.pane.querySelector("[data-broken]").hidden = true;
  listen();
}

function look() {
  const [first, second] = [leader(), follower()];
  learnRates();
  if (first && second) tell(pair.tick(first.film, second.film));
  else if (first) say(fill(words.alone, { n: first.number }), "none");
  if (pair.playing && first && pair.isOver(first.film, first.film)) {
    pair.playing = false;
    for (const side of alive()) side.film.pause();
  }
  if (pair.playing) show();
}

/** @type {Record<string, () => void>} */
const acts = {
  play: toggle,
  back: () => seek(time() - 5),
  forward: () => seek(time() + 5),
  "second-back": () => seek(time() - 1),
  "second-forward": () => seek(time() + 1),
  "frame-back": () => step(-1),
  "frame-forward": () => step(1),
  start: () => seek(0),
  end: () => seek(length()),
  later: () => move(1),
  earlier: () => move(-1),
  view: switchView,
  full: () =>
    document.fullscreenElement ? document.exitFullscreen() : document.getElementById("player").requestFullscreen?.(),
  mute: () => {
    const select = document.querySelector("[data-sound]");
    select.value = select.value === "0" ? sides[leads].number : "0";
    listen();
  },
};
/** @type {Record<string, string>} */
const keys = {
  " ": "play",
  k: "play",
  ",": "frame-back",
  ".": "frame-forward",
  "[": "earlier",
  "]": "later",
  w: "view",
  f: "full",
  m: "mute",
  ArrowLeft: "back",
  ArrowRight: "forward",
  "shift+ArrowLeft": "second-back",
  "shift+ArrowRight": "second-forward",
  Home: "start",
  End: "end",
};

/** @param {Heard<KeyboardEvent>} event */
function pressed(event) {
  const { target } = event;
  if (!setting("keys") || !isPlain(event) || isField(target) || document.querySelector("dialog[open]")) return;
  const name = find(event, (key) => keys[key]);
  if (!name || (name === " " && target.matches("a, button, summary, input"))) return;
  if (/Arrow|Home|End/.test(name) && target.matches("input, .marker")) return;
  acts[keys[name]]();
  event.preventDefault();
}

// Markers that would overlap are one, with their number. One tab stop for all; arrows move inside.
const lane = document.querySelector(".markers");
const markers = [...lane.querySelectorAll(".marker")];

/**
 * @param {Element} element
 * @param {string} kind
 */
function mark(element, kind) {
  element.classList.remove("is-none", "is-open", "is-resolved");
  element.classList.add(`is-${kind}`);
  const use = element.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#s-${kind === "none" ? "draft" : kind}`));
}

function group() {
  const width = lane.clientWidth;
  const least = matchMedia("(pointer: coarse)").matches ? ROOM_TOUCHED : ROOM;
  let [last, members] = [-Infinity, 0];
  /** @type {Marker | undefined} */
  let first;
  for (const marker of markers) {
    const at = (parseFloat(marker.dataset.at) / 100) * width;
    const joins = at - last < least;
    marker.parentElement.hidden = joins;
    members = joins ? members + 1 : 1;
    if (!joins) [first, last] = [marker, at];
    first.classList.toggle("marker--group", members > 1);
    if (joins && marker.classList.contains("is-open")) mark(first, "open"); // open if one inside is open
    first.querySelector("[data-count]").textContent = members > 1 ? String(members) : "";
  }
}

/** @param {KeyboardEvent} event */
function walk({ key }) {
  const shown = markers.filter((marker) => !marker.parentElement.hidden);
  const place = shown.findIndex((marker) => marker === document.activeElement);
  const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: shown.length - 1 }[key];
  if (!shown[to]) return;
  for (const marker of markers) marker.tabIndex = marker === shown[to] ? 0 : -1;
  shown[to].focus();
}

for (const [place, marker] of markers.entries()) marker.tabIndex = place ? -1 : 0;
lane.addEventListener("keydown", walk);
new ResizeObserver(group).observe(lane);

for (const side of sides) {
  side.film?.addEventListener("broken", () => lose(side));
  side.film?.addEventListener("silent", () => lose(side));
  side.film?.addEventListener("change", show);
  side.pane.querySelector("[data-retry]").addEventListener("click", () => retry(side));
  side.pane.querySelector("video")?.addEventListener("click", toggle);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-act], [data-shift]");
  if (button?.dataset.act) acts[button.dataset.act]();
  else if (button) move(Number(button.dataset.shift));
});
document.addEventListener("keydown", pressed);
bar.addEventListener("input", () => seek(Number(bar.value)));
wipe.addEventListener("input", draw);
choices.addEventListener("change", draw);
document.querySelector("[data-sound]").addEventListener("change", listen);
document.querySelector("[data-speed]").addEventListener("change", (event) => {
  pair.speed = Number(event.target.value);
  for (const side of alive()) side.film.rate = pair.speed;
});
document.querySelector("[data-other] select").addEventListener("change", ({ target }) => target.form.requestSubmit());

checks.start(seek);
listen();
draw();
seek(Number(words.start));
setInterval(look, LOOK);
