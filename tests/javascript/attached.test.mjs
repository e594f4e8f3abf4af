import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const number = (colour) => ({ kind: "number", colour, points: [5000, 5000] });
const drawingOf = (...colours) => JSON.stringify({ size: [16, 9], shapes: colours.map(number) });
const places = Array.from({ length: 9 }, () => "there");
const PHRASES = JSON.stringify({
  places,
  starts: places,
  directions: [],
  colours: { red: "red", blue: "blue" },
  number: "Number {n}, {colour}",
});
const TOOLS = `<div id="drawing-tools" data-phrases='${PHRASES}' data-frame-one="Frame {frame}, 1 shape"
    data-frame-many="Frame {frame}, {n} shapes" data-words-one="1 in words" data-words-many="{n} in words"
    data-deleted="Deleted: {shape}" data-removed="Drawing deleted">
  <template data-strip><div class="attached"><span class="still__picture"></span><small data-about></small>
    <button type="button" data-redraw>Edit</button><button type="button" data-undraw>Delete</button>
    <details><summary><span data-in-words></span></summary><ol class="shapes"></ol></details></div></template>
  <template data-row><li><i></i><span></span><button type="button">Delete<span></span></button></li></template></div>`;
const formOf = (
  id,
  fields,
) => `<form id="${id}"><div data-attach><input name="drawing"></div><textarea name="text"></textarea>
  ${fields}<button type="button" data-nudge="1"></button><button type="button" data-lock></button><button type="button"
  data-add-range></button><button type="button" data-other></button></form>`;
const PAGE = `<link href="/draw.css"><main data-drawings="/draw.css"></main>
  ${formOf("main-box", '<input name="frame"><input name="time" value="0:07">')}
  <article class="thread" data-at="42.5">${formOf("edit", '<input name="time" value="0:01">')}</article>${formOf("bare", "")}`;

async function openAttached() {
  const page = openDashboard(PAGE);
  globalThis.fetch = async () => ({ ok: true, text: async () => TOOLS });
  const { fill } = await load("review_portal/words.js");
  const { parse } = await load("review_portal/clock.js");
  const attached = await load("review_portal/attached.js");
  const told = [];
  let undo;
  attached.enter({
    ...{ fill, parse, player: { inner: {} }, say: (name) => name, announce: (text) => told.push(text) },
    toast: (text, action, act) => (told.push([text, action]), (undo = act)),
  });
  const form = (id = "main-box") => page.one(`#${id}`);
  return Object.assign(page, {
    told,
    form,
    undo: () => undo(),
    strip: (id) => form(id).querySelector(".attached"),
    drawing: (id) => form(id).elements.drawing.value,
    async draw(id, value) {
      form(id).elements.drawing.value = value;
      await attached.show();
    },
    show: attached.show,
    rows: (id) => [...form(id).querySelectorAll(".shapes li")],
  });
}

test("a drawing stands below its box with its frame and its shapes in words", { skip }, async () => {
  const page = await openAttached();
  page.form().elements.frame.value = "61234567";
  await page.draw("main-box", drawingOf("red", "blue"));
  const strip = page.strip("main-box");
  assert.equal(strip.previousElementSibling, page.form().querySelector("[data-attach]"));
  assert.equal(strip.querySelector("[data-about]").textContent, "Frame 00:01:01.234, 2 shapes");
  assert.equal(strip.querySelector("[data-in-words]").textContent, "2 in words");
  assert.equal(strip.querySelectorAll("svg .stroke").length, 2);
  assert.deepEqual(
    page
      .rows("main-box")
      .map((row) => [row.className, ...[...row.querySelectorAll("span")].map((one) => one.textContent)]),
    [
      ["is-red", "Number 1, red", ": Number 1, red"],
      ["is-blue", "Number 2, blue", ": Number 2, blue"],
    ],
  );
  assert.ok(strip.querySelector("[data-redraw]").hasAttribute("data-draw"));
  assert.equal(page.all(".attached").length, 1, "boxes without a drawing have none");
});

