import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `<main data-room="film"></main><div id="words"></div>
  <form data-composer data-draft="main"><input name="key"><input name="frame"><input name="drawing" data-suffix="0">
    <input name="time"><button type="button" data-lock><span></span></button><textarea name="text"></textarea></form>`;
const drawn = (...kinds) => JSON.stringify({ size: [16, 9], shapes: kinds.map((kind) => ({ kind })) });

async function openComposer() {
  const { document } = openPage(PAGE);
  const composer = await load("review_portal/composer.js");
  composer.start();
  return { put: composer.put, fields: document.querySelector("form").elements };
}

test("a text that comes back joins what is in the box, and takes no drawing away", { skip }, async () => {
  const { put, fields } = await openComposer();
  put({ text: "Mine.", time: 42, frame: "42440000", drawing: drawn("pen") });
  put({ text: "Back.", time: 10, frame: "10000000" });
  assert.equal(fields.text.value, "Back.\nMine.");
  assert.deepEqual([fields.time.value, fields.frame.value], ["0:42", "42440000"], "a drawing keeps its frame");
  put({ text: "Again.", time: 10, frame: "10000000", drawing: drawn("arrow", "rect") });
  assert.equal(fields.drawing.value, drawn("arrow", "rect", "pen"));
  assert.equal(fields.frame.value, "10000000");
  put({ text: "Again.\nBack.\nMine.", drawing: fields.drawing.value });
  assert.equal(fields.drawing.value, drawn("arrow", "rect", "pen"), "the same one is there once");
});
