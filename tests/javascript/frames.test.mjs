import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openBarePage } from "./page.mjs";

openBarePage();
globalThis.HTMLVideoElement = { prototype: { requestVideoFrameCallback: null } };
globalThis.location = { pathname: "/film" };
const { Frames } = await load("review_portal/frames.js");
const { VideoFilm } = await load("review_portal/films.js");
const RATE = 15;

// A film that stands. A seek takes `seek` milliseconds, and after `paint` more the browser says which frame it shows.
class FakeVideo extends EventTarget {
  paused = true;
  duration = 60;
  seek = 30;
  paint = 10;
  isSilent = false;
  #time = 0;
  #calls = [];

  get currentTime() {
    return this.#time;
  }
  set currentTime(seconds) {
    this.#time = seconds;
    setTimeout(() => {
      if (this.#time === seconds) this.dispatchEvent(new Event("seeked"));
    }, this.seek);
    setTimeout(() => {
      if (this.#time === seconds && !this.isSilent) this.show(Math.floor(seconds * RATE + 1e-6) / RATE);
    }, this.seek + this.paint);
  }
  get frame() {
    return Math.floor(this.#time * RATE + 0.001);
  }
  show(mediaTime) {
    for (const call of this.#calls.splice(0)) call(0, { mediaTime });
  }
  requestVideoFrameCallback(call) {
    this.#calls.push(call);
    return call;
  }
  cancelVideoFrameCallback(call) {
    this.#calls = this.#calls.filter((other) => other !== call);
  }
  querySelector() {
    return null;
  }
}

async function ended(step) {
  let isOver = false;
  step.then(() => (isOver = true));
  while (!isOver) {
    mock.timers.tick(10);
    await new Promise(setImmediate);
  }
}

function open(values = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const video = Object.assign(new FakeVideo(), { currentTime: 10.02, ...values });
  return { video, frames: new Frames(video) };
}

for (const [name, values] of [
  ["quick", {}],
  ["that takes a second for a seek", { seek: 1000 }],
]) {
  test(`a step shows the next frame, on a machine ${name}`, async (t) => {
    t.after(() => mock.timers.reset());
    const { video, frames } = open(values);
    const shown = [];
    for (const direction of [1, 1, -1, -1, 1]) {
      await ended(frames.step(direction));
      shown.push(video.frame);
    }
    assert.deepEqual(shown, [151, 152, 151, 150, 151]);
    assert.ok(Math.abs(frames.length - 1 / RATE) < 1e-9);
  });
}

test("where the rate was measured a step is one frame from any place, whatever the browser says of it", async (t) => {
  t.after(() => mock.timers.reset());
  for (const place of [0, 0.3, 0.75, 0.99]) {
    const { video, frames } = open({ currentTime: (150 + place) / RATE, isSilent: place < 0.5 });
    frames.measured = 1 / RATE;
    await ended(frames.step(1));
    assert.equal(video.frame, 151, `from ${place}`);
    await ended(frames.step(-1));
    assert.equal(video.frame, 150, `back to the frame of ${place}`);
    mock.timers.reset();
  }
});

test("a length that was not seen is not kept: the next step looks again", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open();
  const step = frames.step(1);
  video.addEventListener("seeked", () => setTimeout(() => (video.isSilent = true), video.paint + 1), { once: true });
  await ended(step);
  assert.equal(frames.length, 0);
  video.isSilent = false;
  const before = video.frame;
  await ended(frames.step(1));
  assert.equal(video.frame, before + 1);
  assert.ok(Math.abs(frames.length - 1 / RATE) < 1e-9);
});

test("who goes elsewhere ends a step that is under way", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open();
  const step = frames.step(1);
  frames.leave();
  video.currentTime = 20;
  await ended(step);
  assert.equal(video.currentTime, 20);
});

test("a rate that a busy machine could not tell is measured by the frames that follow", (t) => {
  t.after(() => mock.timers.reset());
  const { video } = open();
  const film = new VideoFilm(video, 0);
  video.dispatchEvent(new Event("play"));
  let at = 0;
  for (const step of [1, 1.4, 1, 1.6, 2, 1, 1.3, 1, 2.5, 1.7, 1, 1.5, 1.2, 2.1, 1]) video.show((at += step / RATE));
  assert.equal(film.fps, 0);
  for (let frame = 0; frame < 45; frame++) video.show((at += 1 / RATE));
  assert.equal(film.fps, RATE);
  assert.ok(Math.abs(film.frames.measured - 1 / RATE) < 1e-9);
});

// What a browser shows of a film whose frames are so long, in seconds.
function openUneven(t, lengths, { at = 0, silent = false } = {}) {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ["setTimeout"] });
  const video = new FakeVideo();
  const starts = lengths.reduce((all, length) => [...all, all.at(-1) + length], [0]);
  const seeks = [];
  const frameAt = (seconds) => starts.findLastIndex((start) => start <= seconds + 1e-9);
  Object.defineProperty(video, "currentTime", {
    get: () => at,
    set(seconds) {
      at = seconds;
      seeks.push(seconds);
      setTimeout(() => {
        if (at !== seconds) return;
        video.dispatchEvent(new Event("seeked"));
        if (!silent) video.show(starts[frameAt(seconds)]);
      }, 10);
    },
  });
  return { video, frames: new Frames(video), seeks, shown: () => frameAt(at) };
}

