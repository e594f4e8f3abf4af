// @ts-check
// One player, whatever plays: the browser's video, the platform's embedded player, or none, where times are typed.
import { Native } from "./native.js";

const HLS = "application/vnd.apple.mpegurl";
const SETTLES = 700; // a place that is still being looked for loads no frame
const stage = document.querySelector("[data-player]");

// No picture, or a player that answers nothing: the typed time is the clock.
class Typed extends EventTarget {
  kind = "typed";
  paused = true;
  time = 0;
  length = Number(stage?.dataset.length ?? 0);
  speed = 1;
  volume = 100;
  muted = false;
  play() {}
  pause() {}
  /** @param {number} seconds */
  seek(seconds) {
    this.time = Math.max(0, seconds);
    this.dispatchEvent(new Event("time"));
  }
  step() {}
  /** @returns {[number, number][]} */
  buffered() {
    return [];
  }
  captions() {}
  /** @returns {string[]} */
  languages() {
    return [];
  }
}

// Names of events: time, state (playing or paused), length, buffer, speed, sound, and `changed` when another kind took
// over.
class Player extends EventTarget {
  /** @type {FilmPlayer} */
  inner;
  /** @type {number | undefined} */
  level;
  constructor() {
    super();
    this.known = Number(stage?.dataset.length ?? 0);
    const video = stage?.querySelector("video");
    this.take(video && plays(video) ? new Native(video) : new Typed());
    if (this.kind === "typed") this.fall();
  }

  // The platform's player, where there is one: fetched where it is wanted, and its frame comes in only then, so that no
  // word of it is missed.
  async embed() {
    const spare = stage?.querySelector("[data-embed]");
    if (!spare) return null;
    const { Embedded } = await import("./embedded.js").catch(
      () => /** @type {Partial<typeof import("./embedded.js")>} */ ({}),
    );
    stage.querySelector("video")?.remove();
    if (Embedded) spare.replaceWith(spare.content.cloneNode(true));
    else spare.remove();
    return Embedded ? new Embedded(stage.querySelector("iframe")) : null;
  }

  /** @param {FilmPlayer} inner */
  take(inner) {
    this.inner = inner;
    for (const name of ["time", "state", "length", "buffer", "speed", "sound"]) {
      inner.addEventListener(name, () => {
        if (this.inner === inner) this.dispatchEvent(new Event(name));
      });
    }
    inner.addEventListener("broken", () => {
      if (this.inner === inner) this.fall();
    });
    inner.addEventListener("mute", () => {
      if (this.inner === inner) this.deaf(inner);
    });
    this.show();
  }

  show() {
    if (!stage) return;
    stage.dataset.playing = this.inner.kind;
    stage.querySelector("[data-no-picture]").hidden =
      this.inner.kind !== "typed" || Boolean(stage.querySelector("iframe, [data-embed]"));
  }

  // The next kind goes on where the broken one was, as loud as it was.
  async fall() {
    if (this.falling) return;
    this.falling = true;
    const next = (await this.embed()) ?? new Typed();
    const { time, muted } = this.inner;
    stage?.querySelector("video")?.remove();
    this.take(next);
    if (this.level !== undefined) next.volume = this.level;
    if (muted) next.muted = true;
    if (time > 0) next.seek(time);
    this.dispatchEvent(new Event("changed"));
  }

  /**
   * The frame stays, but it answers nothing: the clock is the typed one, and seeking loads the frame anew. Should it
   * speak after all, it is the player again.
   * @param {FilmPlayer} frame
   */
  deaf(frame) {
    const typed = new Typed();
    typed.time = frame.time;
    /** @type {number | undefined} */
    let soon;
    typed.addEventListener("time", () => {
      clearTimeout(soon);
      soon = setTimeout(() => frame.reload(typed.time), SETTLES);
    });
    this.take(typed);
    this.dispatchEvent(new Event("changed"));
    frame.addEventListener(
      "heard",
      () => {
        clearTimeout(soon);
        this.inner = frame;
        this.show();
        for (const name of ["changed", "time"]) this.dispatchEvent(new Event(name));
      },
      { once: true },
    );
  }

  get kind() {
    return this.inner.kind;
  }
  get time() {
    return this.inner.time;
  }
  get paused() {
    return this.inner.paused;
  }
  get length() {
    return this.known || Math.floor(this.inner.length);
  }
  get speed() {
    return this.inner.speed;
  }
  /** @param {number} rate */
  set speed(rate) {
    if (this.kind === "native") this.inner.speed = rate;
  }
  get muted() {
    return this.inner.muted;
  }
  /** @param {boolean} on */
  set muted(on) {
    this.inner.muted = on;
  }
  /** @param {number} percent */
  set volume(percent) {
    this.level = percent;
    this.inner.volume = percent;
  }
  get second() {
    return Math.max(0, Math.min(Math.floor(this.time + 0.001), this.length || Infinity));
  }

  // The exact frame in microseconds, as a form sends it; "" where the player does not tell it.
  get frame() {
    return String(this.inner.frame ?? "");
  }

  play() {
    this.inner.play();
  }
  pause() {
    this.inner.pause();
  }
  toggle() {
    if (this.paused) this.play();
    else this.pause();
  }
  /** @param {number} seconds */
  seek(seconds) {
    this.inner.seek(Math.max(0, this.length ? Math.min(seconds, this.length) : seconds));
  }
  /** @param {number} seconds */
  by(seconds) {
    this.seek(this.time + seconds);
  }
  /** @param {number} frames */
  step(frames) {
    if (this.paused) this.inner.step(frames);
  }
  buffered() {
    return this.inner.buffered();
  }
  /** @param {string} language */
  captions(language) {
    this.inner.captions(language);
  }
  languages() {
    return this.inner.languages();
  }
  full() {
    this.inner.full?.();
  }
}

/**
 * A file the browser names as playable; HLS counts only where the browser itself plays it.
 * @param {HTMLVideoElement} video
 */
function plays(video) {
  const kinds = [...video.querySelectorAll("source")].map((source) => source.type);
  return kinds.some((kind) => kind !== HLS) || (kinds.includes(HLS) && video.canPlayType(HLS) !== "");
}

export const player = new Player();
