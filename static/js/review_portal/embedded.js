// @ts-check
// The platform's own player, in a frame of its own host, spoken to by messages. Only its frame and its origin are
// heard; message names are known by their ending, because every platform puts its own name in front.
const PATIENCE = 6000; // after the frame has loaded: the first word, or the first time while it plays
const LOADING = 20000;

export class Embedded extends EventTarget {
  kind = "embedded";
  time = 0;
  length = 0;
  paused = true;
  speed = 1;
  ready = false;
  level = 1;
  silent = false;

  /** @param {HTMLIFrameElement} frame */
  constructor(frame) {
    super();
    this.element = frame;
    this.address = frame.src;
    this.origin = new URL(frame.src, location.href).origin;
    addEventListener("message", (event) => {
      if (event.source === frame.contentWindow && event.origin === this.origin) this.hear(event.data);
    });
    frame.addEventListener("load", () => {
      if (!this.heard) this.expect(PATIENCE);
    });
    this.expect(LOADING);
  }

  /**
   * Something has to be heard within this time, or the player counts as one that says nothing.
   * @param {number} milliseconds
   */
  expect(milliseconds) {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.heard = false;
      this.dispatchEvent(new Event("mute"));
    }, milliseconds);
  }

  /** @param {PlayerMessage} data */
  hear(data) {
    const message = typeof data === "string" ? parsed(data) : data;
    const name = String(message?.message ?? message?.type ?? "")
      .split("_")
      .slice(1)
      .join("_")
      .toLowerCase();
    if (!name) return;
    const news = this.heard === false;
    if (!this.heard || name === "timeupdate") clearTimeout(this.patience);
    this.heard = true;
    this.learn(message, name);
    if (news) this.dispatchEvent(new Event("heard"));
    this.dispatchEvent(new Event(name === "timeupdate" || name.startsWith("seek") ? "time" : "state"));
  }

  /**
   * @param {PlayerMessage} options
   * @param {string} name
   */
  learn({ currentTime, playerData, duration }, name) {
    const length = playerData?.duration ?? duration;
    const isLength = Number.isFinite(length) && length > 0;
    if (isLength && length !== this.length) {
      this.length = length;
      this.dispatchEvent(new Event("length"));
    }
    if (isLength || name === "canplay" || name === "timeupdate") this.settle();
    if (Number.isFinite(currentTime) && ["timeupdate", "seeking", "seeked", "pause", "ended"].includes(name))
      this.time = currentTime;
    if (typeof playerData?.paused === "boolean") this.paused = playerData.paused;
    if (name === "play") {
      this.paused = false;
      this.expect(PATIENCE); // one that plays and never says where is of no use as a clock
    }
    if (name === "pause" || name === "ended") {
      this.paused = true;
      clearTimeout(this.patience);
    }
  }

  // What is asked before the player knows its film would be lost: the sound and the last place wait.
  settle() {
    if (this.ready) return;
    this.ready = true;
    if (this.silent || this.level < 1) this.sound();
    if (this.waiting !== undefined) this.tell("currentTime", this.waiting);
  }

  /**
   * @param {string} type
   * @param {unknown} [parameter]
   */
  tell(type, parameter) {
    this.element.contentWindow?.postMessage({ type, parameter }, this.origin);
  }
  sound() {
    if (this.ready) this.tell("volume", this.silent ? 0 : this.level);
  }
  play() {
    this.tell("play");
  }
  pause() {
    this.tell("pause");
  }

  /** @param {number} percent */
  set volume(percent) {
    this.level = percent / 100;
    this.sound();
  }

  get muted() {
    return this.silent;
  }
  /** @param {boolean} on */
  set muted(on) {
    this.silent = on;
    this.sound();
    this.dispatchEvent(new Event("sound"));
  }

  /** @param {number} seconds */
  seek(seconds) {
    this.time = Math.max(0, this.length ? Math.min(seconds, this.length) : seconds);
    if (this.ready) this.tell("currentTime", this.time);
    else this.waiting = this.time;
    this.dispatchEvent(new Event("time"));
  }

  /**
   * Where no message is ever answered, the frame is loaded again at the wanted second.
   * @param {number} seconds
   */
  reload(seconds) {
    const address = new URL(this.address, location.href);
    address.searchParams.set("startTime", String(Math.floor(seconds)));
    this.element.src = String(address);
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

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
