import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const PAGE = `
  <a id="link" href="/video/" data-copy="/r/abc/" data-copied="Copied"><b data-copy-words="Copy the link">Open</b></a>
  <button id="of" data-copy data-copy-field="field" data-copied="Copied" hidden></button><input id="field" value="secret">
  <p id="text"></p><div id="toasts"></div>`;

async function openCopy({ clipboard = true, body = PAGE } = {}) {
  const copied = [];
  const page = openDashboard(body, {
    navigator: clipboard ? { clipboard: { writeText: async (text) => copied.push(text) } } : {},
  });
  await load("copy.js");
  return Object.assign(page, { copied, said: () => page.all("#toasts .toast").map((toast) => toast.textContent) });
}

test("what copies says so, also in a part that comes later", { skip }, async () => {
  const page = await openCopy();
  assert.deepEqual([page.one("b").textContent, page.one("#of").hidden], ["Copy the link", false]);
  page.one("#text").innerHTML = '<button data-copy="/x/" hidden></button>';
  page.fire("#text", "htmx:load", { detail: { elt: page.one("#text") } });
  assert.equal(page.one("#text button").hidden, false);
});

for (const [target, expected] of [
  ["#link b", "https://reelroom.example/r/abc/"],
  ["#of", "secret"],
])
  test(`a press on ${target} copies ${expected}`, { skip }, async () => {
    const page = await openCopy();
    assert.ok(page.click(target));
    await settled();
    assert.deepEqual([page.copied, page.said(), page.followed], [[expected], ["Copied"], []]);
  });

test("other presses copy nothing", { skip }, async () => {
  const page = await openCopy();
  assert.equal(page.click("#text"), false);
  await settled();
  assert.deepEqual(page.copied, []);
});

test("without a clipboard the link opens, and the field is selected", { skip }, async () => {
  const page = await openCopy({ clipboard: false });
  page.click("#link b");
  assert.deepEqual(page.followed, ["/video/"]);
  assert.ok(page.click("#of"));
  const { selectionStart, selectionEnd } = page.one("#field");
  assert.deepEqual([page.hasFocus("#field"), selectionStart, selectionEnd, page.said()], [true, 0, 6, []]);
});

test("a page without toasts copies all the same", { skip }, async () => {
  const page = await openCopy({ body: PAGE.replace('id="toasts"', "") });
  page.click("#of");
  await settled();
  assert.deepEqual(page.copied, ["secret"]);
});
