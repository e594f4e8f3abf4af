// @ts-check
// Two films in step: one leads, the other follows. Everything here is told the time and told about the films, so that
// tests can run it with a clock and films of their own.
const STILL = 1 / 8; // of a frame: near enough to leave the follower alone
const NEAR = 0.5; // of a frame: in step
const SAME = 1 / 16; // of a frame: both stand on the same one, also beside its edge
const BEND = 0.12; // how much faster or slower a follower may play: it has no sound then
const REACH = 0.5; // seconds in which a drift is made up for
const FAR = 0.45; // seconds: farther away a jump is quicker
const GRAIN = 100; // speeds are set in steps of 1%, so that they change seldom
const RESTS = 700; // milliseconds after a jump in which no other begins
const STUCK = 350; // milliseconds without pictures before the other one waits
const COST_MOST = 0.6; // seconds

/**
 * How a follower that is `drift` seconds ahead is brought to where it belongs: how fast it plays, or that it jumps.
 * @param {{ drift: number, frame: number, speed: number, exact?: boolean }} state
 * @returns {{ rate: number, jump: boolean }}
 */
export function correct({ drift, frame, speed, exact = true }) {
  const far = exact ? FAR : 1;
  if (Math.abs(drift) > far) return { rate: speed, jump: true };
  if (!exact || Math.abs(drift) <= frame * STILL) return { rate: speed, jump: false };
  const bend = Math.max(-BEND, Math.min(BEND, -drift / REACH));
  return { rate: (Math.round(speed * (1 + bend) * GRAIN) || 1) / GRAIN, jump: false };
}

/**
 * How many whole frames lie between two films; 0: in step.
 * @param {number} drift
 * @param {number} frame
 */
export const framesApart = (drift, frame) =>
  Math.abs(drift) <= frame * NEAR ? 0 : Math.max(1, Math.round(Math.abs(drift) / frame));

/**
 * A moment as hours, minutes, seconds and frames; without a rate as hours, minutes and seconds.
 * @param {number} seconds
 * @param {number} rate
 */
export function timecode(seconds, rate) {
  const whole = Math.round(rate);
  const frames = Math.floor(Math.max(0, seconds) * rate + 0.001);
  const all = rate ? Math.floor(frames / whole) : Math.floor(Math.max(0, seconds));
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (rate) parts.push(frames % whole);
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Keeps one film with another. `now` gives milliseconds. */
export class Pair {
  speed = 1;
  shift = 0; // frames that the follower is ahead on purpose
  frame = 1 / 30;
  playing = false;
  cost = 0.12; // seconds that a jump takes, learnt from the last one
  jumpedAt = -Infinity;
  isJumping = false;
  /** @type {Film | null} */
  late = null;
  lateSince = 0;

  /** @param {() => number} now */
  constructor(now) {
    this.now = now;
  }

  /**
   * Where the follower belongs while the leader is at `seconds`.
   * @param {number} seconds
   * @param {Film} follower
   */
  target(seconds, follower) {
    const at = Math.max(0, seconds + this.shift * this.frame);
    return follower.length ? Math.min(at, follower.length) : at;
  }

  /**
   * One look at both. Says how they stand: "step" with the drift in seconds, or "wait" with the film that is late.
   * @param {Film} leader
   * @param {Film} follower
   * @returns {{ word: "step" | "wait", drift: number, late: Film | null }}
   */
  tick(leader, follower) {
    const late = this.findLate(leader, follower);
    const target = this.target(leader.time, follower);
    const drift = follower.time - target;
    if (late) return { word: "wait", drift, late };
    if (!this.playing) this.align(follower, drift, target);
    else if (!this.isOver(leader, follower)) this.follow(leader, follower, drift);
    return { word: "step", drift, late: null };
  }

  /**
   * The film that has no picture; while it has none, the other one waits for it, at the same place.
   * @param {Film} leader
   * @param {Film} follower
   */
  findLate(leader, follower) {
    const late = [leader, follower].find((film) => !film.ready) ?? null;
    if (!late) {
      this.late = null;
      this.lateSince = this.now();
      if (this.playing) this.resume(leader, follower);
      return null;
    }
    if (!this.late && this.now() - this.lateSince > STUCK) {
      this.late = late;
      const other = late === leader ? follower : leader;
      if (this.playing && !other.paused) {
        other.pause();
        other.seek(late === leader ? this.target(leader.time, follower) : follower.time - this.shift * this.frame);
      }
    }
    return this.late;
  }

  /**
   * @param {Film} leader
   * @param {Film} follower
   */
  resume(leader, follower) {
    for (const film of [leader, follower]) if (film.paused && !this.isOver(leader, film)) film.play();
  }

  /**
   * Whether a film has nothing left to play where the leader is: a shorter one shows its last frame.
   * @param {Film} leader
   * @param {Film} film
   */
  isOver(leader, film) {
    return (
      film.length > 0 &&
      (film === leader ? film.time : leader.time + this.shift * this.frame) >= film.length - this.frame
    );
  }

  /**
   * Both stand: the follower is set to its place.
   * @param {Film} follower
   * @param {number} drift
   * @param {number} target
   */
  align(follower, drift, target) {
    if (this.isJumping && follower.ready) this.isJumping = false;
    const near = follower.exact ? this.frame * SAME : 0.5;
    if (Math.abs(drift) > near && follower.ready && this.now() - this.jumpedAt > RESTS / 4) this.jump(follower, target);
  }

  /**
   * @param {Film} leader
   * @param {Film} follower
   * @param {number} drift
   */
  follow(leader, follower, drift) {
    if (this.isJumping && follower.ready) {
      this.isJumping = false;
      this.cost = Math.min(COST_MOST, Math.max(0, this.cost - drift / this.speed));
    }
    const { rate, jump } = correct({ drift, frame: this.frame, speed: this.speed, exact: follower.exact });
    if (!jump) follower.rate = rate;
    else if (this.now() - this.jumpedAt > RESTS) {
      follower.rate = this.speed;
      this.jump(follower, this.target(leader.time, follower) + this.cost * this.speed);
    }
  }

  /**
   * @param {Film} follower
   * @param {number} seconds
   */
  jump(follower, seconds) {
    this.jumpedAt = this.now();
    this.isJumping = true;
    follower.seek(seconds);
  }
}
