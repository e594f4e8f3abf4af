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

test("half a frame back is the frame before, whatever the rate is called", () => {
  assert.equal(framesApart(FRAME * 1.6, FRAME), 2);
  assert.equal(timecode(-1, 25), "00:00:00:00");
  assert.equal(timecode(59.99, 0), "00:00:59");
  assert.equal(timecode(1, 23.976), "00:00:00:23");
  assert.equal(timecode(2, 23.976), "00:00:01:23", "its timecode counts 24 frames a second");
});

test("the slowest speed stays one", () => {
  assert.equal(correct({ drift: 0.4, frame: FRAME, speed: 0.005 }).rate, 0.01);
});

test("a pair plays at its own speed, shifted by nothing, and takes 30 frames a second until it knows", () => {
  const pair = new Pair(() => 0);
  assert.deepEqual([pair.speed, pair.shift, pair.frame, pair.playing, pair.cost], [1, 0, 1 / 30, false, 0.12]);
});

test("where a follower belongs is within its own film, if that says how long it is", () => {
  const { pair, follower } = openPair();
  pair.shift = -2;
  assert.equal(pair.target(0.04, follower), 0);
  pair.shift = 2;
  assert.equal(pair.target(59.99, follower), 60);
  follower.length = 0;
  assert.equal(pair.target(59.99, follower), 59.99 + 2 * FRAME);
});

for (const late of ["leader", "follower"])
  test(`the other one stands where a late ${late} belongs, shifted as they are`, () => {
    const { pair, run, play, ...films } = openPair();
    pair.shift = 3;
    play();
    run(2);
    const other = late === "leader" ? films.follower : films.leader;
    films[late].stalled = true;
    run(0.32);
    assert.equal(other.paused, false, "for a third of a second nobody waits");
    run(0.2);
    assert.equal(other.paused, true);
    const ahead = late === "leader" ? 3 * FRAME : -3 * FRAME;
    assert.ok(Math.abs(other.time - (films[late].time + ahead)) < 1e-9, `${other.time} ${films[late].time}`);
    const { jumps } = other;
    run(1);
    assert.equal(other.jumps, jumps, "and is not taken there again");
  });

test("a film that stands by itself is left alone while the late one is waited for", () => {
  const { run, play, leader, follower } = openPair();
  play();
  run(1);
  leader.pause();
  const { jumps } = leader;
  follower.stalled = true;
  run(2);
  assert.equal(leader.jumps, jumps);
});

test("who is late again is waited for again as long as the first time", () => {
  const { run, play, leader, follower } = openPair();
  play();
  for (let turn = 0; turn < 2; turn += 1) {
    run(1);
    follower.stalled = true;
    run(0.3);
    assert.equal(leader.paused, false, `time ${turn}`);
    run(0.2);
    assert.equal(leader.paused, true);
    follower.stalled = false;
    run(0.5);
    assert.equal(leader.paused, false);
  }
});

test("films that stand are not said to wait before a third of a second, and neither is played", () => {
  const { pair, run, leader, follower } = openPair();
  run(1);
  leader.stalled = true;
  const states = run(2);
  assert.deepEqual([states[0].word, states.at(-1).word, states.at(-1).late === leader], ["step", "wait", true]);
  leader.stalled = false;
  run(1);
  assert.deepEqual([leader.paused, follower.paused, pair.late], [true, true, null]);
});

test("a film is over one frame before its end, the follower where the leader's shifted time is", () => {
  const { pair, leader, follower } = openPair();
  follower.length = 10;
  leader.seek(60 - FRAME);
  assert.equal(pair.isOver(leader, leader), true);
  leader.seek(60 - 1.01 * FRAME);
  assert.equal(pair.isOver(leader, leader), false);
  pair.shift = 5;
  leader.seek(10 - 6 * FRAME + 1e-9);
  assert.equal(pair.isOver(leader, follower), true);
  leader.seek(10 - 7 * FRAME);
  assert.equal(pair.isOver(leader, follower), false);
  follower.length = 0;
  assert.equal(pair.isOver(leader, follower), false, "a length that nobody knows is never over");
});

test("a shorter film that is over is not played again while the other goes on", () => {
  const { run, play, follower } = openPair();
  follower.length = 2;
  play();
  run(3);
  follower.pause();
  run(1);
  assert.equal(follower.paused, true);
});

test("a follower that is taken to its place is not taken there again until it had time to come", () => {
  const { run, leader, follower } = openPair({ follows: { cost: 20 } });
  run(1);
  leader.seek(20);
  run(0.08);
  assert.equal(follower.time, 20);
  leader.seek(30);
  run(0.16);
  assert.deepEqual([follower.time, follower.jumps], [20, 1]);
  run(0.16);
  assert.deepEqual([follower.time, follower.jumps], [30, 2]);
});

test("a follower without a picture is not taken anywhere while both stand", () => {
  const { run, leader, follower } = openPair();
  run(1);
  follower.stalled = true;
  leader.seek(30);
  run(0.2);
  assert.equal(follower.jumps, 0);
});

test("players that are not exact stand together within half a second", () => {
  const { run, leader, follower } = openPair();
  follower.exact = false;
  leader.seek(10);
  follower.seek(10.5);
  follower.jumps = 0;
  run(1);
  assert.equal(follower.jumps, 0);
  follower.seek(10.6);
  run(1);
  assert.equal(follower.time, 10);
});

test("a jump counts on what it costs at the speed that is played, and the next one waits", () => {
  const { pair, play, leader, follower } = openPair();
  let now = 1000;
  pair.now = () => now;
  pair.speed = 2;
  play();
  leader.seek(30);
  leader.busyUntil = -1;
  follower.rate = 1.9;
  pair.tick(leader, follower);
  assert.deepEqual([follower.time, follower.rate, pair.isJumping], [30.24, 2, true]);
  follower.busyUntil = -1;
  follower.seek(30.44);
  follower.busyUntil = -1;
  leader.seek(30.2);
  leader.busyUntil = -1;
  pair.tick(leader, follower);
  assert.ok(Math.abs(pair.cost - (0.12 - 0.24 / 2)) < 1e-9, "it came too early by as much");
  assert.equal(pair.isJumping, false);
  const { jumps } = follower;
  leader.seek(40);
  leader.busyUntil = -1;
  now = 1700;
  pair.tick(leader, follower);
  assert.equal(follower.jumps, jumps);
  now = 1701;
  pair.tick(leader, follower);
  assert.equal(follower.jumps, jumps + 1);
});

for (const [drift, cost] of [
  [-0.1, 0.22],
  [0.1, 0.02],
  [0.3, 0],
  [-0.4, 0.52],
  [-1, 0.6],
])
  test(`a jump that came ${drift} s from where it should costs ${cost} s from now on`, () => {
    const { pair, play, leader, follower } = openPair();
    play();
    leader.seek(30);
    leader.busyUntil = -1;
    pair.tick(leader, follower);
    follower.seek(30 + drift);
    follower.busyUntil = -1;
    pair.tick(leader, follower);
    assert.ok(Math.abs(pair.cost - cost) < 1e-9, `${pair.cost}`);
    pair.tick(leader, follower);
    assert.ok(Math.abs(pair.cost - cost) < 1e-9, "it is learnt once");
  });
