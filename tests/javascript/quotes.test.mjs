import assert from "node:assert/strict";
import { test } from "node:test";

import { load, skip } from "./dashboard.mjs";
import { openTranscript, rowOf, rowsOf } from "./transcript_page.mjs";

const BOX = '<form data-draft="main"><textarea name="text"></textarea></form>';

async function openQuotes(t, { more = BOX, pause = true, ...options } = {}) {
  const puts = [];
  const field = () => page.one("textarea");
  const page = await openTranscript(t, {
    more,
    ...options,
    room: {
      setting: (name) => name === "pause" && pause,
      put(given, { focus }) {
        puts.push([given.time, focus]);
        field().value = [given.text, field().value].filter(Boolean).join("\n");
        if (focus) field().focus();
      },
    },
  });
  const quotes = await load("review_portal/quotes.js");
  quotes.start();
  quotes.equip();
  const button = (n) => page.row(n).querySelector("[data-quote]");
  return Object.assign(page, {
    quotes,
    puts,
    field,
    button,
    text: () => field().value,
    picked: () => page.all(".sentence--picked").map(({ dataset: { n } }) => Number(n)),
    choose: (n, given) => page.click(button(n), given),
    shift: (n) => page.click(page.row(n).querySelector(".sentence__time"), { shiftKey: true }),
    arrow: (n, key, given = { shiftKey: true }) => page.press(page.row(n).querySelector("a"), key, given),
  });
}

test("with script links become buttons that say what they do", { skip }, async (t) => {
  const page = await openQuotes(t);
  const look = (n) => {
    const one = page.button(n);
    return [
      one.tagName,
      one.type,
      one.className,
      one.textContent,
      one.ariaPressed,
      one.querySelector("use").getAttribute("href"),
    ];
  };
  assert.deepEqual(look(1), ["BUTTON", "button", "button", "Quote 1", "false", "/i.svg#i-quote"]);
  page.choose(1);
  assert.deepEqual(look(1), ["BUTTON", "button", "button", "Remove 0:01", "true", "/i.svg#i-x"]);
  page.choose(1);
  assert.deepEqual(look(1), ["BUTTON", "button", "button", "Quote 1", "false", "/i.svg#i-quote"]);
});

test(
  "a pressed row stands at the beginning of the comment with its range, and leaves it again",
  { skip },
  async (t) => {
    const page = await openQuotes(t);
    page.field().value = "Mine.";
    page.choose(1);
    assert.deepEqual([page.text(), page.puts, page.picked()], ["0:02-0:04 “words 1”\nMine.", [[2, true]], [1]]);
    assert.deepEqual([page.field().selectionStart, page.field().selectionEnd, page.done], [20, 20, [["pause"]]]);
    page.choose(2);
    assert.deepEqual([page.text(), page.picked()], ["0:04-0:06 “words 2”\nMine.", [2]]);
    page.choose(2);
    assert.deepEqual([page.text(), page.puts.at(-1), page.picked()], ["Mine.", [undefined, false], []]);
  },
);

test("the picture rests where it should, and not twice", { skip }, async (t) => {
  const page = await openQuotes(t);
  page.choose(1);
  page.choose(2);
  assert.deepEqual(page.done, [["pause"]]);
  page.player.paused = false;
  page.choose(2);
  assert.deepEqual(page.done, [["pause"]], "nor for words that leave");
  const plays = await openQuotes((t.mock.reset(), t), { pause: false });
  plays.choose(1);
  assert.deepEqual(plays.done, []);
});

for (const [what, rows, text, length = 100] of [
  ["signs that cannot be sent are repaired", rowOf(0, { words: "a -> b -> c" }), "0:00-0:02 “a → b → c”\n"],
  ["a part of a second counts as one", rowOf(0, { from: 7.2, to: 7.4 }), "0:07-0:08 “words 0”\n"],
  ["seconds that were begun count", rowOf(0, { from: 7.9, to: 9.1 }), "0:07-0:10 “words 0”\n"],
  ["a range ends with the film", rowOf(0, { from: 7, to: 12 }), "0:07-0:09 “words 0”\n", 9],
  ["the last moment has no range", rowOf(0, { from: 9, to: 12 }), "“words 0”\n", 9],
  ["a film without a length ends nothing", rowOf(0, { from: 7, to: 12 }), "0:07-0:12 “words 0”\n", 0],
  ["220 signs are whole", rowOf(0, { words: "a".repeat(220) }), `0:00-0:02 “${"a".repeat(220)}”\n`],
  ["221 signs are cut", rowOf(0, { words: "a".repeat(221) }), `0:00-0:02 “${"a".repeat(219)}…”\n`],
  ["a cut leaves no blank", rowOf(0, { words: `${"a".repeat(218)} bcd` }), `0:00-0:02 “${"a".repeat(218)}…”\n`],
])
  test(`of quoted words ${what}`, { skip }, async (t) => {
    const page = await openQuotes(t, { rows });
    page.player.length = length;
    page.choose(0);
    assert.equal(page.text(), text);
  });

