// @ts-check
// From one frame of a film to the next, whatever its rate. The browser says at which time the frame it shows begins
// (requestVideoFrameCallback); the length of a frame is found at the first step, by looking a little further until the
// picture changes. Nobody sees that: until then it is the same picture. Where the rate was measured, nobody is asked.
const ASSUMED = 1 / 30; // where a browser does not say
const LOOK = 0.0105; // shorter than a frame at 95 a second
const FARTHEST = 13; // looks: frames down to 8 a second
const PATIENCE = 400; // milliseconds after a seek has ended

export const counts = "requestVideoFrameCallback" in HTMLVideoElement.prototype;

export class Frames {
  length = 0; // seconds, as seen at a step
  measured = 0; // seconds, as measured while it played
  asked = 0;
  left = false;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.video = video;
  }

  /**
   * Steps asked for while one is under way follow it.
   * @param {number} frames
   */
  async step(frames) {
    this.asked += frames;
    if (this.busy) return;
    this.busy = true;
    while (this.asked && this.video.paused) {
      this.left = false;
      const direction = Math.sign(this.asked);
      this.asked -= direction;
      await this.one(direction);
    }
    this.asked = 0;
    this.busy = false;
  }

  /** Leave the step that is under way: somebody goes elsewhere, and a late look would take the picture back. */
  leave() {
    this.asked = 0;
    this.left = true;
  }

  /** @param {number} direction */
  async one(direction) {
    if (this.measured) {
      this.count(direction, this.measured);
      return;
    }
    const frameStart = this.at === this.video.currentTime ? this.begin : await this.show(this.video.currentTime);
    if (this.left) return;
    if (frameStart === null) {
      this.count(direction, ASSUMED);
      return;
    }
    if (!this.length) {
      const next = await this.after(frameStart, frameStart + LOOK);
      if (this.left) return;
      if (next !== null) this.length = next - frameStart;
      if (direction > 0 && next !== null) return;
    }
    const middle = Math.max(0, frameStart + (direction + 0.5) * (this.length || ASSUMED));
    const middleStart = await this.show(middle);
    // a longer one among shorter ones
    if (direction > 0 && middleStart === frameStart) await this.after(frameStart, middle + LOOK);
  }

  /**
   * To the middle of another frame, where all of them are `length` long.
   * @param {number} frames
   * @param {number} length
   */
  count(frames, length) {
    const here = Math.floor(this.video.currentTime / length + 0.001);
    this.video.currentTime = Math.max(0, here + frames + 0.5) * length;
  }

  /**
   * The frame after the one that begins at `here`, looked for from `from` on; null where there is none.
   * @param {number} frameStart
   * @param {number} from
   */
  async after(frameStart, from) {
    for (let look = 0; look < FARTHEST; look++) {
      const nextStart = await this.show(from + look * LOOK);
      if (nextStart === null || nextStart > frameStart) return nextStart;
    }
    return null;
  }

  /**
   * Go there, and say when the frame that is shown begins; null where the browser does not say.
   * @param {number} seconds
   */
  show(seconds) {
    const { video } = this;
    if (!counts || this.left) return Promise.resolve(null);
    return new Promise((tell) => {
      /** @param {number} begin */
      const done = (begin) => {
        video.removeEventListener("seeked", arrive);
        clearTimeout(timer);
        this.begin = begin;
        this.at = begin === null ? NaN : video.currentTime;
        tell(begin);
      };
      const call = video.requestVideoFrameCallback((_now, { mediaTime }) => done(mediaTime));
      let timer = 0;
      // A seek that takes long is no browser that does not say.
      const arrive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          video.cancelVideoFrameCallback(call);
          done(null);
        }, PATIENCE);
      };
      video.addEventListener("seeked", arrive);
      video.currentTime = Math.min(seconds, Math.max(0, video.duration - 0.001) || seconds);
    });
  }
}
