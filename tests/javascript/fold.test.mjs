import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

async function openFoot(
  body = `<div class="talk__foot"><textarea></textarea><input><button></button></div><button id="away"></button>`,
) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(body);
  await load("review_portal/fold.js");
  return Object.assign(page, {
    isOpen: () => "open" in page.one(".talk__foot").dataset,
    after(milliseconds) {
      mock.timers.tick(milliseconds);
      return page.isOpen();
    },
  });
}

for (const field of ["textarea", "input"])
  test(`the box unfolds after the tap into its ${field}, and folds after it is left`, { skip }, async () => {
    const page = await openFoot();
    assert.ok("folds" in page.one(".talk__foot").dataset);
    page.one(field).focus();
    assert.deepEqual([page.after(49), page.after(1)], [false, true]);
    page.one("#away").focus();
    assert.deepEqual([page.after(199), page.after(1)], [true, false]);
  });

test("a button of the box unfolds nothing, and keeps it unfolded", { skip }, async () => {
  const page = await openFoot();
  page.one(".talk__foot button").focus();
  assert.equal(page.after(50), false);
  page.one("textarea").focus();
  page.after(200);
  page.one(".talk__foot button").focus();
  assert.equal(page.after(200), true);
});

for (const end of ["pointerup", "pointercancel"])
  test(`under a finger nothing folds, until its ${end}`, { skip }, async () => {
    const page = await openFoot();
    page.one("textarea").focus();
    page.after(50);
    page.fire("textarea", "pointerdown");
    page.one("#away").focus();
    assert.equal(page.after(1000), true);
    page.window.dispatchEvent(new Event(end));
    assert.deepEqual([page.after(199), page.after(1)], [true, false]);
  });

test("a page without a box folds nothing", { skip }, async () => {
  const page = await openFoot("<p></p>");
  assert.equal(page.one("[data-folds]"), null);
});