test("with Shift the words from the first chosen row to this one are quoted", { skip }, async (t) => {
  const page = await openQuotes(t);
  assert.ok(page.shift(1));
  assert.deepEqual([page.picked(), page.puts], [[1], [[2, false]]]);
  page.shift(3);
  assert.deepEqual([page.text(), page.picked()], ["0:02-0:08 “words 1 words 2 words 3”\n", [1, 2, 3]]);
  page.shift(0);
  assert.deepEqual([page.text(), page.picked()], ["0:00-0:04 “words 0 words 1”\n", [0, 1]]);
  page.choose(2, { shiftKey: true });
  assert.deepEqual(page.picked(), [1, 2]);
  page.choose(1);
  assert.deepEqual(page.picked(), []);
});

test("a range ends at the rows that are on the page, and with the last of those that overlap", { skip }, async (t) => {
  const page = await openQuotes(t, { rows: rowOf(0, { from: 0, to: 9 }) + rowsOf(1, 4) });
  page.shift(0);
  page.shift(1);
  assert.equal(page.text(), "0:00-0:09 “words 0 words 1”\n");
  page.row(0).remove();
  page.shift(3);
  assert.deepEqual([page.picked(), page.text()], [[1, 2, 3], "0:02-0:08 “words 1 words 2 words 3”\n"]);
});

test("Shift and arrows choose from row to row, with the focus", { skip }, async (t) => {
  const page = await openQuotes(t);
  assert.ok(page.arrow(1, "ArrowDown"));
  assert.deepEqual([page.picked(), page.hasFocus(page.button(2))], [[1, 2], true]);
  page.arrow(2, "ArrowDown");
  page.arrow(3, "ArrowDown");
  assert.deepEqual(page.picked(), [1, 2, 3], "there is nothing after the last");
  page.arrow(3, "ArrowUp");
  page.arrow(2, "ArrowUp");
  page.arrow(1, "ArrowUp");
  assert.deepEqual([page.picked(), page.hasFocus(page.button(0))], [[0, 1], true]);
  for (const [key, given] of [
    ["ArrowDown", {}],
    ["PageDown", { shiftKey: true }],
  ])
    assert.equal(page.arrow(1, key, given), false);
  assert.equal(page.press("#elsewhere", "ArrowDown", { shiftKey: true }), false);
});

test(
  "keys and presses elsewhere, of other buttons, and on a page without a box, choose nothing",
  { skip },
  async (t) => {
    const page = await openQuotes(t);
    const link = page.row(1).querySelector(".sentence__link");
    const taken = [
      page.click(link),
      page.choose(1, { ctrlKey: true }),
      page.choose(1, { metaKey: true }),
      page.choose(1, { button: 1 }),
      page.click(page.row(1).querySelector(".sentence__end"), { shiftKey: true }),
      page.click("#elsewhere"),
    ];
    assert.deepEqual([taken.some(Boolean), page.picked()], [false, []]);
    const bare = await openQuotes((t.mock.reset(), t), { more: "" });
    assert.deepEqual(
      [bare.choose(1), bare.shift(1), bare.arrow(1, "ArrowDown"), bare.picked()],
      [false, false, false, []],
    );
  },
);

for (const name of ["input", "room:live", "room:emptied"])
  test(`a quotation that was changed by hand or sent is forgotten (${name})`, { skip }, async (t) => {
    const page = await openQuotes(t);
    page.choose(1);
    page.field().value += "Mine.";
    page.fire(page.document, name);
    assert.deepEqual(page.picked(), [1], "what follows it is no change");
    page.field().value = "0:02 Other";
    page.fire(page.document, name);
    assert.deepEqual([page.picked(), page.button(1).ariaPressed], [[], "false"]);
    page.choose(2);
    assert.equal(page.text(), "0:04-0:06 “words 2”\n0:02 Other");
  });

test("rows that come later are equipped and say whether they are chosen", { skip }, async (t) => {
  const page = await openQuotes(t, { rows: rowsOf(0, 2) });
  page.choose(1);
  page.row(1).remove();
  page.one(".sentences").insertAdjacentHTML("beforeend", rowsOf(1, 2) + rowOf(2, { quote: false }));
  page.fire(page.document, "room:rows");
  assert.deepEqual([page.picked(), page.button(1).ariaPressed, page.button(1).tagName], [[1], "true", "BUTTON"]);
  page.one("#transcript").remove();
  page.fire(page.document, "room:rows");
});
