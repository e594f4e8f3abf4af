import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { openDashboard } from "./dashboard.mjs";
import { load, openFilm, settled, skip, until } from "./room.mjs";

const HLS = "application/vnd.apple.mpegurl";
const video = (...kinds) => `<video>${kinds.map((kind) => `<source type="${kind}">`).join("")}</video>`;
const SPARE = `<template data-embed><iframe src="https://video.example/embed/1?lang=en"></iframe></template>`;
const stage = (inner, length = 60) =>
  `<div data-player="native" data-length="${length}" data-start="0">${inner}<p data-no-picture hidden></p></div>`;

/** The player of a page as it is opened; `plays`: whether this browser plays HLS by itself. */
async function openPlayer(body, { film = null, plays = "" } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(body);
  page.window.HTMLMediaElement.prototype.canPlayType = () => plays;
  const { player } = await load("review_portal/player.js");
  const events = [];
  for (const name of ["time", "state", "length", "buffer", "speed", "sound", "changed"])
    player.addEventListener(name, () => events.push(name));
  if (player.falling && page.one("template")) await until(() => player.kind !== "typed");
  await settled();
  if (film) player.take(openFilm(film));
  return Object.assign(page, {
    player,
    took: () => events.splice(0),
    async breaks() {
      const { inner } = player;
      inner.dispatchEvent(new Event("broken"));
      inner.dispatchEvent(new Event("broken"));
      await until(() => player.inner !== inner);
      return inner;
    },
    shown: () => [player.kind, page.one("[data-player]").dataset.playing, page.one("[data-no-picture]").hidden],
    elements: () => ["video", "iframe", "template"].filter((name) => page.one(name)),
  });
}

for (const [what, body, kind, elements, isFilm = true, plays = ""] of [
  ["a file plays in the browser's video", video("video/mp4"), "native", ["video"]],
  ["a file among others does", video(HLS, "video/mp4") + SPARE, "native", ["video", "template"]],
  ["a stream does where the browser plays it", video(HLS), "native", ["video"], true, "maybe"],
  ["a stream that the browser does not play is the platform's", video(HLS) + SPARE, "embedded", ["iframe"]],
  ["the platform's player comes where there is no file", SPARE, "embedded", ["iframe"]],
  ["a stream alone that nothing plays leaves a typed time", video(HLS), "typed", [], false],
  ["a video without a file leaves a typed time", video(), "typed", [], false],
  ["without any film times are typed", "", "typed", [], false],
])
  test(what, { skip }, async () => {
    const page = await openPlayer(stage(body), { plays });
    assert.deepEqual(page.shown(), [kind, kind, isFilm]);
    assert.deepEqual(page.elements(), elements);
  });

test("a page without a stage has a clock that is typed", { skip }, async () => {
  const { player } = await openPlayer("");
  player.seek(-3);
  assert.deepEqual([player.kind, player.length, player.time, player.paused, player.second], ["typed", 0, 0, true, 0]);
  player.seek(200.4);
  for (const act of ["play", "pause", "step", "full", "captions"]) player[act]();
  assert.deepEqual([player.time, player.second, player.frame, player.paused], [200.4, 200, "", true]);
  assert.deepEqual([player.speed, player.muted, player.buffered(), player.languages()], [1, false, [], []]);
});

test("a typed time tells the page where it is", { skip }, async () => {
  const page = await openPlayer(stage(""));
  page.took();
  page.player.seek(12);
  assert.deepEqual([page.took(), page.player.time], [["time"], 12]);
});

test(
  "a film that breaks gives way to the platform's player, at its place and as loud as it was",
  { skip },
  async () => {
    const page = await openPlayer(stage(video("video/mp4") + SPARE), { film: { time: 12.5, muted: true } });
    page.player.volume = 40;
    const broken = await page.breaks();
    assert.equal(broken.volume, 40);
    assert.deepEqual(page.shown(), ["embedded", "embedded", true]);
    assert.deepEqual(page.elements(), ["iframe"]);
    const { inner } = page.player;
    assert.deepEqual([inner.time, inner.level, inner.muted], [12.5, 0.4, true]);
    assert.ok(page.took().includes("changed"));
    broken.dispatchEvent(new Event("time"));
    broken.dispatchEvent(new Event("mute"));
    assert.deepEqual(page.took(), [], "nobody listens to the old one");
    inner.dispatchEvent(new Event("broken"));
    await settled();
    assert.equal(page.player.inner === inner, true, "it falls once");
  },
);

test("a film that breaks at its beginning leaves the next one there", { skip }, async () => {
  const page = await openPlayer(stage(video("video/mp4") + SPARE), { film: {} });
  await page.breaks();
  const { inner } = page.player;
  assert.deepEqual([inner.time, inner.waiting, inner.muted], [0, undefined, false]);
  const early = await openPlayer(stage(video("video/mp4") + SPARE), { film: { time: 0.5 } });
  await early.breaks();
  assert.equal(early.player.inner.waiting, 0.5);
});

