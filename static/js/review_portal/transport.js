// @ts-check
// The controls under the picture.
import { act, register } from "./actions.js";
import { announce } from "./announce.js";
import { format } from "./clock.js";
import { counts } from "./frames.js";
import { player } from "./player.js";
import { get, keep, setting } from "./store.js";
import { say } from "./words.js";

const bar = document.querySelector("[data-transport]");
const screen = document.documentElement; // everything of the page: the box to write in, toasts, dialogs
const big = document.querySelector(".stage__play");
/** @param {string} name */
const button = (name) => bar.querySelector(`[data-do="${name}"]`);
const STEP = 0.25;

function state() {
  const play = button("play");
  const [playing, pausing] = play.querySelectorAll("svg");
  playing.toggleAttribute("hidden", !player.paused);
  pausing.toggleAttribute("hidden", player.paused);
  play.querySelector("span").textContent = player.paused ? play.dataset.play : play.dataset.pause;
  if (big) big.hidden = !player.paused || player.kind !== "native" || player.time > 0.5;
}

function clock() {
  bar.querySelector("[data-clock]").textContent = format(player.second);
  if (big && player.time > 0.5) big.hidden = true;
}

function length() {
  bar.querySelector("[data-length-clock]").textContent = format(player.length);
}

function speed() {
  const badge = bar.querySelector("[data-speed-badge]");
  badge.hidden = player.speed === 1;
  badge.textContent = `${player.speed}×`;
  for (const select of bar.querySelectorAll("[data-speed]")) {
    select.value = String(player.speed);
    if (select.selectedIndex < 0) {
      // faster than may be chosen: shown while it lasts
      const other = new Option(`${player.speed}×`, String(player.speed), false, true);
      other.hidden = true;
      select.add(other);
    }
    select.classList.toggle("select--set", player.speed !== 1);
  }
}

/**
 * @param {number} rate
 * @param {boolean} [spoken]
 */
function turn(rate, spoken = true) {
  const allowed = Math.min(2, Math.max(0.25, rate));
  player.speed = allowed;
  keep("speed", allowed);
  if (spoken) announce(say("speed", { n: allowed }));
}

function sound() {
  const mute = button("mute");
  mute.setAttribute("aria-pressed", String(Boolean(player.muted)));
}

let lastLanguage = ""; // what was read last comes back when they are switched on again

/** @param {string} language */
function caption(language) {
  player.captions(language);
  if (language) lastLanguage = language;
  button("captions").setAttribute("aria-pressed", String(language !== ""));
  const select = bar.querySelector("[data-caption-language]");
  if (select && language) select.value = language;
}

const preferredLanguage = () => {
  const languages = player.languages();
  const preference = lastLanguage || setting("captions") || document.documentElement.lang;
  /** @param {string} code */
  const base = (code) => code.toLowerCase().split("-")[0];
  return (
    languages.find((code) => code === preference) ??
    languages.find((code) => base(code) === base(preference)) ??
    languages[0] ??
    ""
  );
};

// What this kind of player cannot do is not offered.
function abilities() {
  const native = player.kind === "native";
  const speeds = [...bar.querySelectorAll("[data-speed]")].map((select) => select.closest("label") ?? select);
  for (const element of [...speeds, button("frame-back"), button("frame-forward")]) element.hidden = !native;
  bar.querySelector("[data-frame-guess]").hidden = !native || counts;
  bar.querySelector("[data-volume]").closest("label").hidden = player.kind === "typed";
  button("mute").hidden = player.kind === "typed";
  button("captions").hidden = player.languages().length === 0;
  for (const name of ["play", "full"]) button(name).hidden = player.kind === "typed";
}

function wire() {
  register({
    play: () => player.toggle(),
    back: () => player.by(-5),
    forward: () => player.by(5),
    "second-back": () => player.seek(player.second - 1),
    "second-forward": () => player.seek(player.second + 1),
    "frame-back": () => player.step(-1),
    "frame-forward": () => player.step(1),
    start: () => player.seek(0),
    end: () => player.seek(player.length),
    slower: () => turn(player.speed - STEP),
    faster: () => turn(player.speed + STEP),
    "normal-speed": () => turn(1),
    mute: () => {
      player.muted = !player.muted;
      keep("muted", player.muted);
      announce(say(player.muted ? "mute" : "unmute"));
    },
    captions: () => {
      if (!player.languages().length) return;
      const off = button("captions").ariaPressed === "true";
      caption(off ? "" : preferredLanguage());
      keep("captions", off ? "" : preferredLanguage());
    },
    full: () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else if (screen.requestFullscreen) {
        const href = /** @type {HTMLElement} */ (document.querySelector("[data-fullscreen]")).dataset.fullscreen;
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
        if (!document.querySelector(`link[href="${href}"]`)) document.head.append(link);
        screen.requestFullscreen();
      } else player.full();
    },
  });
  for (let tenth = 0; tenth < 10; tenth++)
    register({ [`tenth-${tenth}`]: () => player.seek((player.length * tenth) / 10) });
  for (const select of bar.querySelectorAll("[data-speed]")) {
    select.addEventListener("change", () => turn(Number(select.value), false));
  }
  bar.querySelector("[data-volume]").addEventListener("input", (event) => {
    player.volume = Number(event.target.value);
    keep("volume", Number(event.target.value));
  });
  bar.querySelector("[data-caption-language]")?.addEventListener("change", (event) => {
    caption(event.target.value);
    keep("captions", event.target.value);
  });
  document.querySelector(".stage video")?.addEventListener("click", () => act("play"));
  player.addEventListener("state", state);
  player.addEventListener("time", clock);
  player.addEventListener("length", length);
  player.addEventListener("speed", speed);
  player.addEventListener("sound", sound);
  player.addEventListener("changed", () => {
    for (const show of [abilities, state, clock, length, speed, sound]) show();
  });
}

// As it was left: speed, sound, captions, and the place, unless the address names one.
function restore() {
  bar.querySelector("[data-volume]").value = setting("volume");
  player.volume = setting("volume");
  if (setting("muted")) player.muted = true;
  if (setting("speed") !== 1) turn(setting("speed"), false);
  if (setting("captions") && player.languages().length) caption(preferredLanguage());
  const left = get("position") ?? 0;
  const time = new URLSearchParams(location.search).get("t");
  if (time !== null) player.seek(Number(document.querySelector("[data-player]").dataset.start));
  else if (left > 2 && (!player.length || left < player.length - 3)) player.seek(left);
}

if (bar) {
  wire();
  abilities();
  restore();
  state();
  clock();
  speed();
  sound();
}
