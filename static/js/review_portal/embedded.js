// The platform's own player, in a frame of its own host, spoken to by messages. Only its frame and its origin are heard;
// message names are known by their ending, because every platform puts its own name in front.
const PATIENCE = 6000;

export class Embedded extends EventTarget {
  kind = "embedded";
  frame = 1 / 30;
  time = 0;
  length = 0;
  paused = true;
  speed = 1;
  ready = false;
  heard = false;

  constructor(frame) {
    super();
    this.element = frame;
    this.address = frame.src;
    this.origin = new URL(frame.src, location.href).origin;
    addEventListener("message", (event) => {
      if (event.source === frame.contentWindow && event.origin === this.origin) this.hear(event.data);
    });
    setTimeout(() => { if (!this.heard) this.dispatchEvent(new Event("mute")); }, PATIENCE);
  }

  hear(data) {
    const message = typeof data === "string" ? parsed(data) : data;
    const name = String(message?.message ?? message?.type ?? "").split("_").slice(1).join("_").toLowerCase();
    if (!name) return;
    this.heard = true;
    if (Number.isFinite(message.currentTime)) this.time = message.currentTime;
    const length = message.playerData?.duration ?? message.duration;
    if (Number.isFinite(length) && length > 0 && length !== this.length) {
      this.length = length;
      this.dispatchEvent(new Event("length"));
    }
    if (typeof message.playerData?.paused === "boolean") this.paused = message.playerData.paused;
    if (name === "play") this.paused = false;
    if (name === "pause" || name === "ended") this.paused = true;
    if (["ready", "canplay", "alldata", "timeupdate"].includes(name)) this.settle();
    this.dispatchEvent(new Event(name === "timeupdate" || name.startsWith("seek") ? "time" : "state"));
  }

  // A seek that comes before the player is ready would be lost: the last one waits.
  settle() {
    this.ready = true;
    if (this.waiting === undefined) return;
    const seconds = this.waiting;
    this.waiting = undefined;
    this.tell("currentTime", seconds);
  }

  tell(type, parameter) { this.element.contentWindow?.postMessage({ type, parameter }, this.origin); }
  play() { this.tell("play"); }
  pause() { this.tell("pause"); }
  set volume(percent) { this.tell("volume", percent / 100); }
  get muted() { return Boolean(this.silent); }
  set muted(on) { this.silent = on; this.tell("volume", on ? 0 : 1); this.dispatchEvent(new Event("sound")); }

  seek(seconds) {
    this.time = Math.max(0, this.length ? Math.min(seconds, this.length) : seconds);
    if (this.ready) this.tell("currentTime", this.time);
    else this.waiting = this.time;
    this.dispatchEvent(new Event("time"));
  }

  // Where no message is ever answered, the frame is loaded again at the wanted second.
  reload(seconds) {
    const address = new URL(this.address, location.href);
    address.searchParams.set("startTime", Math.floor(seconds));
    this.element.src = address;
  }

  step(frames) { this.seek(this.time + frames * this.frame); }
  buffered() { return []; }
  captions() {}
  languages() { return []; }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
