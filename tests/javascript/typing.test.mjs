import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

async function openField() {
  const page = openDashboard(
    `<input id="old"><input id="new" value="ab"><textarea id="long"></textarea><b tabindex="0"></b>`,
  );
  const { hold } = await load("ai_content/typing.js");
  const inputs = [];
  page.document.addEventListener("input", ({ target }) => inputs.push(target.id));
  const settle = (focused, name = "htmx:afterSettle") => {
    page.one(focused).focus();
    page.fire(focused, name, { detail: {} });
  };
  return Object.assign(page, { hold, inputs, settle });
}

test("what is typed while nothing is awaited goes where it is typed", { skip }, async () => {
  const page = await openField();
  assert.deepEqual([page.press("#old", "a"), page.press("#old", "Enter")], [false, false]);
  page.settle("#new");
  assert.deepEqual([page.one("#new").value, page.inputs], ["ab", []]);
});

for (const name of ["htmx:afterSettle", "htmx:sendError", "htmx:responseError"])
  test(`what is typed before ${name} goes into the field that has the focus then`, { skip }, async () => {
    const page = await openField();
    page.hold();
    for (const key of ["x", "я", " ", "Enter"]) assert.ok(page.press("#old", key), key);
    page.one("#new").setSelectionRange(1, 2);
    page.settle("#new", name);
    const { value, selectionStart, selectionEnd } = page.one("#new");
    assert.deepEqual([value, selectionStart, selectionEnd, page.inputs], ["axя ", 4, 4, ["new"]]);
    assert.equal(page.press("#new", "b"), false, "from then on the field takes it itself");
    page.settle("#long");
    assert.equal(page.one("#long").value, "", "and nothing is there twice");
  });

for (const [what, key, more, isHeld] of [
  ["a letter that an input method composes", "a", { isComposing: true }, false],
  ["Enter that ends a composition", "Enter", { isComposing: true }, false],
  ["a shortcut with Ctrl", "c", { ctrlKey: true }, false],
  ["a shortcut with Cmd", "c", { metaKey: true }, false],
  ["a shortcut with Alt", "c", { altKey: true }, false],
  ["a key without a character", "ArrowUp", {}, false],
  ["a capital letter", "A", { shiftKey: true }, true],
  ["a letter of AltGr", "ą", { ctrlKey: true, altKey: true, modifierAltGraph: true }, true],
])
  test(`${what} is ${isHeld ? "kept" : "left alone"} meanwhile`, { skip }, async () => {
    const page = await openField();
    page.hold();
    assert.equal(page.press("#old", key, more), isHeld);
    page.settle("#long");
    assert.equal(page.one("#long").value, isHeld ? key : "");
  });

test("where no field has the focus then, nothing is written anywhere later", { skip }, async () => {
  const page = await openField();
  page.hold();
  page.press("#old", "x");
  page.settle("b");
  page.hold();
  page.settle("#new");
  assert.deepEqual([page.one("#new").value, page.inputs], ["ab", []]);
  page.hold();
  page.press("#old", "x");
  page.hold();
  page.settle("#new");
  assert.equal(page.one("#new").value, "ab", "each wait begins with nothing");
});
