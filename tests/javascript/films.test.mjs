import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { openDashboard } from "./dashboard.mjs";
import { load, settled, skip } from "./room.mjs";

const HLS = "application/vnd.apple.mpegurl";

/** One of two compared films, which says "change", "broken" or "silent". */
async function openFilm({ fps = 25, kinds = ["video/mp4"], plays = "", counts = true, ...values } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const sources = kinds.map((kind) => `<source type="${kind}">`).join("");
  const page = openDashboard(`<video controls>${sources}</video><iframe src="https://video.example/1"></iframe>`);
  const { HTMLVideoElement: Video, HTMLMediaElement: Media } = page.window;
  if (counts) Video.prototype.requestVideoFrameCallback = () => {};
  Media.prototype.canPlayType = () => plays;
  const video = page.one("video");
  const done = [];
  const all = {
    ...{ currentTime: 0, duration: 60, paused: true, ended: false, seeking: false, readyState: 4, networkState: 1 },
    ...{ error: null, playbackRate: 1, muted: false },
    play: () => Promise.resolve(void done.push("play")),
    pause: () => void done.push("pause"),
    load: () => void done.push("load"),
    requestVideoFrameCallback: () => void done.push("asked"),
    ...values,
  };
  for (const [name, value] of Object.entries(all))
    Object.defineProperty(video, name, { value, writable: true, configurable: true });
  const { VideoFilm, FrameFilm } = await load("review_portal/films.js");
  const film = new VideoFilm(video, fps);
  const events = [];
  const listen = (one) => {
    for (const name of ["change", "broken", "silent"]) one.addEventListener(name, () => events.push(name));
  };
  listen(film);
  const took = () => events.splice(0);
  return Object.assign(page, { film, video, FrameFilm, listen, took, done: () => done.splice(0) });
}

test("a compared film is silent, has no controls of its own, and tells each change", { skip }, async () => {
  const page = await openFilm();
  assert.deepEqual([page.video.controls, page.video.muted, page.film.exact], [false, true, true]);
  for (const name of ["seeked", "play", "pause", "ended", "durationchange", "canplay", "waiting", "progress"])
    page.fire(page.video, name);
  assert.deepEqual(page.took(), Array(7).fill("change"));
  page.fire(page.video, "error");
  page.fire("source", "error", { bubbles: false });
  assert.deepEqual(page.took(), ["broken", "broken"]);
});

for (const [what, values, isBroken] of [
  ["that plays", {}, false],
  ["that failed", { error: {} }, true],
  ["that found nothing", { networkState: 3, readyState: 0 }, true],
  ["that found something", { networkState: 3, readyState: 1 }, false],
  ["that looks", { networkState: 2, readyState: 0 }, false],
  ["that the browser cannot play", { kinds: [HLS] }, true],
  ["that only some browsers play", { kinds: [HLS], plays: "maybe" }, false],
  ["of which it can play one", { kinds: [HLS, "video/mp4"] }, false],
  ["without a file", { kinds: [] }, true],
])
  test(`a film ${what} is ${isBroken ? "" : "not "}broken when it is opened`, { skip }, async () => {
    const page = await openFilm(values);
    assert.deepEqual(page.took(), []);
    mock.timers.tick(0);
    mock.timers.tick(1);
    assert.deepEqual(page.took(), isBroken ? ["broken"] : []);
  });

for (const [values, ready] of [
  [{ readyState: 2 }, true],
  [{ readyState: 1 }, false],
  [{ readyState: 4, seeking: true }, false],
  [{ readyState: 2, paused: false }, false],
  [{ readyState: 3, paused: false }, true],
  [{ readyState: 2, paused: false, ended: true }, true],
])
  test(`with ${JSON.stringify(values)} a film has ${ready ? "a" : "no"} picture`, { skip }, async () => {
    assert.equal((await openFilm(values)).film.ready, ready);
  });

test("a film is taken elsewhere within its length, and does what it is told", { skip }, async () => {
  const page = await openFilm();
  const { film, video } = page;
  for (const [seconds, at] of [
    [12.5, 12.5],
    [70, 60],
    [-3, 0],
  ]) {
    film.seek(seconds);
    assert.deepEqual([film.time, film.frames.left], [at, true]);
  }
  film.play();
  film.pause();
  film.retry(12);
  film.sound = true;
  assert.deepEqual([page.done(), video.muted, film.paused, film.length], [["play", "pause", "load"], false, true, 60]);
  assert.equal(film.time, 12);
  let sets = 0;
  Object.defineProperty(video, "playbackRate", {
    get: () => 1.5,
    set() {
      sets += 1;
    },
  });
  film.rate = 1.5;
  film.rate = 1.4;
  assert.deepEqual([film.rate, sets], [1.5, 1], "a speed that it has is not set again");
  film.frames.step = (frames) => frames;
  assert.equal(film.step(-1), -1);
  const endless = (await openFilm({ duration: Infinity })).film;
  endless.seek(700);
  assert.deepEqual([endless.length, endless.time], [0, 700]);
});

test("a film that may not play says so", { skip }, async () => {
  const page = await openFilm({ play: () => Promise.reject(new Error("not allowed")) });
  page.film.play();
  await settled();
  assert.deepEqual(page.took(), ["change"]);
  (await openFilm({ play: () => undefined })).film.play();
});

for (const [fps, counts, asked, measured] of [
  [25, true, [], 0.04],
  [0, true, ["asked"], 0],
  [0, false, [], 0],
])
  test(
    `a film of ${fps} frames a second is ${asked.length ? "" : "not "}measured when it plays first`,
    { skip },
    async () => {
      const page = await openFilm({ fps, counts });
      page.fire(page.video, "play");
      page.fire(page.video, "play");
      assert.deepEqual([page.done(), page.film.frames.measured], [asked, measured]);
    },
  );

test("the platform's player is a film that is not exact, and is silent at first", { skip }, async () => {
  const page = await openFilm();
  const frame = page.one("iframe");
  const film = new page.FrameFilm(frame);
  page.listen(film);
  assert.deepEqual(
    [film.exact, film.fps, film.rate, film.inner.muted, film.paused, film.ready],
    [false, 0, 1, true, true, false],
  );
  for (const name of ["time", "state", "length", "heard", "mute", "sound"]) film.inner.dispatchEvent(new Event(name));
  assert.deepEqual(page.took(), ["change", "change", "change", "change", "silent"]);
  Object.assign(film.inner, { ready: true, length: 60, paused: false });
  film.seek(12.5);
  film.sound = true;
  assert.deepEqual([film.time, film.length, film.ready, film.paused, film.inner.muted], [12.5, 60, true, false, false]);
  const told = [];
  film.inner.tell = (type) => told.push(type);
  film.play();
  film.pause();
  await film.step();
  film.retry(40);
  assert.deepEqual([told, frame.src], [["play", "pause", "currentTime"], "https://video.example/1?startTime=40"]);
  assert.equal(film.time, 40);
});
