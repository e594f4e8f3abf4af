// The browser's own video, driven by our controls. Seeks land in the middle of a frame, so that no browser shows the one before.
export class Native extends EventTarget {
  kind = "native";
  frame = 1 / 30; // until it was measured while playing

  constructor(video) {
    super();
    this.video = video;
    video.controls = false;
    const names = { timeupdate: "time", seeking: "time", seeked: "time", play: "state", pause: "state", ended: "state",
      durationchange: "length", loadedmetadata: "length", progress: "buffer", ratechange: "speed", volumechange: "sound" };
    for (const [theirs, ours] of Object.entries(names)) {
      video.addEventListener(theirs, () => this.dispatchEvent(new Event(ours)));
    }
    video.querySelector("source:last-of-type")?.addEventListener("error", () => this.dispatchEvent(new Event("broken")));
    video.addEventListener("error", () => this.dispatchEvent(new Event("broken")));
    video.addEventListener("play", () => this.measure());
  }

  get time() { return this.video.currentTime; }
  get paused() { return this.video.paused; }
  get length() { return Number.isFinite(this.video.duration) ? this.video.duration : 0; }
  get speed() { return this.video.playbackRate; }
  set speed(rate) { this.video.playbackRate = rate; }
  get muted() { return this.video.muted; }
  set muted(on) { this.video.muted = on; }
  set volume(percent) { this.video.volume = percent / 100; }

  play() { this.video.play()?.catch(() => this.dispatchEvent(new Event("state"))); }
  pause() { this.video.pause(); }

  seek(seconds) {
    const end = this.length || Infinity;
    this.video.currentTime = Math.min(Math.max(0, seconds), end);
    if (this.video.readyState === 0) {
      this.video.addEventListener("loadedmetadata", () => { this.video.currentTime = seconds; }, { once: true });
      this.video.load();
    }
    this.dispatchEvent(new Event("time"));
  }

  step(frames) {
    const here = Math.floor(this.time / this.frame + 0.001);
    this.seek((here + frames + 0.5) * this.frame);
  }

  // The shortest distance between frames that follow one another.
  measure() {
    if (!this.video.requestVideoFrameCallback || this.measured) return;
    let last = null;
    let left = 12;
    const found = [];
    const look = (now, { mediaTime }) => {
      if (last !== null && mediaTime > last) found.push(mediaTime - last);
      last = mediaTime;
      if (--left > 0) this.video.requestVideoFrameCallback(look);
      else if (found.length > 4) { this.frame = found.sort((a, b) => a - b)[Math.floor(found.length / 4)]; this.measured = true; }
    };
    this.video.requestVideoFrameCallback(look);
  }

  buffered() {
    const ranges = this.video.buffered;
    return Array.from({ length: ranges.length }, (_, n) => [ranges.start(n), ranges.end(n)]);
  }

  // One language of the captions, "" for none.
  captions(language) {
    for (const track of this.video.textTracks) track.mode = track.language === language ? "showing" : "disabled";
  }

  languages() { return [...this.video.querySelectorAll("track")].map((track) => track.srclang); }
  full() { this.video.webkitEnterFullscreen?.(); }
}
