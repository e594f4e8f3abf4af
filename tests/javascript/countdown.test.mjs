import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const MINUTE = 60000;

/** A link that ends in so many minutes; the server's words stand there first. */
async function openClock(minutes, { words = true, expiry = true, clock = true } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval", "Date"], now: 0 });
  const ends = new Date(minutes * MINUTE).toISOString();
  const time = clock ? `<time data-countdown datetime="${ends}">soon</time>` : "";
  const page = openDashboard(`${expiry ? `<p class="expiry">${time}</p>` : time}
    ${words ? '<i id="words" data-day="d" data-hour="h" data-minute="min"></i>' : ""}`);
  await load("review_portal/countdown.js");
  return Object.assign(page, {
    after(milliseconds) {
      mock.timers.tick(milliseconds);
      return [page.one("time").textContent, Boolean(page.one(".expiry--soon"))];
    },
  });
}

for (const [what, minutes, words, isSoon] of [
  ["two days and some hours", 2 * 1440 + 5 * 60 + 10, "2 d 5 h", false],
  ["a day", 1440.5, "1 d 0 h", false],
  ["less than a day", 1440, "23 h 59 min", true],
  ["an hour and a half", 90.5, "1 h 30 min", true],
  ["a minute", 1.5, "0 h 1 min", true],
  ["no whole minute", 0.75, "0 h 0 min", true],
])
  test(`a link with ${what} left says so`, { skip }, async () => {
    const page = await openClock(minutes);
    assert.deepEqual(page.after(29999), ["soon", false]);
    assert.deepEqual(page.after(1), [words, isSoon]);
  });

test("a link that is over keeps its last words", { skip }, async () => {
  const page = await openClock(1);
  assert.deepEqual(page.after(30000), ["0 h 0 min", true]);
  assert.deepEqual(page.after(90000), ["0 h 0 min", true]);
  assert.deepEqual((await openClock(0)).after(30000), ["soon", false]);
});

test("it counts down outside a box, not without words, and not where nothing ends", { skip }, async () => {
  assert.deepEqual((await openClock(90.5, { expiry: false })).after(30000), ["1 h 30 min", false]);
  assert.deepEqual((await openClock(90.5, { words: false })).after(30000), ["soon", false]);
  await openClock(90.5, { clock: false });
  mock.timers.tick(30000);
});
