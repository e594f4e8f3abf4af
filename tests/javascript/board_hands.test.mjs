import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const IDS = ["a", "b", "c"];
const PAGE = `
  <div id="root"><button data-undo></button><button data-redo></button><button data-fit></button>
    <a href="#tidy" data-tidy></a><button data-entry></button><button data-zoom="2"></button>
    <input id="side-x"><input id="side-y">
    <div id="board"><div id="plane"><i id="empty"></i>${IDS.map((id) => `<a href="#${id}" data-card="${id}" tabindex="0"><b></b></a>`).join("")}</div></div>
    ${IDS.map((id) => `<input id="x-${id}"><input id="y-${id}"><input type="radio" id="radio-${id}">`).join("")}
  </div>`;

/** The hands on a board that only notes what it is told, with cards at 100, 200 and 300. */
async function openHands({ chosen = [], several = false, zoom = 1 } = {}) {
  const page = openDashboard(PAGE);
  const calls = [];
  const note =
    (name) =>
    (...parts) =>
      void calls.push([name, ...parts]);
  const cards = new Map(
    IDS.map((id, place) => [
      id,
      {
        id,
        element: page.one(`[data-card=${id}]`),
        x: 100 * (place + 1),
        y: 0,
        fields: { x: page.one(`#x-${id}`), y: page.one(`#y-${id}`) },
        radio: page.one(`#radio-${id}`),
      },
    ]),
  );
  const board = {
    root: page.one("#root"),
    plane: page.one("#plane"),
    scroller: page.one("#board"),
    cards,
    chosen: new Set(chosen),
    several,
    entry: "a",
    view: { zoom, fit: note("fit"), times: note("times") },
    choose(ids, { more = false } = {}) {
      const list = [...ids];
      if (!more) board.chosen.clear();
      for (const id of list) if (!(more && board.chosen.delete(id))) board.chosen.add(id);
      calls.push(["choose", list.join(""), more]);
    },
    put(places) {
      for (const [id, { x, y }] of places) {
        Object.assign(cards.get(id), { x, y });
        calls.push(["put", id, x, y]);
      }
    },
    order: () => [...cards.values()],
    ...Object.fromEntries(
      ["commit", "move", "stop", "setEntry", "undo", "redo", "say", "side"].map((name) => [name, note(name)]),
    ),
  };
  (await load("board_hands.js")).hands(board);
  const pointer =
    (type) =>
    (target, x = 0, y = 0, more = {}) =>
      page.fire(target, type, { kind: "MouseEvent", clientX: x, clientY: y, ...more });
  return Object.assign(page, {
    board,
    calls,
    card: (id) => page.one(`[data-card=${id}]`),
    took: () => calls.splice(0),
    down: pointer("pointerdown"),
    drag: pointer("pointermove"),
    up: pointer("pointerup"),
    cancel: pointer("pointercancel"),
    key: (id, key, more) => page.press(id ? `[data-card=${id}] b` : "#empty", key, more),
  });
}

const RIGHT = (by) => [...["a"].map((id) => ["put", id, 100 + by, 0])];

test("a dragged card goes along on the grid, and letting go is one step", { skip }, async () => {
  const page = await openHands();
  page.down("[data-card=a] b", 10, 10);
  assert.deepEqual(page.took(), [["choose", "a", false]]);
  page.drag("#plane", 13, 13);
  assert.deepEqual(page.took(), [], "a trembling hand moves nothing");
  page.drag("#plane", 41, 10);
  page.drag("#plane", 12, 49);
  assert.deepEqual(page.took(), [
    ["put", "a", 140, 0],
    ["put", "a", 100, 40],
  ]);
  page.up("#plane");
  page.drag("#plane", 90, 90);
  page.up("#plane");
  assert.deepEqual(page.took(), [["commit"]]);
});

test("a drag that the browser ends puts the card back, and is no step", { skip }, async () => {
  const page = await openHands();
  page.down("[data-card=a]");
  page.drag("#plane", 40);
  page.took();
  page.cancel("#plane");
  page.cancel("#plane");
  assert.deepEqual(page.took(), RIGHT(0));
  page.down("[data-card=a]");
  page.took();
  page.cancel("#plane");
  assert.deepEqual(page.took(), [], "nor does it choose");
});

