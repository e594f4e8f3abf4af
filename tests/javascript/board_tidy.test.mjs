import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

const cardsOf = (places) => places.map(([id, x, y]) => ({ id, x, y }));
const at = (id, x, y) => [id, { x, y }];
const ROW = Array.from({ length: 9 }, (_, number) => [`r${number}`, 0, number]);

for (const [what, cards, entry, expected] of [
  ["nothing", [], "a", []],
  ["the entry alone", [["a", 7, 7]], "a", [at("a", 40, 40)]],
  [
    "one beside the entry",
    [
      ["a", 7, 7],
      ["b", 0, 0],
    ],
    "a",
    [at("b", 280, 40), at("a", 40, 40)],
  ],
  ["cards without the entry", [["b", 0, 0]], "a", [at("b", 40, 40)]],
  [
    "columns of 240, each from top to bottom, then across",
    [
      ["f", 480, 0],
      ["e", 240, 9],
      ["d", 239, 9],
      ["c", 0, 9],
      ["b", 239, 8],
      ["x", 500, 0],
    ],
    "",
    [at("b", 40, 40), at("c", 40, 220), at("d", 280, 40), at("e", 280, 220), at("f", 520, 40), at("x", 520, 220)],
  ],
  [
    "the entry in the middle of its column, on the grid",
    [["a", 0, 0], ...ROW],
    "a",
    [
      ...ROW.map(([id], number) => at(id, 280 + 240 * Math.floor(number / 3), 40 + 180 * (number % 3))),
      at("a", 40, 220),
    ],
  ],
  [
    "the entry between two rows, rounded down to the grid",
    [["a", 0, 0], ...ROW.slice(0, 4)],
    "a",
    [at("r0", 280, 40), at("r1", 280, 220), at("r2", 520, 40), at("r3", 520, 220), at("a", 40, 120)],
  ],
])
  test(`tidy: ${what}`, async () => {
    openBarePage();
    const { tidy } = await load("board_tidy.js");
    assert.deepEqual(tidy(cardsOf(cards), entry), expected);
  });