test("a longer frame among shorter ones is stepped over whole", async (t) => {
  const { frames, shown } = openUneven(t, [0.04, 0.04, 0.09, 0.04, 0.04], { at: 0.001 });
  const seen = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await ended(frames.step(1));
    seen.push(shown());
  }
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test("frames of eight a second are found, slower ones are stepped over all the same", async (t) => {
  const eight = openUneven(t, Array(20).fill(0.125), { at: 1.01 });
  await ended(eight.frames.step(1));
  assert.deepEqual([eight.shown(), eight.frames.length], [9, 0.125]);
  mock.timers.reset();
  const slow = openUneven(t, Array(20).fill(0.14), { at: 1.13 });
  await ended(slow.frames.step(1));
  assert.deepEqual([slow.shown(), slow.frames.length], [9, 0]);
});

for (const rate of [50, 90])
  test(`at ${rate} frames a second a step is one of them, and the first is sought no farther than that`, async (t) => {
    const { frames, seeks, shown } = openUneven(t, Array(400).fill(1 / rate), { at: 100.2 / rate });
    const seen = [];
    for (const direction of [1, 1, 1, -1, -1, -1, -1]) {
      await ended(frames.step(direction));
      seen.push(shown());
      if (seen.length === 1) assert.ok(Math.max(...seeks) <= 101 / rate + 0.0105, "it stands where it was found");
    }
    assert.deepEqual(seen, [101, 102, 103, 102, 101, 100, 99]);
  });

test("where the browser does not say, a step is a thirtieth of a second", async (t) => {
  const { video, frames } = openUneven(t, [], { at: 10, silent: true });
  await ended(frames.step(1));
  assert.equal(Math.round(video.currentTime * 1000), Math.round(((300 + 1.5) / 30) * 1000));
  await ended(frames.step(-1));
  await ended(frames.step(-1));
  assert.equal(Math.floor(video.currentTime * 30 + 0.001), 299);
});

test("steps asked for while one is under way follow it, and those back take them away", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open();
  const first = frames.step(1);
  frames.step(1);
  frames.step(1);
  await ended(first);
  assert.equal(video.frame, 153);
  const next = frames.step(2);
  frames.step(-1);
  await ended(next);
  assert.equal(video.frame, 154);
  await ended(frames.step(-3));
  assert.equal(video.frame, 151);
});

test("a film that plays takes no steps, and none is left for when it stands", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open({ paused: false });
  const { frame } = video;
  await ended(frames.step(3));
  assert.equal(video.frame, frame);
  video.paused = true;
  await ended(frames.step(1));
  assert.equal(video.frame, frame + 1);
});

for (const looks of [1, 2, 3])
  test(`who goes elsewhere at look ${looks} of a step is not taken back`, async (t) => {
    t.after(() => mock.timers.reset());
    const { video, frames } = open();
    const step = frames.step(1);
    let seeks = 0;
    video.addEventListener("seeked", () => {
      seeks += 1;
      if (seeks !== looks) return;
      frames.leave();
      video.currentTime = 20;
    });
    await ended(step);
    assert.equal(video.currentTime, 20);
    await ended(frames.step(1));
    assert.equal(video.frame, 301, "and the next step is from there");
  });

test("a seek that is slow, or has to be waited for after it ended, is a browser that says it all the same", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open({ paint: 390 });
  await ended(frames.step(1));
  assert.equal(video.frame, 151);
  assert.ok(Math.abs(frames.length - 1 / RATE) < 1e-9);
});

test("at either end of the film a step stays in it", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open({ currentTime: 0.01 });
  await ended(frames.step(-1));
  assert.ok(video.currentTime >= 0 && video.frame === 0, `${video.currentTime}`);
  frames.measured = 1 / RATE;
  await ended(frames.step(-1));
  assert.ok(video.currentTime >= 0 && video.frame <= 0, `${video.currentTime}`);
  mock.timers.reset();
  const end = open({ currentTime: 59.97 });
  await ended(end.frames.step(1));
  assert.ok(end.video.currentTime <= 59.999, `${end.video.currentTime}`);
});

test("a frame that was just shown is not looked for again", async (t) => {
  const { frames, seeks } = openUneven(t, Array(40).fill(0.04), { at: 0.41 });
  await ended(frames.step(1));
  const first = seeks.length;
  mock.timers.tick(1000);
  await ended(frames.step(1));
  assert.deepEqual([first > 1, seeks.length - first], [true, 1]);
});

test("a film that does not say how long it is, or is very short, is stepped through", async (t) => {
  t.after(() => mock.timers.reset());
  const endless = open({ duration: NaN });
  await ended(endless.frames.step(1));
  assert.equal(endless.video.frame, 151);
  mock.timers.reset();
  const { video, frames, seeks } = openUneven(t, Array(5).fill(0.1), { at: 0.45 });
  video.duration = 0.5;
  await ended(frames.step(1));
  assert.ok(Math.max(...seeks) <= 0.499, `${seeks}`);
});

test("a second word about the same seek starts the waiting anew", async (t) => {
  t.after(() => mock.timers.reset());
  const { video, frames } = open({ paint: 600 });
  const step = frames.step(1);
  for (let at = 100; at <= 500; at += 100) setTimeout(() => video.dispatchEvent(new Event("seeked")), at);
  mock.timers.tick(700);
  await new Promise(setImmediate);
  assert.equal(Math.round(frames.begin * RATE), 150, "the browser was given the time to say it");
  await ended(step);
});

for (const [direction, frame] of [
  [1, 301],
  [-1, 299],
])
  test(`a step of ${direction} right after going elsewhere is one from there`, async (t) => {
    t.after(() => mock.timers.reset());
    const { video, frames } = open();
    const step = frames.step(1);
    mock.timers.tick(15);
    frames.leave();
    video.currentTime = 20.02;
    frames.step(direction);
    await ended(step);
    assert.equal(video.frame, frame);
  });
