import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

test("the bar shows what is left, and the page asks once when it is over", { skip }, async (t) => {
  const timers = new Map();
  t.mock.method(globalThis, "setInterval", (look) => timers.set("look", look) && "look");
  t.mock.method(globalThis, "clearInterval", (timer) => timers.delete(timer));
  let now = 5000;
  t.mock.method(performance, "now", () => now);
  const page = openDashboard('<progress max="10" value="10" data-hold="10"></progress>');
  await load("hold.js");
  let asked = 0;
  page.document.body.addEventListener("wake", () => (asked += 1));
  const after = (milliseconds) => {
    now += milliseconds;
    timers.get("look")?.();
    return [page.one("progress").value, asked];
  };
  assert.deepEqual(after(2500), [7.5, 0]);
  assert.deepEqual(after(7500), [0, 0]);
  assert.deepEqual(after(999), [0, 0], "whoever sends it may not have looked yet");
  assert.deepEqual(after(1), [0, 1]);
  assert.deepEqual(after(5000), [0, 1]);
});

test("a page where nothing is held asks nothing", { skip }, async (t) => {
  const timer = t.mock.method(globalThis, "setInterval", () => 1);
  openDashboard("<p></p>");
  await load("hold.js");
  assert.equal(timer.mock.callCount(), 0);
});
