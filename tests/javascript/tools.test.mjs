import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const TOOLS = `<main><div id="drawing-tools" data-full="Full"><template data-bar><p>Bar</p><p>More</p></template></div></main>`;

async function openTools({ answers = [{}] } = {}) {
  const page = openDashboard(`<i data-drawings="/draw.css"></i><form><input name="drawing" disabled></form>`);
  globalThis.location.pathname = "/12345678/reel";
  const asked = [];
  globalThis.fetch = async (...request) => {
    asked.push(request);
    return { ok: true, status: 200, text: async () => TOOLS, ...answers.shift() };
  };
  const script = await load("review_portal/tools.js");
  const form = page.one("form");
  const heard = [];
  for (const name of ["input", "room:drawing"]) page.document.addEventListener(name, () => heard.push(name));
  const dressed = async (sign = "load") => {
    await settled();
    for (const link of page.all("link")) page.fire(link, sign);
  };
  return Object.assign(page, script, { asked, form, heard, dressed });
}

for (const sign of ["load", "error"])
  test(`the tools are fetched once, and come with their style sheet (${sign})`, { skip }, async () => {
    const page = await openTools();
    let isThere = false;
    const coming = Promise.all([page.tools(), page.tools()]);
    coming.then(() => (isThere = true));
    await settled();
    assert.equal(isThere, false);
    await page.dressed(sign);
    const [words, again] = await coming;
    assert.ok(words === again);
    assert.deepEqual([words.dataset.full, words.ownerDocument === page.document], ["Full", true]);
    assert.deepEqual(page.asked, [["/12345678/reel/drawing-tools", { credentials: "same-origin" }]]);
    assert.deepEqual(
      page.all("link").map((link) => [link.rel, link.getAttribute("href")]),
      [["stylesheet", "/draw.css"]],
    );
    assert.equal(page.copyOf(words, "bar").outerHTML, "<p>Bar</p>");
    assert.ok(page.copyOf(words, "bar") !== page.copyOf(words, "bar"));
    assert.equal(words.querySelector("template").content.children.length, 2, "a copy leaves it there");
  });

test("tools that did not come are asked for again", { skip }, async () => {
  const page = await openTools({ answers: [{ ok: false, status: 503 }] });
  await assert.rejects(page.tools());
  const coming = page.tools();
  await page.dressed();
  assert.equal((await coming).id, "drawing-tools");
  assert.equal(page.asked.length, 2);
});

test("a form holds its drawing, and nothing where it has none", { skip }, async () => {
  const page = await openTools();
  const { drawing } = page.form.elements;
  const sketch = { size: [16, 9], shapes: [{ kind: "rect" }] };
  assert.equal(page.sketchIn(page.form), null);
  page.putSketch(page.form, sketch);
  assert.deepEqual(
    [page.sketchIn(page.form), drawing.disabled, page.heard],
    [sketch, false, ["input", "room:drawing"]],
  );
  drawing.value = JSON.stringify({ ...sketch, other: 1 });
  assert.deepEqual(page.sketchIn(page.form), sketch);
  for (const empty of [{ ...sketch, shapes: [] }, null]) {
    drawing.value = "x";
    page.putSketch(page.form, empty);
    assert.equal(drawing.value, "");
  }
  drawing.value = "no drawing";
  assert.equal(page.sketchIn(page.form), null);
});
