import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

async function openWatched(options) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  const page = await openRoom("", { film: { paused: false }, ...options });
  const script = await load("review_portal/watched.js");
  return Object.assign(page, script, {
    plays(...seconds) {
      for (const second of seconds) page.film.at(second);
    },
  });
}

for (const [what, seconds, runs, film] of [
  ["second after second is one run", [0, 0.5, 1, 2.2, 3], [[0, 4]]],
  [
    "at double speed has the seconds that were heard of",
    [0, 2, 4],
    [
      [0, 1],
      [2, 3],
      [4, 5],
    ],
  ],
  [
    "over a jump leaves it out",
    [0, 1, 30, 31],
    [
      [0, 2],
      [31, 32],
    ],
  ],
  [
    "over a gap of three seconds is still watched",
    [0, 3],
    [
      [0, 1],
      [3, 4],
    ],
  ],
  ["after a jump back is watched", [0, 1, 0, 1], [[0, 2]]],
  ["while it stands is not", [0, 1], [], { paused: true }],
  ["has no second after its last", [58, 58.5, 59, 60], [[59, 60]]],
  ["of unknown length has all that were seen", [0, 1, 2], [[0, 3]], { length: 0 }],
])
  test(`a film that plays ${what}`, { skip }, async () => {
    const page = await openWatched({ film: { paused: false, ...film } });
    page.plays(...seconds);
    assert.deepEqual(page.runs(), runs);
  });

test("what was watched before counts, in order, and the first gap is where to go on", { skip }, async () => {
  const page = await openWatched({
    kept: {
      watched: [
        [20, 30],
        [0, 10],
      ],
    },
  });
  assert.deepEqual(page.runs(), [
    [0, 10],
    [20, 30],
  ]);
  assert.deepEqual([page.unseen(), page.unseen(5), page.unseen(20), page.unseen(60)], [10, 10, 30, -1]);
  assert.equal(page.share(), 20 / 60);
  const all = await openWatched({ kept: { watched: [[0, 90]] } });
  assert.deepEqual([all.share(), all.unseen()], [1, -1], "never more than all");
  const unknown = await openWatched({ film: { length: 0 }, kept: { watched: [[0, 9]] } });
  assert.deepEqual([unknown.share(), unknown.unseen()], [0, -1]);
});

test("it is kept every three seconds, and when the page is left or hidden", { skip }, async () => {
  const page = await openWatched();
  const kept = () => [page.kept("watched"), page.kept("position")];
  page.save();
  assert.deepEqual(kept(), [null, null], "nothing to keep");
  page.plays(0, 1.5);
  mock.timers.tick(2999);
  assert.deepEqual(kept(), [null, null]);
  mock.timers.tick(1);
  assert.deepEqual(kept(), [[[0, 2]], 1]);
  page.plays(2);
  page.window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(kept(), [[[0, 3]], 2]);
  page.plays(3);
  page.fire(page.document, "visibilitychange");
  assert.deepEqual(kept(), [[[0, 4]], 3]);
  page.window.localStorage.removeItem("review:film:watched");
  page.save();
  assert.equal(page.kept("watched"), null, "the same is kept once");
});
