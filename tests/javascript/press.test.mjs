import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = '<div id="part"><button id="save"><b>Save</b></button></div><button id="other"></button><button></button>';

/** Presses `down`, brings the part anew unless told not to, lets go on `up`; says what was clicked by the script. */
async function pressed({ down = "#save b", up = "#save b", button = 0, isSwapped = true } = {}) {
  const page = openDashboard(PAGE);
  await load("press.js");
  const clicked = [];
  page.document.addEventListener("click", (event) => clicked.push(event.target.id));
  page.fire(down, "mousedown", { kind: "MouseEvent", button });
  if (isSwapped) page.one("#part").innerHTML = page.one("#part").innerHTML;
  page.fire(up, "mouseup", { kind: "MouseEvent" });
  page.fire("#save", "mouseup", { kind: "MouseEvent" });
  return clicked;
}

test("a button that an answer replaced under the mouse is pressed once", { skip }, async () => {
  assert.deepEqual(await pressed(), ["save"]);
});

for (const [why, options] of [
  ["a button that is still there", { isSwapped: false }],
  ["another button than the one pressed", { up: "#other" }],
  ["the second mouse button", { button: 2 }],
  ["a press beside the buttons", { down: "body" }],
])
  test(`${why} is left to the browser`, { skip }, async () => {
    assert.deepEqual(await pressed(options), []);
  });

test("what is present is the element itself, else the one in its place, else nothing", { skip }, async () => {
  const page = openDashboard(PAGE);
  const { present } = await load("press.js");
  const old = page.one("#save");
  assert.equal(present(old), old);
  page.one("#part").innerHTML = '<button id="save">Save</button>';
  assert.equal(present(old), page.one("#save"));
  page.one("#part").remove();
  assert.equal(present(old), null);
});
