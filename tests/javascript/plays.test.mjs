import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const FORM = `<form data-plays method="post"><button></button></form><div data-fails hidden></div>`;
const VIDEO = `<div data-film><video><source src="/film.mp4"></video></div>`;
const FRAME = `<div data-film><iframe src="https://player.example/embed"></iframe></div>`;

async function openCheck(t, film, form = FORM) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(film + form);
  let time = 0;
  if (film === VIDEO) Object.defineProperty(page.one("video"), "currentTime", { get: () => time });
  await load("plays.js");
  return Object.assign(page, {
    passes: (milliseconds) => t.mock.timers.tick(milliseconds),
    state: () => [page.submitted.length, !page.one("[data-fails]").hidden],
    runs(to) {
      time = to;
      page.fire("video", "timeupdate");
    },
    hears(message) {
      const { contentWindow: source } = page.one("iframe");
      const event = new page.window.MessageEvent("message", {
        data: message,
        source,
        origin: "https://player.example",
      });
      page.window.dispatchEvent(event);
    },
  });
}

test("a film that runs says so to the server, once", { skip }, async (t) => {
  const page = await openCheck(t, VIDEO);
  page.fire("video", "play");
  page.runs(0);
  assert.deepEqual(page.state(), [0, false]);
  page.runs(0.2);
  page.runs(0.4);
  page.passes(60_000);
  assert.deepEqual(page.state(), [1, false]);
});

test("a film that does not run in time shows what helps", { skip }, async (t) => {
  const page = await openCheck(t, VIDEO);
  page.passes(60_000);
  assert.deepEqual(page.state(), [0, false], "nobody pressed play");
  page.fire("video", "play");
  page.passes(11_999);
  assert.deepEqual(page.state(), [0, false]);
  page.passes(1);
  assert.deepEqual(page.state(), [0, true]);
});

for (const target of ["video", "source"])
  test(`an error of the ${target} shows what helps`, { skip }, async (t) => {
    const page = await openCheck(t, VIDEO);
    page.fire(target, "error", { bubbles: false });
    assert.deepEqual(page.state(), [0, true]);
  });

test("the platform's player says so as well, or shows what helps", { skip }, async (t) => {
  const page = await openCheck(t, FRAME);
  page.hears({ message: "panda_timeupdate", currentTime: 0 });
  assert.deepEqual(page.state(), [0, false]);
  page.hears({ message: "panda_timeupdate", currentTime: 1 });
  assert.deepEqual(page.state(), [1, false]);
  t.mock.timers.reset();
  const silent = await openCheck(t, FRAME);
  silent.passes(20_000);
  assert.deepEqual(silent.state(), [0, true]);
});

test("a check that is done asks for nothing", { skip }, async (t) => {
  const page = await openCheck(t, VIDEO, "");
  page.runs(1);
  page.fire("video", "error");
  assert.equal(page.submitted.length, 0);
});