test("a drag counts zoom and scrolling, and with Alt each unit", { skip }, async () => {
  const page = await openHands({ zoom: 2 });
  Object.assign(page.board.scroller, { scrollLeft: 7, scrollTop: 5 });
  page.down("[data-card=a]");
  page.board.scroller.scrollLeft = 47;
  page.took();
  page.drag("#plane", 40, 0);
  page.drag("#plane", 11, 0, { altKey: true });
  page.board.scroller.scrollTop = 45;
  page.drag("#plane", 0, 40);
  assert.deepEqual(page.took(), [...RIGHT(40), ["put", "a", 126, 0], ["put", "a", 120, 40]]);
});

test("all chosen cards are dragged together, one beside them alone", { skip }, async () => {
  const page = await openHands({ chosen: ["a", "b"] });
  page.down("[data-card=b]");
  page.drag("#plane", 20);
  assert.deepEqual(page.took(), [
    ["put", "a", 120, 0],
    ["put", "b", 220, 0],
  ]);
  page.up("#plane");
  page.took();
  page.down("[data-card=c]");
  page.drag("#plane", 20);
  assert.deepEqual(page.took(), [
    ["choose", "c", false],
    ["put", "c", 320, 0],
  ]);
});

for (const [what, options, modifiers] of [
  ["Choose several", { several: true }, {}],
  ["Shift", {}, { shiftKey: true }],
  ["Ctrl", {}, { ctrlKey: true }],
  ["Cmd", {}, { metaKey: true }],
])
  test(`with ${what} a card comes to those that are chosen`, { skip }, async () => {
    const page = await openHands({ chosen: ["a"], ...options });
    page.down("[data-card=b]", 0, 0, modifiers);
    assert.deepEqual(page.took(), []);
    page.up("#plane");
    assert.deepEqual(page.took(), [["choose", "b", true]]);
    page.down("[data-card=c]", 0, 0, modifiers);
    page.drag("#plane", 20);
    assert.deepEqual(
      page.took().map(([name, id]) => name + id),
      ["choosec", "puta", "putb", "putc"],
    );
  });

test("a press of another button, and one beside the cards, drags nothing", { skip }, async () => {
  const page = await openHands();
  page.down("[data-card=a]", 0, 0, { button: 2 });
  page.down("#empty");
  page.drag("#plane", 50);
  page.up("#plane");
  assert.deepEqual(page.took(), []);
  assert.deepEqual([page.click("[data-card=a] b"), page.click("#empty")], [true, false]);
});

test("the card that gets the focus is the stop of Tab, and chosen where none is", { skip }, async () => {
  const page = await openHands();
  page.fire("#empty", "focusin");
  page.down("[data-card=a]");
  page.board.chosen.clear();
  page.took();
  page.fire("[data-card=a]", "focusin");
  assert.deepEqual(page.took(), [["stop", "a"]], "not while a press chooses");
  page.cancel("#plane");
  page.fire("[data-card=b]", "focusin");
  page.fire("[data-card=c]", "focusin");
  assert.deepEqual(page.took(), [
    ["stop", "b"],
    ["choose", "b", false],
    ["stop", "c"],
  ]);
});

