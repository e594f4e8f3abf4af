import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const WORDS = { speed: "Speed {n}", backwards: "Backwards {n}" };

async function openDesk({ film, settings } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  let beat = null; // a mocked interval that is cleared in its own turn goes on
  globalThis.setInterval = (act, every) => {
    beat = { act, every, next: now + every };
    return beat;
  };
  globalThis.clearInterval = (one) => {
    if (one === beat) beat = null;
  };
  const page = await openRoom("<p data-announce></p>", { words: WORDS, film: { time: 30, ...film }, settings });
  globalThis.performance = { now: () => now };
  const { press } = await load("review_portal/shuttle.js");
  return Object.assign(page, {
    keys: (text) => [...text].map((key) => press(key, { held: false, repeat: false })),
    held: (key) => press(key, { held: true, repeat: false }),
    holds: (key) => press(key, { held: false, repeat: true }),
    passes(milliseconds, times = 1) {
      for (let turn = 0; turn < times; turn += 1) {
        now += milliseconds;
        if (beat?.next <= now) {
          beat.next = now + beat.every;
          beat.act();
        }
      }
    },
    said() {
      mock.timers.tick(60);
      return page.one("[data-announce]").textContent;
    },
  });
}

for (const [keys, speed, words, film] of [
  ["l", 1, "Speed 1"],
  ["ll", 2, "Speed 2"],
  ["lll", 4, "Speed 4"],
  ["llll", 8, "Speed 8"],
  ["lllll", 8, "Speed 8"],
  ["l", 2, "Speed 2", { paused: false }],
  ["ljl", 1, "Speed 1"],
  ["llkl", 1, "Speed 1"],
])
  test(`${keys} ${film ? "on a film that plays " : ""}plays at ${speed}`, { skip }, async () => {
    const page = await openDesk({ film });
    page.keys(keys);
    assert.deepEqual([page.film.speed, page.film.paused, page.said()], [speed, false, words]);
  });

for (const [keys, back, words, film] of [
  ["j", 1, "Backwards 1"],
  ["jj", 2, "Backwards 2"],
  ["jjj", 4, "Backwards 4"],
  ["jjjj", 8, "Backwards 8"],
  ["jjjjj", 8, "Backwards 8"],
  ["j", 1, "Backwards 1", { paused: false }],
  ["llj", 1, "Backwards 1"],
])
  test(`${keys} ${film ? "on a film that plays " : ""}goes ${back} seconds back in one`, { skip }, async () => {
    const page = await openDesk({ film });
    page.keys(keys);
    page.film.took();
    assert.equal(page.film.paused, true);
    page.passes(120);
    assert.equal(page.film.took().length, 1);
    assert.ok(Math.abs(page.film.time - (30 - back * 0.12)) < 1e-9);
    page.passes(120, 2);
    assert.ok(Math.abs(page.film.time - (30 - back * 0.36)) < 1e-9, "by the time that has passed");
    assert.equal(page.said(), words);
  });

test("a busy machine goes back as far as time has passed", { skip }, async () => {
  const page = await openDesk();
  page.keys("j");
  page.film.took();
  page.passes(119);
  assert.deepEqual(page.film.took(), []);
  page.passes(381);
  assert.ok(Math.abs(page.film.time - 29.5) < 1e-9);
});

test("going back ends at the beginning", { skip }, async () => {
  const page = await openDesk({ film: { time: 0.12 } });
  page.keys("j");
  page.passes(120);
  page.film.took();
  page.passes(120, 5);
  assert.deepEqual([page.film.time, page.film.took()], [0, []]);
  page.keys("j");
  assert.equal(page.said(), "Backwards 1", "it begins anew");
});

test("K stops, at the speed that was chosen", { skip }, async () => {
  for (const [keys, settings, speed] of [
    ["lll", {}, 1],
    ["jj", { speed: 1.5 }, 1.5],
  ]) {
    const page = await openDesk({ settings, film: { speed: settings.speed ?? 1 } });
    page.keys(`${keys}k`);
    page.film.took();
    page.passes(120, 3);
    assert.deepEqual([page.film.paused, page.film.speed, page.film.took()], [true, speed, []]);
  }
});

test("while K is held J and L are single frames, and a held key is one press", { skip }, async () => {
  const page = await openDesk();
  page.held("j");
  page.held("l");
  page.holds("l");
  page.holds("j");
  assert.deepEqual([page.film.took(), page.film.speed], [["step -1", "step 1"], 1]);
});

test("who plays or pauses in another way ends it", { skip }, async () => {
  const page = await openDesk();
  page.keys("jj");
  page.film.play();
  page.film.took();
  page.passes(120, 3);
  assert.deepEqual([page.film.took(), page.film.speed], [[], 1]);
  page.keys("ll");
  page.film.pause();
  assert.equal(page.film.speed, 1);
  page.keys("l");
  assert.equal(page.film.speed, 1, "from the beginning");
});