test(
  "a film that breaks with nothing beside it leaves a typed time, and says that there is no picture",
  { skip },
  async () => {
    const page = await openPlayer(stage(video("video/mp4")), { film: { time: 12.5 } });
    await page.breaks();
    assert.deepEqual([page.shown(), page.elements(), page.player.time], [["typed", "typed", false], [], 12.5]);
  },
);

test("a frame that says nothing stays, the time is typed, and seeking loads it anew", { skip }, async () => {
  const page = await openPlayer(stage(SPARE));
  const loaded = [];
  const frame = Object.assign(openFilm({ kind: "embedded", time: 7 }), { reload: (seconds) => loaded.push(seconds) });
  page.player.take(frame);
  page.took();
  frame.dispatchEvent(new Event("mute"));
  assert.deepEqual(page.shown(), ["typed", "typed", true], "a frame is a picture");
  assert.deepEqual([page.player.time, page.took()], [7, ["changed"]]);
  page.player.seek(20);
  mock.timers.tick(699);
  page.player.seek(21);
  mock.timers.tick(699);
  assert.deepEqual(loaded, []);
  mock.timers.tick(1);
  assert.deepEqual(loaded, [21], "a place that is still looked for loads no frame");
  page.player.seek(30);
  page.took();
  frame.dispatchEvent(new Event("heard"));
  assert.deepEqual(
    [page.shown(), page.took()],
    [
      ["embedded", "embedded", true],
      ["changed", "time"],
    ],
  );
  mock.timers.tick(700);
  assert.deepEqual(loaded, [21], "a frame that speaks after all is the player again");
  frame.dispatchEvent(new Event("time"));
  assert.deepEqual(page.took(), ["time"]);
  page.player.take(openFilm());
  frame.dispatchEvent(new Event("heard"));
  assert.equal(page.player.kind, "native", "it is heard once");
});

test("the player passes on what its film says", { skip }, async () => {
  const page = await openPlayer(stage(""), { film: {} });
  page.took();
  const names = ["time", "state", "length", "buffer", "speed", "sound"];
  for (const name of [...names, "other"]) page.player.inner.dispatchEvent(new Event(name));
  assert.deepEqual(page.took(), names);
});

test("the length is the one that the server knows, else whole seconds of the film", { skip }, async () => {
  assert.equal((await openPlayer(stage(""), { film: { length: 75.9 } })).player.length, 60);
  assert.equal((await openPlayer(stage("", 0), { film: { length: 75.9 } })).player.length, 75);
});

for (const [time, length, second] of [
  [12.9, 60, 12],
  [12.9995, 60, 13],
  [12.998, 60, 12],
  [60.4, 60, 60],
  [70, 60, 60],
  [-1, 60, 0],
  [70, 0, 70],
])
  test(`${time} of ${length} seconds is second ${second}`, { skip }, async () => {
    assert.equal((await openPlayer(stage("", length), { film: { time, length } })).player.second, second);
  });

test("seeking stays within the film, and within nothing where its length is unknown", { skip }, async () => {
  const { player } = await openPlayer(stage(""), { film: { time: 58 } });
  for (const seconds of [70, -4, 30]) player.seek(seconds);
  player.by(5);
  player.by(-40);
  assert.deepEqual(player.inner.took(), [60, 0, 30, 35, 0]);
  const unknown = (await openPlayer(stage("", 0), { film: { length: 0 } })).player;
  for (const seconds of [70, -4]) unknown.seek(seconds);
  assert.deepEqual(unknown.inner.took(), [70, 0]);
});

test("playing and pausing take turns, and only a still film steps", { skip }, async () => {
  const { player } = await openPlayer(stage(""), { film: {} });
  player.toggle();
  assert.equal(player.paused, false);
  player.step(1);
  player.toggle();
  player.step(-1);
  player.captions("de");
  player.full();
  assert.deepEqual(player.inner.took(), ["play", "pause", "step -1", "captions de", "full"]);
});

test("speed is set where the browser plays, and sound everywhere", { skip }, async () => {
  for (const [kind, speed] of [
    ["native", 2],
    ["embedded", 1],
  ]) {
    const { player } = await openPlayer(stage(""), {
      film: { kind, frame: 12480000, spoken: ["de"], ranges: [[0, 5]] },
    });
    Object.assign(player, { speed: 2, muted: true, volume: 30 });
    assert.deepEqual([player.speed, player.muted, player.inner.volume], [speed, true, 30]);
    assert.deepEqual([player.frame, player.languages(), player.buffered()], ["12480000", ["de"], [[0, 5]]]);
  }
});
