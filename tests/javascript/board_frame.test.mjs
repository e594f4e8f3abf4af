import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const IDS = ["a", "b", "c"];
const PAGE = `
  <div id="root"><button data-several aria-pressed="false"><b></b></button>
    <div id="board"><div id="plane"><i id="empty"></i>${IDS.map((id) => `<a href="#${id}" data-card="${id}"><b></b></a>`).join("")}</div></div>
  </div>`;

/** Cards of 192 by 124 at 0, 300 and 600, on a plane that begins at 10, 20. */
async function openFrame({ chosen = [], zoom = 1 } = {}) {
  const page = openDashboard(PAGE);
  const plane = page.one("#plane");
  plane.getBoundingClientRect = () => ({ left: 10, top: 20 });
  const said = [];
  const cards = new Map(IDS.map((id, at) => [id, { id, x: 300 * at, y: 0, element: page.one(`[data-card=${id}]`) }]));
  const board = {
    root: page.one("#root"),
    plane,
    scroller: page.one("#board"),
    cards,
    several: false,
    chosen: new Set(chosen),
    view: { zoom, place: ({ x, y }) => ({ x, y }) },
    order: () => [...cards.values()].reverse(),
    say: () => said.push([...board.chosen].join("")),
    choose: (ids) => {
      board.chosen = new Set(ids);
      board.choices = (board.choices ?? 0) + 1;
    },
  };
  const { frame } = await load("board_frame.js");
  frame(board);
  const pointer =
    (type) =>
    (x, y, { target = "#empty", kind = "mouse", ...more } = {}) => {
      const init = { bubbles: true, cancelable: true, clientX: x * zoom + 10, clientY: y * zoom + 20, ...more };
      const event = new page.window.MouseEvent(type, init);
      page.one(target).dispatchEvent(Object.assign(event, { pointerType: kind, pointerId: 1 }));
      return event.defaultPrevented;
    };
  return Object.assign(page, {
    board,
    said,
    down: pointer("pointerdown"),
    move: pointer("pointermove"),
    up: pointer("pointerup"),
    cancel: pointer("pointercancel"),
    chosen: () => [...board.chosen].join(""),
    box: () => {
      const { style } = page.one(".board__choice") ?? {};
      return style && ["--x", "--y", "--w", "--h"].map((name) => Number.parseFloat(style.getPropertyValue(name)));
    },
  });
}

test("a frame chooses the cards that it touches, and gives the first one the focus", { skip }, async () => {
  const page = await openFrame({ chosen: ["c"] });
  assert.ok(page.down(250, 200));
  page.move(254, 202);
  assert.deepEqual([page.chosen(), page.box()], ["c", undefined], "a trembling hand draws nothing");
  page.move(100, 50);
  assert.deepEqual([page.chosen(), page.box()], ["a", [100, 50, 150, 150]]);
  page.move(400, 50);
  assert.deepEqual([page.chosen(), page.box()], ["b", [250, 50, 150, 150]]);
  page.move(100, 100);
  page.move(310, 110);
  page.up(310, 110);
  assert.deepEqual(
    [page.chosen(), page.box(), page.said, page.hasFocus("[data-card=b]")],
    ["b", undefined, ["b"], true],
  );
  page.move(100, 50);
  page.up(100, 50);
  assert.deepEqual([page.chosen(), page.said], ["b", ["b"]]);
});

for (const [what, from, to, expected] of [
  ["beside the right edge of one", [192, 10], [250, 60], ""],
  ["over the right edge of one", [191, 10], [250, 60], "a"],
  ["beside the left edge of one", [250, 10], [300, 60], ""],
  ["over the left edge of one", [250, 10], [301, 60], "b"],
  ["below one", [0, 124], [100, 200], ""],
  ["over the lower edge of one", [0, 123], [100, 200], "a"],
  ["above one", [0, -50], [100, 0], ""],
  ["over the upper edge of one", [0, -50], [100, 1], "a"],
  ["over all", [-10, -10], [900, 300], "abc"],
  ["of five units", [100, 100], [103, 104], "a"],
])
  test(`a frame ${what} chooses ${expected || "none"}`, { skip }, async () => {
    for (const zoom of [1, 2]) {
      const page = await openFrame({ zoom });
      page.down(...from);
      page.move(...to);
      assert.equal(page.chosen(), expected);
    }
  });

for (const modifier of ["shiftKey", "ctrlKey", "metaKey", "several"])
  test(`with ${modifier} the frame comes to what was chosen`, { skip }, async () => {
    const page = await openFrame({ chosen: ["a"] });
    page.board.several = modifier === "several";
    page.down(-10, 10, { [modifier]: true });
    page.move(350, 60);
    assert.equal(page.chosen(), "ab");
    page.up(350, 60);
    assert.ok(page.hasFocus("[data-card=b]"), "the first one as the cards are read");
    page.down(250, 200, { [modifier]: true });
    page.up(250, 200);
    assert.equal(page.chosen(), "ab", "a press on an empty place gives up nothing");
  });

test("a press on an empty place gives up what was chosen", { skip }, async () => {
  const page = await openFrame({ chosen: ["a"] });
  page.down(250, 200);
  page.up(250, 200);
  assert.deepEqual([page.chosen(), page.said], ["", [""]]);
});

test("a frame that the browser ends is gone", { skip }, async () => {
  const page = await openFrame();
  page.down(250, 200);
  page.move(100, 50);
  page.cancel(100, 50);
  assert.deepEqual([page.box(), page.chosen()], [undefined, "a"]);
});

for (const [what, options] of [
  ["another button", { button: 2 }],
  ["a press on a card", { target: "[data-card=a] b" }],
  ["a finger", { kind: "touch" }],
])
  test(`${what} draws no frame`, { skip }, async () => {
    const page = await openFrame({ chosen: ["c"] });
    assert.equal(page.down(250, 200, options), false);
    page.move(100, 50);
    page.up(100, 50);
    assert.deepEqual([page.chosen(), page.said], ["c", []]);
  });

test("a finger draws while several are chosen, and scrolls again afterwards", { skip }, async () => {
  const page = await openFrame();
  const state = () => [
    page.board.several,
    page.one("[data-several]").getAttribute("aria-pressed"),
    page.one("#board").hasAttribute("data-choosing"),
  ];
  page.click("[data-several] b");
  assert.deepEqual(state(), [true, "true", true]);
  assert.ok(page.down(250, 200, { kind: "touch" }));
  page.move(100, 50);
  assert.equal(page.chosen(), "a");
  page.up(100, 50);
  page.click("[data-several]");
  assert.deepEqual(state(), [false, "false", false]);
});
