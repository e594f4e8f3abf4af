import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const HERE = "/dashboard/review-links/inbox";
const EMBED = `<template data-embed><iframe src="https://player.example/embed"></iframe></template><p data-no-picture hidden></p>`;
const videoOf = (type) => `<video><source src="/film" type="${type}"></video>`;
const threadOf = (item, film, inner = videoOf("video/mp4") + EMBED, start = 0) => `
  <section id="thread" data-item="${item}"><div class="desk-watch__card">
    <div data-film="${film}" data-start="${start}" id="film-${item}">${inner}</div>
    <a id="at" href="${HERE}/${item}/?t=42"><b></b></a><a id="from" href="${HERE}/${item}/"></a><a id="other" href="${HERE}/z/?t=42"></a>
  </div><a id="beside" href="${HERE}/${item}/?t=42"></a></section>`;

/** What film.js asks for when it needs it has come. */
async function come() {
  await load("review_portal/embedded.js");
  await settled();
}

async function openFilm(t, thread, { canPlay = "" } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(`${thread}<section id="elsewhere"></section>`);
  const calls = [];
  const { prototype } = page.window.HTMLVideoElement;
  Object.assign(prototype, {
    canPlayType: () => canPlay,
    pause() {
      calls.push("pause");
      this.rests = true;
    },
    async play() {
      calls.push("play");
      this.rests = false;
    },
  });
  Object.defineProperty(prototype, "paused", {
    get() {
      return this.rests ?? true;
    },
  });
  Object.defineProperty(prototype, "duration", { get: () => 100 });
  const film = await load("inbox/film.js");
  await come();
  return Object.assign(page, film, {
    took: () => calls.splice(0),
    video: () => page.one("video"),
    async bring(next, target = "#thread") {
      page.one("#thread")?.remove();
      page.document.body.insertAdjacentHTML("afterbegin", next);
      page.fire(target, "htmx:afterSwap", { detail: {} });
      await come();
    },
  });
}

for (const [what, inner, canPlay, isNative] of [
  ["a file of the browser's", videoOf("video/mp4"), "", true],
  ["a stream that the browser knows", videoOf("application/vnd.apple.mpegurl"), "maybe", true],
  ["a stream that it does not know", videoOf("application/vnd.apple.mpegurl"), "", false],
  ["no file", "<img>", "", false],
])
  test(`${what} plays in the ${isNative ? "browser's own" : "platform's"} player`, { skip }, async (t) => {
    const page = await openFilm(t, threadOf("a", "x", inner + EMBED), { canPlay });
    assert.deepEqual(
      [page.all("video").length, page.all("img").length, page.all("iframe").length],
      isNative ? [1, 0, 0] : [0, 0, 1],
    );
    if (isNative) assert.ok(page.video().controls);
  });

test("a film without any player says so", { skip }, async (t) => {
  const page = await openFilm(t, threadOf("a", "x", "<img><p data-no-picture hidden></p>"));
  assert.deepEqual([page.one("[data-no-picture]").hidden, page.one("img")], [false, null]);
  page.toggle();
  page.stepFrames(1);
  assert.ok(page.click("#at") === false);
});

test("a film that breaks plays in the platform's player", { skip }, async (t) => {
  const page = await openFilm(t, threadOf("a", "x"));
  page.fire("video", "error");
  await come();
  assert.deepEqual([page.all("video").length, page.all("iframe").length], [0, 1]);
});

test("one key plays and pauses, others step while it rests", { skip }, async (t) => {
  const page = await openFilm(t, threadOf("a", "x"));
  const steps = () => page.video().currentTime;
  page.video().currentTime = 10;
  page.stepFrames(1);
  await settled();
  assert.notEqual(steps(), 10);
  page.toggle();
  await settled();
  const before = steps();
  page.stepFrames(1);
  assert.equal(steps(), before);
  page.toggle();
  assert.deepEqual(page.took(), ["play", "pause"]);
});

test("rows of one film share its player, at the moment of the row", { skip }, async (t) => {
  const page = await openFilm(t, threadOf("a", "x"));
  const first = page.video();
  await page.bring(threadOf("b", "x", undefined, 30));
  assert.ok(page.video() === first);
  assert.deepEqual([first.currentTime, page.all("video").length, page.took()], [30, 1, ["pause"]]);
  await page.bring(threadOf("c", "y"));
  assert.ok(page.video() !== first);
  assert.deepEqual(page.took(), ["pause"]);
  await page.bring('<section id="thread"></section>');
  assert.deepEqual(page.took(), ["pause"]);
  page.toggle();
  assert.deepEqual(page.took(), []);
});

test("a swap elsewhere leaves the film", { skip }, async (t) => {
  const page = await openFilm(t, threadOf("a", "x"));
  await page.bring(threadOf("b", "y"), "#elsewhere");
  assert.deepEqual([page.took(), page.video().controls], [[], false]);
});

for (const [target, more, isSought] of [
  ["#at b", {}, true],
  ["#at", { ctrlKey: true }, false],
  ["#at", { metaKey: true }, false],
  ["#at", { shiftKey: true }, false],
  ["#from", {}, false],
  ["#other", {}, false],
  ["#beside", {}, false],
])
  test(
    `${[...Object.keys(more), target].join(" ")} ${isSought ? "seeks in the film" : "is followed"}`,
    { skip },
    async (t) => {
      const page = await openFilm(t, threadOf("a", "x"));
      page.click(target, more);
      assert.deepEqual([page.video().currentTime, page.followed.length], isSought ? [42, 0] : [0, 1]);
    },
  );
