import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

async function openPlayer({ start = "", isReady = true, isAround = true, length = 60, refuses = false } = {}) {
  const page = openDashboard(`<video data-player="film-1" data-start="${start}"></video>`);
  const video = page.one("video");
  const told = [];
  const around = { postMessage: (message, to) => told.push([message, to]) };
  if (isAround) Object.defineProperty(page.window, "parent", { value: around, configurable: true });
  const film = { time: 0, calls: [] };
  for (const [name, value] of Object.entries({
    readyState: isReady ? 1 : 0,
    duration: length,
    paused: true,
    playbackRate: 1.5,
  }))
    Object.defineProperty(video, name, { value, configurable: true });
  Object.defineProperty(video, "currentTime", {
    get: () => film.time,
    set(time) {
      film.time = time;
    },
  });
  video.play = async () => {
    film.calls.push("play");
    if (refuses) throw new Error("no gesture");
  };
  video.pause = () => film.calls.push("pause");
  await load("player_page.js");
  const say = (data, source = around) =>
    page.window.dispatchEvent(Object.assign(new page.window.Event("message"), { data, source }));
  return Object.assign(page, {
    video,
    film,
    say,
    told: () => told.splice(0).map(([{ message }]) => message.replace("panda_", "")),
    all: told,
  });
}

test("the page around hears which film is ready, and how long it is", { skip }, async () => {
  const { all } = await openPlayer();
  const film = { video: "film-1", currentTime: 0 };
  assert.deepEqual(all, [
    [{ message: "panda_ready", ...film }, "*"],
    [{ message: "panda_allData", ...film, playerData: { duration: 60, paused: true, volume: 1 } }, "*"],
  ]);
});

test("a film that is no film yet is ready once it is", { skip }, async () => {
  const page = await openPlayer({ isReady: false });
  assert.deepEqual(page.told(), []);
  page.fire("video", "loadedmetadata");
  page.fire("video", "loadedmetadata");
  assert.deepEqual(page.told(), ["ready", "allData"]);
});

for (const [start, time] of [
  ["12.5", 12.5],
  ["90", 60],
  ["0", 0],
  ["-3", 0],
  ["", 0],
])
  test(`a film that starts at "${start}" starts at ${time}`, { skip }, async () => {
    assert.equal((await openPlayer({ start })).film.time, time);
  });

for (const name of ["canplay", "play", "pause", "timeupdate", "progress", "seeking", "seeked", "ended", "error"])
  test(`the page around hears ${name}`, { skip }, async () => {
    const page = await openPlayer();
    page.told();
    page.fire("video", name);
    assert.deepEqual(page.told(), [name]);
  });

test("the page around hears the speed and the whole screen", { skip }, async () => {
  const page = await openPlayer();
  page.told();
  page.fire("video", "ratechange");
  assert.deepEqual([page.all[0][0].speed, page.told()], [1.5, ["speed_update"]]);
  Object.defineProperty(page.document, "fullscreenElement", { value: page.video, configurable: true });
  page.fire(page.document, "fullscreenchange");
  Object.defineProperty(page.document, "fullscreenElement", { value: null });
  page.fire(page.document, "fullscreenchange");
  assert.deepEqual(page.told(), ["enterfullscreen", "exitfullscreen"]);
});

for (const [data, expected] of [
  [{ type: "play" }, { calls: ["play"] }],
  [{ type: "pause" }, { calls: ["pause"] }],
  [{ type: "currentTime", parameter: 20 }, { time: 20 }],
  [{ type: "currentTime", parameter: 99 }, { time: 60 }],
  [{ type: "currentTime", parameter: -1 }, { time: 0 }],
  [{ type: "currentTime", parameter: "20" }, {}],
  [{ type: "currentTime" }, {}],
  [{ type: "volume", parameter: 0.25 }, { volume: 0.25 }],
  [{ type: "volume", parameter: 3 }, { volume: 1 }],
  [{ type: "volume", parameter: -3 }, { volume: 0 }],
  [{ type: "volume", parameter: Number.NaN }, {}],
  [{ type: "toString" }, {}],
  [{ type: "load", parameter: 1 }, {}],
  ["play", {}],
  [null, {}],
  [undefined, {}],
])
  test(`${JSON.stringify(data)} from the page around does ${JSON.stringify(expected)}`, { skip }, async () => {
    const page = await openPlayer();
    const state = () => ({ time: page.film.time, volume: page.video.volume, calls: page.film.calls });
    page.film.time = 5;
    page.video.volume = 0.5;
    page.say(data, {});
    assert.deepEqual(state(), { time: 5, volume: 0.5, calls: [] }, "others are not heard");
    page.say(data);
    assert.deepEqual(state(), { time: 5, volume: 0.5, calls: [], ...expected });
  });

test("a film of unknown length is sought anywhere", { skip }, async () => {
  const page = await openPlayer({ length: Number.NaN });
  page.say({ type: "currentTime", parameter: 99 });
  assert.equal(page.film.time, 99);
});

test("a film that may not play says that it does not", { skip }, async () => {
  const page = await openPlayer({ refuses: true });
  page.told();
  page.say({ type: "play" });
  await settled();
  assert.deepEqual(page.told(), ["pause"]);
});

test("a player that stands alone tells nobody", { skip }, async () => {
  const page = await openPlayer({ isAround: false });
  let heard = 0;
  page.window.postMessage = () => (heard += 1);
  page.fire("video", "play");
  assert.equal(heard, 0);
  openDashboard("<p></p>");
  await load("player_page.js");
});
