import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

async function openWords(body) {
  openPage(body);
  return load("review_portal/words.js");
}

test("values stand where their names are, and a name without a value stays", { skip }, async () => {
  const { fill } = await openWords("");
  assert.equal(fill("{n} of {all}, {n}, {other} {}", { n: 0, all: "5" }), "0 of 5, 0, {other} {}");
  assert.equal(fill("{n}"), "{n}");
});

test("sentences and tables are those of the page, and nothing where it has none", { skip }, async () => {
  const { say, table, count } = await openWords(
    `<p id="words" data-sends-in="In {n} s" data-repairs='[["a","b"]]'></p>`,
  );
  assert.deepEqual(
    [say("sendsIn", { n: 3 }), say("other"), table("repairs"), table("other")],
    ["In 3 s", "", [["a", "b"]], []],
  );
  assert.deepEqual(
    [0, 1, 2].map((n) => count("1 text", "{n} texts", n)),
    ["0 texts", "1 text", "2 texts"],
  );
  const none = await openWords("");
  assert.deepEqual([none.say("sendsIn"), none.table("repairs")], ["", []]);
});
