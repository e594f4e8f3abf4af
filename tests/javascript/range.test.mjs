import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const PAGE = `<b data-range hidden></b><div data-span hidden></div>
  <button data-do="loop" hidden></button><button data-do="clear" hidden></button>`;

async function openBar(film = {}) {
  const page = await openRoom(PAGE, { words: { range: "{from} to {to}" }, film });
  const script = await load("review_portal/range.js");
  const { range } = script;
  const [span, loop] = [page.one("[data-span]"), page.one("[data-do=loop]")];
  return Object.assign(page, script, {
    loop,
    span,
    at(second, name) {
      page.film.time = second;
      page.act(name);
    },
    state: () => [range.from, range.to, range.loops, range.own],
    ends: () => ["--at", "--to"].map((name) => span.style.getPropertyValue(name)),
    hidden: () =>
      ["[data-range]", "[data-do=clear]", "[data-do=loop]", "[data-span]"].map((one) => page.one(one).hidden),
  });
}

for (const [what, acts, from, to, label] of [
  ["a beginning alone stays open", [[10, "in"]], 10, null, "0:10 to …"],
  ["an end alone stays open", [[15, "out"]], null, 15, "… to 0:15"],
  [
    "a beginning and an end are a range",
    [
      [10, "in"],
      [15, "out"],
    ],
    10,
    15,
    "0:10 to 0:15",
  ],
  [
    "an end may be set first",
    [
      [15, "out"],
      [10, "in"],
    ],
    10,
    15,
    "0:10 to 0:15",
  ],
  [
    "a beginning on the second of the old one takes it away",
    [
      [10, "in"],
      [15, "out"],
      [10, "in"],
    ],
    null,
    15,
    "… to 0:15",
  ],
  [
    "a beginning after the end takes the end away",
    [
      [10, "in"],
      [15, "out"],
      [20, "in"],
    ],
    20,
    null,
    "0:20 to …",
  ],
  [
    "a beginning on the end takes it away",
    [
      [10, "in"],
      [15, "out"],
      [15, "in"],
    ],
    15,
    null,
    "0:15 to …",
  ],
  [
    "an end before the beginning takes the beginning away",
    [
      [10, "in"],
      [5, "out"],
    ],
    null,
    5,
    "… to 0:05",
  ],
  [
    "an end on the beginning takes it away",
    [
      [10, "in"],
      [10, "out"],
    ],
    null,
    10,
    "… to 0:10",
  ],
  [
    "a film may begin with its range",
    [
      [0, "in"],
      [3, "out"],
    ],
    0,
    3,
    "0:00 to 0:03",
  ],
])
  test(what, { skip }, async () => {
    const page = await openBar();
    let changes = 0;
    page.range.addEventListener("change", () => (changes += 1));
    for (const [second, name] of acts) page.at(second, name);
    assert.deepEqual(page.state(), [from, to, false, true]);
    assert.equal(page.one("[data-range]").textContent, label);
    assert.deepEqual(page.hidden(), [false, false, !page.spans(), false]);
    assert.equal(page.spans(), from !== null && to !== null);
    assert.equal(changes, acts.length);
  });

test("a range stands on the bar at its place, and an open one as a line", { skip }, async () => {
  const page = await openBar();
  page.at(15, "in");
  assert.deepEqual(page.ends(), ["25%", "25%"]);
  page.at(30, "out");
  assert.deepEqual([page.ends(), page.text()], [["25%", "50%"], "0:15-0:30"]);
  page.set(45, 90);
  assert.deepEqual(page.ends(), ["75%", "100%"]);
  page.set(null, 30);
  assert.deepEqual(page.ends(), ["0%", "50%"]);
  page.act("clear");
  assert.deepEqual(page.state(), [null, null, false, true]);
  assert.deepEqual(page.hidden(), [true, true, true, true]);
  const unknown = await openBar({ length: 0 });
  unknown.set(1, 2);
  assert.deepEqual(unknown.hidden(), [false, false, false, true], "no bar without a length");
});

test("a range can be looped while it is one", { skip }, async () => {
  const page = await openBar();
  page.act("loop");
  assert.equal(page.range.loops, false);
  page.set(10, 15, { own: false });
  page.act("loop");
  assert.deepEqual(page.state(), [10, 15, true, false]);
  assert.equal(page.loop.getAttribute("aria-pressed"), "true");
  page.set(11, 15);
  assert.deepEqual(page.state(), [11, 15, true, true], "a moved one goes on");
  page.act("loop");
  assert.deepEqual([page.range.loops, page.loop.getAttribute("aria-pressed")], [false, "false"]);
  page.act("loop");
  page.set(15, 15);
  assert.deepEqual([page.spans(), page.range.loops], [false, false]);
});

for (const [what, [from, to], length, expected] of [
  ["in the middle", [10, 12], 60, [8, 15]],
  ["of one moment", [10, 10], 60, [8, 13]],
  ["whose end is before it", [10, 5], 60, [8, 13]],
  ["at the beginning", [1, 1], 60, [0, 4]],
  ["at the end", [59, 59], 60, [57, 60]],
  ["in a film of unknown length", [100, 100], 0, [98, 103]],
])
  test(`a comment ${what} plays over and over, with what is around it`, { skip }, async () => {
    const page = await openBar({ length });
    page.loopAround(from, to);
    assert.deepEqual(page.state(), [...expected, true, false]);
    assert.deepEqual(page.film.took(), [expected[0], "play"]);
  });

test("who sets a beginning or an end while a comment is looped begins a range of their own", { skip }, async () => {
  for (const [name, expected] of [
    ["in", [8, null, false, true]],
    ["out", [null, 8, false, true]],
  ]) {
    const page = await openBar();
    page.loopAround(10, 10);
    page.at(8, name);
    assert.deepEqual(page.state(), expected);
  }
});

for (const [what, time, values, loops, seeks] of [
  ["at its end goes back", 15, {}, true, [10]],
  ["past its end goes back", 20, {}, true, [10]],
  ["far before it comes in", 9.4, {}, true, [10]],
  ["just before it plays on", 9.5, {}, true, []],
  ["inside plays on", 14.9, {}, true, []],
  ["at its end, paused, stays", 15, { paused: true }, true, []],
  ["at the end of a range without a loop plays on", 15, {}, false, []],
])
  test(`a looped film ${what}`, { skip }, async () => {
    const page = await openBar({ paused: false, ...values });
    page.set(10, 15, { loops });
    page.film.at(time);
    assert.deepEqual(page.film.took(), seeks);
  });

test("a page without a bar has no range to set", { skip }, async () => {
  const page = await openRoom("");
  const { range } = await load("review_portal/range.js");
  page.act("in");
  assert.equal(range.from, null);
});
