import assert from "node:assert/strict";
import { test } from "node:test";

import { openDashboard } from "./dashboard.mjs";
import { load, settled, skip, until } from "./room.mjs";

const PAGE = `<video controls><source id="first"><source id="last"><track srclang="en"><track srclang="de"></video>`;
const STATES = { NETWORK_EMPTY: 0, NETWORK_IDLE: 1, NETWORK_LOADING: 2, NETWORK_NO_SOURCE: 3 };

/** The browser's video with what a test says of it; `shows` answers all who asked for the next frame. */
async function openVideo({ asks = true, cookie, ...values } = {}) {
  const page = openDashboard(PAGE, { url: "https://reelroom.example/12345678/reel" });
  if (cookie) page.document.cookie = cookie;
  const { prototype } = page.window.HTMLVideoElement;
  if (asks) prototype.requestVideoFrameCallback = () => {};
  const video = page.one("video");
  const done = [];
  const calls = new Map();
  const tracks = ["en", "de"].map((language) => ({ language, mode: "disabled" }));
  const all = {
    ...{ ...STATES, currentTime: 0, duration: 60, paused: true, readyState: 4, networkState: 1, error: null },
    ...{ playbackRate: 1, defaultPlaybackRate: 1, muted: false, volume: 1, textTracks: tracks },
    play: () => Promise.resolve(void done.push("play")),
    pause: () => void done.push("pause"),
    load: () => void done.push("load"),
    requestVideoFrameCallback: (call) => calls.set(calls.size + 1, call).size,
    cancelVideoFrameCallback: (call) => calls.delete(call),
    buffered: { length: 2, start: (n) => n * 10, end: (n) => n * 10 + 5 },
    ...values,
  };
  for (const [name, value] of Object.entries(all))
    Object.defineProperty(video, name, { value, writable: true, configurable: true });
  const { Native } = await load("review_portal/native.js");
  const film = new Native(video);
  const events = [];
  for (const name of ["time", "state", "length", "buffer", "speed", "sound", "broken"])
    film.addEventListener(name, () => events.push(name));
  return Object.assign(page, {
    ...{ film, video, tracks, calls },
    took: () => events.splice(0),
    done: () => done.splice(0),
    shows(mediaTime) {
      const asked = [...calls.values()];
      calls.clear();
      for (const call of asked) call(0, { mediaTime });
    },
  });
}

for (const [ours, ...theirs] of [
  ["time", "timeupdate", "seeking", "seeked"],
  ["state", "play", "pause", "ended"],
  ["length", "durationchange", "loadedmetadata"],
  ["buffer", "progress", "canplay", "suspend"],
  ["speed", "ratechange"],
  ["sound", "volumechange"],
  ["broken", "error"],
])
  test(`what the video says as ${theirs.join(", ")} is "${ours}"`, { skip }, async () => {
    const page = await openVideo({ asks: false });
    for (const name of [...theirs, "waiting"]) page.fire(page.video, name);
    assert.deepEqual(
      page.took(),
      theirs.map(() => ours),
    );
    assert.equal(page.video.controls, false, "our controls take the place of the browser's");
  });

test("a video is broken when its last file is, and not while another one is left", { skip }, async () => {
  const page = await openVideo();
  page.fire("#first", "error", { bubbles: false });
  assert.deepEqual(page.took(), []);
  page.fire("#last", "error", { bubbles: false });
  assert.deepEqual(page.took(), ["broken"]);
});

for (const [what, values, expected] of [
  ["failed", { error: {} }, ["broken"]],
  ["found nothing to play", { networkState: 3 }, ["broken"]],
  ["still looks", { networkState: 2 }, []],
  ["plays", {}, []],
])
  test(`a video that ${what} before anybody listened is ${expected.length ? "" : "not "}broken`, { skip }, async () => {
    const page = await openVideo(values);
    page.window.dispatchEvent(new Event("load"));
    assert.deepEqual(page.took(), expected);
    page.video.remove();
    page.window.dispatchEvent(new Event("load"));
    assert.deepEqual(page.took(), values.error ? ["broken"] : [], "one that is gone looks for nothing");
  });

test("a place is within the film, is told at once, and ends a step that is under way", { skip }, async () => {
  const page = await openVideo();
  for (const [seconds, at] of [
    [12.5, 12.5],
    [70, 60],
    [-3, 0],
  ]) {
    page.film.seek(seconds);
    assert.deepEqual([page.video.currentTime, page.film.time, page.took()], [at, at, ["time"]]);
  }
  assert.equal(page.film.frames.left, true);
  page.fire(page.video, "loadedmetadata");
  assert.deepEqual([page.video.currentTime, page.done()], [0, []]);
  const endless = await openVideo({ duration: Infinity });
  endless.film.seek(700);
  assert.deepEqual([endless.film.length, endless.video.currentTime], [0, 700]);
});