test("the frame is that of the comment, else the box's own, else its time", { skip }, async () => {
  const page = await openAttached();
  await page.draw("main-box", drawingOf("red"));
  await page.draw("edit", drawingOf("red"));
  const about = (id) => page.strip(id).querySelector("[data-about]").textContent;
  assert.deepEqual([about("main-box"), about("edit")], ["Frame 00:00:07.000, 1 shape", "Frame 00:00:42.500, 1 shape"]);
  assert.equal(page.strip("edit").querySelector("[data-in-words]").textContent, "1 in words");
  page.form().elements.time.value = "never";
  await page.show();
  assert.equal(about("main-box"), "Frame 00:00:00.000, 1 shape");
});

test("a strip is written anew when its drawing or frame changes, and stays as open as it was", { skip }, async () => {
  const page = await openAttached();
  await page.draw("main-box", drawingOf("red"));
  const first = page.strip("main-box");
  first.id = "first";
  first.querySelector("[data-redraw]").focus();
  await page.show();
  assert.ok(page.hasFocus("[data-redraw]"));
  assert.ok(page.one("#first"), "nothing changed");
  first.querySelector("details").open = true;
  await page.draw("main-box", drawingOf("blue"));
  assert.deepEqual([page.all("#first, .attached").length, page.one("#first")], [1, null]);
  assert.equal(page.strip("main-box").querySelector("details").open, true);
  page.strip("main-box").querySelector("details").open = false;
  page.form().elements.frame.value = "1";
  await page.show();
  assert.equal(page.strip("main-box").querySelector("details").open, false);
  await page.draw("main-box", "");
  assert.equal(page.strip("main-box"), null);
});

test("a drawing keeps its frame: the time beside it cannot be changed", { skip }, async () => {
  const page = await openAttached();
  const bound = (id) => [
    page.form(id).elements.time?.readOnly,
    ...["nudge", "lock", "add-range", "other"].map((name) => page.form(id).querySelector(`[data-${name}]`).disabled),
  ];
  await page.draw("main-box", drawingOf("red"));
  assert.deepEqual(
    [bound("main-box"), bound("edit")],
    [
      [true, true, true, true, false],
      [false, false, false, false, false],
    ],
  );
  await page.draw("main-box", "");
  assert.deepEqual(bound("main-box"), [false, false, false, false, false]);
});

test("one shape is deleted by itself, and the focus stays at those that are left", { skip }, async () => {
  const page = await openAttached();
  await page.draw("main-box", drawingOf("red", "blue"));
  page.document.addEventListener("room:drawing", page.show);
  page.click(page.rows("main-box")[0].querySelector("button"));
  assert.deepEqual([page.drawing("main-box"), page.told], [drawingOf("blue"), ["Deleted: Number 1, red"]]);
  await settled();
  assert.ok(page.hasFocus(page.strip("main-box").querySelector("summary")));
  page.click(page.rows("main-box")[0].querySelector("button"));
  await settled();
  assert.deepEqual([page.drawing("main-box"), page.strip("main-box")], ["", null]);
  assert.ok(page.hasFocus(page.form().elements.text));
});

test("a deleted drawing can be brought back, but over no other one", { skip }, async () => {
  const page = await openAttached();
  const before = drawingOf("red");
  await page.draw("main-box", before);
  page.click("[data-undraw]");
  assert.equal(page.drawing("main-box"), "");
  assert.ok(page.hasFocus(page.form().elements.text));
  assert.deepEqual(page.told, [["Drawing deleted", "undo"], "Drawing deleted"]);
  page.undo();
  assert.equal(page.drawing("main-box"), before);
  page.form().elements.drawing.value = drawingOf("blue");
  page.undo();
  assert.equal(page.drawing("main-box"), drawingOf("blue"));
  const gone = page.form();
  gone.elements.drawing.value = "";
  gone.remove();
  page.undo();
  assert.equal(gone.elements.drawing.value, "");
});
