import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `<p id="text"></p><input id="field"><dialog id="other"><p id="in"></p></dialog>
  <dialog id="keys"><input type="checkbox" data-setting="keys"></dialog>`;

async function openSheet(keys) {
  const page = openDashboard(PAGE);
  if (keys !== undefined) page.window.localStorage.setItem("review:settings", JSON.stringify({ keys }));
  await load("review_portal/sheet.js");
  return Object.assign(page, { box: page.one("[data-setting]"), isOpen: () => page.one("#keys").hasAttribute("open") });
}

for (const [what, target, key, more, opens] of [
  ["?", "#text", "?", { shiftKey: true }, true],
  ["? on a Russian keyboard", "#text", ",", { shiftKey: true, code: "Slash" }, false],
  ["another key", "#text", "/", {}, false],
  ["Ctrl and ?", "#text", "?", { ctrlKey: true }, false],
  ["? in a field", "#field", "?", { shiftKey: true }, false],
])
  test(`${what} ${opens ? "shows the keys" : "is left alone"}`, { skip }, async () => {
    const page = await openSheet();
    assert.deepEqual([page.press(target, key, more), page.isOpen()], [opens, opens]);
  });

test("over another dialog the keys are not shown", { skip }, async () => {
  const page = await openSheet();
  page.one("#other").setAttribute("open", "");
  assert.deepEqual([page.press("#in", "?"), page.isOpen()], [false, false]);
});

test("the switch turns single keys off and on, also this one, and is kept", { skip }, async () => {
  const page = await openSheet(false);
  assert.equal(page.box.checked, false);
  assert.deepEqual([page.press("#text", "?"), page.isOpen()], [false, false]);
  page.box.checked = true;
  page.fire(page.box, "change");
  assert.deepEqual(JSON.parse(page.window.localStorage.getItem("review:settings")), { keys: true });
  assert.deepEqual([page.press("#text", "?"), page.isOpen()], [true, true]);
  assert.equal((await openSheet()).box.checked, true);
});
