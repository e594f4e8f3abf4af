import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

openBarePage();
const { correct, framesApart, Pair, timecode } = await load("review_portal/in_step.js");
const FRAME = 1 / 25;

// A film whose clock runs `pace` times as fast as it should, and which needs `cost` milliseconds for a jump.
class FakeFilm {
  exact = true;
  length = 60;
  rate = 1;
  paused = true;
  stalled = false;
  jumps = 0;
  busyUntil = -1;
  #time = 0;

  constructor(clock, { pace = 1, cost = 120 } = {}) {
    Object.assign(this, { clock, pace, cost });
  }
  get time() {
    return this.#time;
  }
  get ready() {
    return !this.stalled && this.clock.now >= this.busyUntil;
  }
  play() {
    this.paused = false;
  }
  pause() {
    this.paused = true;
  }
  seek(seconds) {
    this.jumps += 1;
    this.#time = seconds;
    this.busyUntil = this.clock.now + this.cost;
  }
  pass(milliseconds) {
    if (!this.paused && this.ready)
      this.#time = Math.min(this.length, this.#time + (milliseconds / 1000) * this.rate * this.pace);
  }
}

function openPair({ leads = {}, follows = {} } = {}) {
  const clock = { now: 0 };
  const pair = new Pair(() => clock.now);
  pair.frame = FRAME;
  const [leader, follower] = [new FakeFilm(clock, leads), new FakeFilm(clock, follows)];
  const run = (seconds) => {
    const states = [];
    for (let left = seconds * 1000; left > 0; left -= 20) {
      clock.now += 20;
      leader.pass(20);
      follower.pass(20);
      if (clock.now % 80 === 0) states.push(pair.tick(leader, follower));
    }
    return states;
  };
  const play = () => {
    pair.playing = true;
    leader.play();
    follower.play();
  };
  return { pair, leader, follower, run, play };
}

test("correct leaves a follower alone within an eighth of a frame", () => {
  assert.deepEqual(correct({ drift: FRAME / 8, frame: FRAME, speed: 1 }), { rate: 1, jump: false });
  assert.notEqual(correct({ drift: FRAME / 7, frame: FRAME, speed: 1 }).rate, 1);
});

test("correct slows down what is ahead and hurries what is behind, by 12% at most", () => {
  assert.equal(correct({ drift: 0.02, frame: FRAME, speed: 1 }).rate, 0.96);
  assert.equal(correct({ drift: -0.02, frame: FRAME, speed: 1 }).rate, 1.04);
  assert.equal(correct({ drift: 0.4, frame: FRAME, speed: 1 }).rate, 0.88);
  assert.equal(correct({ drift: -0.4, frame: FRAME, speed: 2 }).rate, 2.24);
});

test("correct jumps where making up would take seconds", () => {
  assert.equal(correct({ drift: 0.45, frame: FRAME, speed: 1 }).jump, false);
  assert.equal(correct({ drift: 0.46, frame: FRAME, speed: 1 }).jump, true);
});

test("correct never bends a player that cannot be bent, and jumps it beyond a second", () => {
  assert.deepEqual(correct({ drift: 0.9, frame: FRAME, speed: 1, exact: false }), { rate: 1, jump: false });
  assert.equal(correct({ drift: -1.1, frame: FRAME, speed: 1, exact: false }).jump, true);
});

test("framesApart counts whole frames from half a frame on", () => {
  assert.equal(framesApart(FRAME / 2, FRAME), 0);
  assert.equal(framesApart(-FRAME * 0.6, FRAME), 1);
  assert.equal(framesApart(FRAME * 2.4, FRAME), 2);
});

test("timecode counts frames where the rate is known", () => {
  assert.equal(timecode(42.44, 25), "00:00:42:11");
  assert.equal(timecode(3661, 0), "01:01:01");
  assert.equal(timecode(1 - 1 / 24, 23.976), "00:00:00:22");
});

test("a follower that runs too slowly or too fast is kept within half a frame", () => {
  for (const pace of [0.97, 1.03]) {
    const { run, play, follower } = openPair({ follows: { pace } });
    play();
    run(3);
    for (const { drift } of run(20)) assert.ok(Math.abs(drift) < FRAME / 2, `${pace}: ${drift}`);
    assert.equal(follower.jumps, 0);
  }
});

test("a follower that is far away jumps once, with what a jump costs, and is in step within a second", () => {
  const { run, play, leader, follower } = openPair();
  leader.seek(30);
  leader.jumps = 0;
  play();
  run(1.5);
  for (const { drift } of run(3)) assert.ok(Math.abs(drift) < FRAME / 2, String(drift));
  assert.equal(follower.jumps, 1);
  assert.equal(leader.jumps, 0);
});

test("a follower that stands is set to its place, shifted by frames", () => {
  const { pair, run, leader, follower } = openPair();
  leader.seek(10);
  pair.shift = 2;
  run(1);
  assert.ok(Math.abs(follower.time - (10 + 2 * FRAME)) < 1e-9);
  pair.shift = -1;
  run(1);
  assert.ok(Math.abs(follower.time - (10 - FRAME)) < 1e-9);
});

test("a follower that stands a fifth of a frame away, maybe on another frame, is set to its place once", () => {
  const { run, leader, follower } = openPair();
  leader.seek(10 + FRAME * 0.1);
  follower.seek(10 - FRAME * 0.1);
  follower.jumps = 0;
  run(2);
  assert.equal(follower.time, leader.time);
  assert.equal(follower.jumps, 1);
});

test("a film without pictures is waited for, and both go on together", () => {
  const { run, play, leader, follower } = openPair();
  play();
  run(1);
  follower.stalled = true;
  const states = run(2);
  assert.equal(states.at(-1).word, "wait");
  assert.equal(states.at(-1).late, follower);
  assert.equal(leader.paused, true);
  follower.stalled = false;
  const { drift, word } = run(2).at(-1);
  assert.equal(word, "step");
  assert.equal(leader.paused || follower.paused, false);
  assert.ok(Math.abs(drift) < FRAME / 2);
});

test("a film that is late for a moment stops nobody", () => {
  const { run, play, leader, follower } = openPair();
  play();
  run(1);
  follower.stalled = true;
  run(0.3);
  follower.stalled = false;
  run(0.2);
  assert.equal(leader.paused, false);
});

test("a shorter follower shows its last frame while the leader plays on", () => {
  const { run, play, leader, follower } = openPair();
  follower.length = 2;
  play();
  run(5);
  assert.ok(leader.time > 4.9);
  assert.ok(follower.time <= 2 && follower.jumps === 0);
});
