// @ts-check
// The browser's own video, driven by our controls.
import { counts, Frames } from "./frames.js";

export class Native extends EventTarget {
  kind = "native";

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    super();
    this.video = video;
    this.frames = new Frames(video);
    video.controls = false;
    const names = {
      timeupdate: "time",
      seeking: "time",
      seeked: "time",
      play: "state",
      pause: "state",
      ended: "state",
      durationchange: "length",
      loadedmetadata: "length",
      progress: "buffer",
      canplay: "buffer",
      suspend: "buffer",
      ratechange: "speed",
      volumechange: "sound",
    };
    for (const [theirs, ours] of Object.entries(names)) {
      video.addEventListener(theirs, () => this.dispatchEvent(new Event(ours)));
    }
    if (counts) this.follow();
    const broken = () => this.dispatchEvent(new Event("broken"));
    video.querySelector("source:last-of-type")?.addEventListener("error", broken);
    video.addEventListener("error", broken);
    // It may have failed before anybody listened. While it still chooses among its sources it says the same, but holds
    // up `load`.
    addEventListener("load", () => {
      if (video.error || (video.networkState === video.NETWORK_NO_SOURCE && video.isConnected)) broken();
    });
  }

  // Notes at which time the frame that is shown begins, while the video plays. A paused one is asked by `Frames` alone:
  // the browser answers no second question about the same picture.
  follow() {
    const { video } = this;
    let call = 0;
    const watch = () => {
      call = video.requestVideoFrameCallback((_now, { mediaTime }) => {
        this.begin = mediaTime;
        if (!video.paused) watch();
      });
    };
    video.addEventListener("play", () => this.measure(), { once: true });
    video.addEventListener("playing", () => {
      video.cancelVideoFrameCallback(call);
      watch();
    });
    video.addEventListener("pause", () => video.cancelVideoFrameCallback(call));
    video.addEventListener("seeking", () => {
      this.begin = NaN;
    });
  }

  // In microseconds, never before the whole second that people read of it.
  get frame() {
    const now = this.time + 0.001;
    const known = this.frames.at === this.time ? this.frames.begin : this.begin;
    const begin = now - known < 0.3 && now >= known ? known : this.time;
    return Math.round(Math.max(begin, Math.floor(now)) * 1e6);
  }

  async measure() {
    const { isKnown, measure } = await import("./rate.js").catch(
      () => /** @type {Partial<typeof import("./rate.js")>} */ ({}),
    );
    if (isKnown && !isKnown()) measure(this.video);
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
  get speed() {
    return this.video.playbackRate;
  }
  /** @param {number} rate */
  set speed(rate) {
    this.video.defaultPlaybackRate = rate; // loading sets the speed to this
    this.video.playbackRate = rate;
  }

  get muted() {
    return this.video.muted;
  }
  /** @param {boolean} on */
  set muted(on) {
    this.video.muted = on;
  }
  /** @param {number} percent */
  set volume(percent) {
    this.video.volume = percent / 100;
  }

  play() {
    this.video.play()?.catch(() => this.dispatchEvent(new Event("state")));
  }
  pause() {
    this.video.pause();
  }

  /** @param {number} seconds */
  seek(seconds) {
    const { video } = this;
    this.frames.leave();
    video.currentTime = Math.min(Math.max(0, seconds), this.length || Infinity);
    if (video.readyState === 0) {
      // not every browser keeps a place that is set before the film is known
      video.addEventListener(
        "loadedmetadata",
        () => {
          video.currentTime = seconds;
        },
        { once: true },
      );
      if (video.networkState === video.NETWORK_IDLE || video.networkState === video.NETWORK_EMPTY) video.load();
    }
    this.dispatchEvent(new Event("time"));
  }

  /** @param {number} frames */
  step(frames) {
    this.frames.step(frames);
  }

  /** @returns {[number, number][]} */
  buffered() {
    const ranges = this.video.buffered;
    return Array.from({ length: ranges.length }, (_, n) => [ranges.start(n), ranges.end(n)]);
  }

  /**
   * One language of the captions, "" for none.
   * @param {string} language
   */
  captions(language) {
    for (const track of this.video.textTracks) track.mode = track.language === language ? "showing" : "disabled";
  }

  languages() {
    return [...this.video.querySelectorAll("track")].map((track) => track.srclang);
  }
  full() {
    this.video.webkitEnterFullscreen?.();
  }
}