for (const [chosen, id, key, more, expected] of [
  ["a", "a", "ArrowLeft", {}, [["move", -20, 0, "arrows a"]]],
  ["a", "a", "ArrowRight", {}, [["move", 20, 0, "arrows a"]]],
  ["a", "a", "ArrowUp", { shiftKey: true }, [["move", 0, -100, "arrows a"]]],
  ["ab", "a", "ArrowDown", {}, [["move", 0, 20, "arrows a,b"]]],
  [
    "a",
    "b",
    "ArrowDown",
    {},
    [
      ["choose", "b", false],
      ["move", 0, 20, "arrows b"],
    ],
  ],
  ["a", "a", "ArrowDown", { altKey: true }, null],
  ["a", "a", "ArrowDown", { ctrlKey: true }, null],
  ["a", "", "ArrowDown", {}, null],
  ["a", "a", "PageDown", {}, [["choose", "b", false], ["stop", "b"], ["say"]]],
  ["b", "b", "PageUp", {}, [["choose", "a", false], ["stop", "a"], ["say"]]],
  ["c", "c", "PageDown", {}, [["choose", "c", false], ["stop", "c"], ["say"]]],
  ["a", "a", "End", { ctrlKey: true }, [["stop", "c"], ["say"]]],
  ["c", "c", "Home", { metaKey: true }, [["stop", "a"], ["say"]]],
  ["c", "c", "Home", { shiftKey: true }, [["choose", "a", true], ["stop", "a"], ["say"]]],
  ["bc", "c", "PageUp", { shiftKey: true }, [["stop", "b"], ["say"]]],
  ["a", "", "PageDown", {}, null],
  ["a", "b", " ", {}, [["choose", "b", true]]],
  ["a", "", " ", {}, null],
  ["a", "b", "Enter", {}, [["choose", "b", false]]],
  ["a", "", "Enter", {}, null],
  ["a", "", "Escape", {}, [["choose", "", false]]],
  ["", "", "a", { ctrlKey: true }, [["choose", "abc", false]]],
  ["", "", "z", { metaKey: true }, [["undo"]]],
  ["", "", "y", { ctrlKey: true }, [["redo"]]],
  ["", "", "Z", { ctrlKey: true, shiftKey: true }, [["redo"]]],
  ["", "", "z", {}, null],
  ["", "", "x", { ctrlKey: true }, null],
])
  test(
    `${[...Object.keys(more), key].join(" ")} on ${id || "no card"} with ${chosen || "none"} chosen`,
    { skip },
    async () => {
      const page = await openHands({ chosen: [...chosen] });
      assert.equal(page.key(id, key, more), expected !== null);
      assert.deepEqual(page.took(), expected ?? []);
      if (key === "Enter" && id) assert.ok(page.hasFocus("#side-x"));
    },
  );

for (const [axis, value, expected] of [
  ["x", "120", [["move", 20, 0]]],
  ["y", " -4,5 ", [["move", 0, -4.5]]],
  ["x", "100", []],
  ["x", "", [["side"]]],
  ["x", "wide", [["side"]]],
])
  test(`"${value}" for ${axis} beside the board moves what is chosen`, { skip }, async () => {
    const page = await openHands({ chosen: ["a", "b"] });
    const field = page.one(`#side-${axis}`);
    field.value = value;
    page.fire(field, "change");
    assert.deepEqual(page.took(), expected);
    assert.ok(page.press(field, "Enter"));
    assert.deepEqual(page.took(), expected);
    assert.equal(page.press(field, "1"), false);
    assert.deepEqual(page.took(), []);
    page.press(field, "Escape");
    assert.ok(page.hasFocus(page.card("a")));
  });

test("without a chosen card the fields beside the board move nothing", { skip }, async () => {
  const page = await openHands();
  page.one("#side-x").value = "5";
  page.fire("#side-x", "change");
  page.press("#side-x", "Escape");
  assert.deepEqual(page.took(), [["side"]]);
});

for (const [value, expected] of [
  ["120,5", [["put", "b", 200, 120.5], ["commit"]]],
  ["", []],
  ["wide", []],
])
  test(`"${value}" in the list moves its card`, { skip }, async () => {
    const page = await openHands();
    page.one("#y-b").value = value;
    page.fire("#y-b", "change");
    assert.deepEqual(page.took(), expected);
    assert.deepEqual([page.press("#y-b", "Enter"), page.press("#y-b", "1")], [true, false]);
    assert.deepEqual(page.took(), expected);
  });

test("the buttons of the board do what they say", { skip }, async () => {
  const page = await openHands({ chosen: ["b"] });
  for (const [target, expected] of [
    ["[data-undo]", [["undo"]]],
    ["[data-redo]", [["redo"]]],
    ["[data-fit]", [["fit"]]],
    ["[data-zoom]", [["times", 2]]],
    ["[data-entry]", [["setEntry", "b"], ["commit"], ["stop", "b"]]],
  ]) {
    page.click(target);
    assert.deepEqual(page.took(), expected, target);
  }
  assert.ok(page.hasFocus(page.card("b")));
  page.fire("#radio-c", "change");
  assert.deepEqual(page.took(), [["setEntry", "c"], ["commit"]]);
  assert.ok(page.click("[data-tidy]"));
  const tidied = page.took();
  assert.deepEqual(
    tidied.map(([name]) => name),
    ["put", "put", "put", "commit", "fit"],
  );
  assert.deepEqual(
    tidied.find(([name, id]) => name === "put" && id === "a").slice(2),
    [40, 120],
    "the entry is alone in its column",
  );
});
