// @ts-check
// A film of the compared ones: the browser's own video, or the platform's player in its frame. Only the first is exact.
import { Embedded } from "./embedded.js";
import { counts, Frames } from "./frames.js";
import { rateOf } from "./rate.js";

const HLS = "application/vnd.apple.mpegurl";
const ENOUGH = 1.2; // seconds of frames that tell the rate
const LONGEST = 0.25; // a longer step is a jump
const HAVE_CURRENT_DATA = 2;
const HAVE_FUTURE_DATA = 3;

/** @param {HTMLVideoElement} video */
function plays(video) {
  const kinds = [...video.querySelectorAll("source")].map((source) => source.type);
  return kinds.some((kind) => kind !== HLS) || (kinds.includes(HLS) && video.canPlayType(HLS) !== "");
}

/** @implements {Film} */
export class VideoFilm extends EventTarget {
  exact = true;

  /**
   * @param {HTMLVideoElement} video
   * @param {number} fps
   */
  constructor(video, fps) {
    super();
    this.video = video;
    this.fps = fps;
    this.frames = new Frames(video);
    video.controls = false;
    video.muted = true;
    const broken = () => this.dispatchEvent(new Event("broken"));
    const change = () => this.dispatchEvent(new Event("change"));
    for (const name of ["seeked", "play", "pause", "ended", "durationchange", "canplay", "waiting"])
      video.addEventListener(name, change);
    video.querySelector("source:last-of-type")?.addEventListener("error", broken);
    video.addEventListener("error", broken);
    setTimeout(() => {
      const isEmpty = video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE && video.readyState === 0;
      if (video.error || isEmpty || !plays(video)) broken();
    });
    if (fps) this.frames.measured = 1 / fps;
    else if (counts) video.addEventListener("play", () => this.measure(), { once: true });
  }

  // A busy machine shows too few frames to tell: then those that follow do.
  measure() {
    /** @type {number[]} */
    let times = [];
    /**
     * @param {number} _now
     * @param {VideoFrameCallbackMetadata} frame
     */
    const look = (_now, { mediaTime }) => {
      const step = mediaTime - times.at(-1);
      if (!(step > 0 && step < LONGEST)) times = [];
      times.push(mediaTime);
      if (mediaTime - times[0] > ENOUGH) {
        this.fps = rateOf(times) ?? 0;
        times = [];
      }
      if (!this.fps) {
        this.video.requestVideoFrameCallback(look);
        return;
      }
      this.frames.measured = 1 / this.fps;
      this.dispatchEvent(new Event("change"));
    };
    this.video.requestVideoFrameCallback(look);
  }

  get time() {
    return this.video.currentTime;
  }
  get paused() {
    return this.video.paused;
  }
  get length() {
    return Number.isFinite(this.video.duration) ? this.video.duration : 0;
  }
  get ready() {
    const enough = this.video.paused || this.video.ended ? HAVE_CURRENT_DATA : HAVE_FUTURE_DATA;
    return !this.video.seeking && this.video.readyState >= enough;
  }
  get rate() {
    return this.video.playbackRate;
  }
  set rate(value) {
    if (this.video.playbackRate !== value) this.video.playbackRate = value;
  }
  /** @param {boolean} on */
  set sound(on) {
    this.video.muted = !on;
  }

  play() {
    this.video.play()?.catch(() => this.dispatchEvent(new Event("change")));
  }
  pause() {
    this.video.pause();
  }
  /** @param {number} seconds */
  seek(seconds) {
    this.frames.leave();
    this.video.currentTime = Math.max(0, Math.min(seconds, this.length || Infinity));
  }
  /** @param {number} frames */
  step(frames) {
    return this.frames.step(frames);
  }
  /** @param {number} seconds */
  retry(seconds) {
    this.video.load();
    this.seek(seconds);
  }
}

/** @implements {Film} */
export class FrameFilm extends EventTarget {
  exact = false;
  fps = 0;
  rate = 1;

  /** @param {HTMLIFrameElement} frame */
  constructor(frame) {
    super();
    this.inner = new Embedded(frame);
    this.inner.muted = true;
    for (const name of ["time", "state", "length"])
      this.inner.addEventListener(name, () => this.dispatchEvent(new Event("change")));
    this.inner.addEventListener("mute", () => this.dispatchEvent(new Event("silent")));
    this.inner.addEventListener("heard", () => this.dispatchEvent(new Event("change")));
  }

  get time() {
    return this.inner.time;
  }
  get paused() {
    return this.inner.paused;
  }
  get length() {
    return this.inner.length;
  }
  get ready() {
    return this.inner.ready;
  }
  /** @param {boolean} on */
  set sound(on) {
    this.inner.muted = !on;
  }
  play() {
    this.inner.play();
  }
  pause() {
    this.inner.pause();
  }
  /** @param {number} seconds */
  seek(seconds) {
    this.inner.seek(seconds);
  }
  async step() {}
  /** @param {number} seconds */
  retry(seconds) {
    this.inner.seek(seconds);
    this.inner.reload(seconds);
  }
}