for (const [what, networkState, expected] of [
  ["that was never loaded", 0, ["load"]],
  ["that rests", 1, ["load"]],
  ["that loads", 2, []],
])
  test(`a place in a film ${what} is kept until it is known`, { skip }, async () => {
    const page = await openVideo({ readyState: 0, duration: NaN, networkState });
    page.film.seek(12);
    assert.deepEqual(page.done(), expected);
    page.video.currentTime = 0;
    page.fire(page.video, "loadedmetadata");
    assert.equal(page.video.currentTime, 12);
    page.video.currentTime = 20;
    page.fire(page.video, "loadedmetadata");
    assert.equal(page.video.currentTime, 20, "once");
  });

for (const [what, time, begin, microseconds] of [
  ["begins when the browser said", 12.5, 12.48, 12480000],
  ["begins where the video is, where it did not say", 12.5, undefined, 12500000],
  ["is not one that began long ago", 12.5, 12.2, 12500000],
  ["is not one that comes later", 12.5, 12.502, 12500000],
  ["may begin a rounding later", 12.5, 12.5005, 12500500],
  ["is never before the second that people read", 13.01, 12.98, 13000000],
  ["counts as the second it is about to be", 12.9995, 12.98, 13000000],
])
  test(`a frame ${what}`, { skip }, async () => {
    const page = await openVideo();
    page.video.paused = false;
    page.fire(page.video, "playing");
    page.shows(begin);
    page.video.currentTime = time;
    assert.equal(page.film.frame, microseconds);
    Object.assign(page.film.frames, { at: time, begin: Math.floor(time) + 0.3 });
    page.video.currentTime = time + 0.1;
    assert.notEqual(page.film.frame, Math.round((Math.floor(time) + 0.3) * 1e6));
  });

test("what a step saw of the frame goes before what was played", { skip }, async () => {
  const page = await openVideo({ currentTime: 12.5 });
  page.film.begin = 12.48;
  Object.assign(page.film.frames, { at: 12.5, begin: 12.44 });
  assert.equal(page.film.frame, 12440000);
});

test("frames are watched while the video plays, and a seek forgets the last one", { skip }, async () => {
  const page = await openVideo({ cookie: "film_rates=12345678:25" });
  page.video.paused = false;
  page.fire(page.video, "playing");
  page.fire(page.video, "playing");
  assert.equal(page.calls.size, 1, "one question at a time");
  page.shows(1);
  assert.equal(page.calls.size, 1);
  page.video.paused = true;
  page.shows(1.04);
  assert.deepEqual([page.calls.size, page.film.begin], [0, 1.04]);
  page.video.paused = false;
  page.fire(page.video, "playing");
  page.fire(page.video, "pause");
  assert.equal(page.calls.size, 0);
  page.fire(page.video, "seeking");
  assert.ok(Number.isNaN(page.film.begin));
  const plain = await openVideo({ asks: false });
  plain.fire(plain.video, "playing");
  assert.equal(plain.calls.size, 0, "not where the browser does not say");
});

test("the rate is measured when the video plays first, unless it is known", { skip }, async () => {
  const page = await openVideo();
  page.fire(page.video, "play");
  await until(() => page.calls.size);
  page.fire(page.video, "play");
  await settled();
  assert.equal(page.calls.size, 1);
  const known = await openVideo({ cookie: "film_rates=12345678:25" });
  await load("review_portal/rate.js");
  await known.film.measure();
  assert.equal(known.calls.size, 0);
});

test("the video is played, silenced and sped up, and says how it is", { skip }, async () => {
  const page = await openVideo();
  const { film, video } = page;
  Object.assign(film, { speed: 1.5, muted: true, volume: 40 });
  assert.deepEqual([film.speed, video.playbackRate, video.defaultPlaybackRate], [1.5, 1.5, 1.5]);
  assert.deepEqual([film.muted, video.muted, video.volume], [true, true, 0.4]);
  assert.deepEqual([film.kind, film.paused, film.length], ["native", true, 60]);
  film.play();
  film.pause();
  film.full();
  video.webkitEnterFullscreen = () => page.visited.push("full");
  film.full();
  assert.deepEqual([page.done(), page.visited], [["play", "pause"], ["full"]]);
  assert.deepEqual(film.buffered(), [
    [0, 5],
    [10, 15],
  ]);
  const steps = [];
  film.frames.step = (frames) => steps.push(frames);
  film.step(-1);
  assert.deepEqual(steps, [-1]);
});

test("a video that the browser does not let play says that it stands", { skip }, async () => {
  const page = await openVideo({ play: () => Promise.reject(new Error("not allowed")) });
  page.film.play();
  await settled();
  assert.deepEqual(page.took(), ["state"]);
  const old = await openVideo({ play: () => undefined });
  old.film.play();
  assert.deepEqual(old.took(), []);
});

test("captions are shown in one language, or none", { skip }, async () => {
  const { film, tracks } = await openVideo();
  assert.deepEqual(film.languages(), ["en", "de"]);
  for (const [language, modes] of [
    ["de", ["disabled", "showing"]],
    ["en", ["showing", "disabled"]],
    ["", ["disabled", "disabled"]],
  ]) {
    film.captions(language);
    assert.deepEqual(
      tracks.map(({ mode }) => mode),
      modes,
    );
  }
});
