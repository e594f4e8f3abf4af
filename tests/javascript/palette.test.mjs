import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const RESULTS = `
  <p data-said="3 results"></p>
  ${["a", "b", "c"].map((id) => `<a id="${id}" role="option" href="/${id}/">${id}</a>`).join("")}`;
const PAGE = `
  <main tabindex="-1"><a id="link" href="/search/" data-find><b>Search</b></a><p id="text"></p></main>
  <input id="field"><input id="box" type="checkbox"><ul role="tree"><li id="leaf"></li></ul>
  <div id="menu" popover></div><dialog id="other"><p></p></dialog>
  <dialog data-palette><form>
    <input id="find" role="combobox"><div role="listbox"></div><p data-palette-said></p><button></button>
  </form></dialog>`;

async function openPalette({ storage } = {}) {
  const page = openDashboard(PAGE, storage && { localStorage: storage });
  await load("palette.js");
  page.palette = page.one("[data-palette]");
  page.field = page.one("#find");
  page.picked = [];
  page.one("[role=listbox]").addEventListener("click", (event) => page.picked.push(event.target.id));
  page.show = () => {
    page.press("#text", "k", { ctrlKey: true });
    page.one("[role=listbox]").innerHTML = RESULTS;
    page.fire("[role=listbox]", "htmx:afterSettle", { detail: {} });
  };
  page.current = () => page.all("[aria-selected=true]").map((option) => option.id);
  return page;
}

const OPENS = [
  ["Ctrl and K", "#text", "k", { ctrlKey: true }, true],
  ["Cmd and K", "#text", "k", { metaKey: true }, true],
  ["Ctrl and K in a field", "#field", "k", { ctrlKey: true }, true],
  ["Ctrl and K on a Russian keyboard", "#text", "л", { ctrlKey: true, code: "KeyK" }, true],
  ["a slash", "#text", "/", {}, true],
  ["K alone", "#text", "k", {}, false],
  ["Ctrl and another key", "#text", "j", { ctrlKey: true }, false],
  ["Ctrl and a slash", "#text", "/", { ctrlKey: true }, false],
  ["another sign", "#text", ".", {}, false],
  ["a slash in a field", "#field", "/", {}, false],
  ["a slash on a box", "#box", "/", {}, false],
  ["a slash in a tree", "#leaf", "/", {}, false],
  ["a slash in a dialog", "#other p", "/", {}, false],
];
for (const [what, target, key, more, opens] of OPENS)
  test(`${what} ${opens ? "opens the palette" : "is left alone"}`, { skip }, async () => {
    const page = await openPalette();
    assert.equal(page.press(target, key, more), opens);
    assert.equal(page.palette.open, opens);
    assert.equal(page.hasFocus(page.field), opens);
  });

test("the switch for single keys holds for the slash, and not for Ctrl and K", { skip }, async () => {
  const page = await openPalette();
  globalThis.localStorage.setItem("single-keys", "off");
  assert.deepEqual([page.press("#text", "/"), page.palette.open], [false, false]);
  assert.ok(page.press("#text", "k", { ctrlKey: true }));
  globalThis.localStorage.setItem("single-keys", "on");
  page.palette.close();
  assert.ok(page.press("#text", "/"));
});

test("without storage the slash opens the palette", { skip }, async () => {
  const page = await openPalette({ storage: {} });
  assert.ok(page.press("#text", "/"));
});

test("the link opens the palette, and with a modifier leads to the page", { skip }, async () => {
  const page = await openPalette();
  for (const modifier of ["ctrlKey", "metaKey", "shiftKey"]) {
    page.click("#link b", { [modifier]: true });
    assert.equal(page.palette.open, false);
  }
  page.click("#text");
  assert.deepEqual([page.followed.length, page.palette.open], [3, false]);
  page.click("#link b");
  assert.deepEqual([page.followed.length, page.palette.open], [3, true]);
});

test("a palette that opens is empty, closes menus, and asks for its list", { skip }, async () => {
  const page = await openPalette();
  page.show();
  await settled();
  page.palette.close();
  page.field.value = "old";
  page.one("#menu").toggleAttribute("data-shown");
  let asked = 0;
  page.one("form").addEventListener("palette-open", () => (asked += 1));
  page.press("#text", "k", { ctrlKey: true });
  await settled();
  assert.deepEqual([page.field.value, page.one("[role=listbox]").innerHTML, asked], ["", "", 1]);
  assert.equal(page.one("[data-palette-said]").textContent, "");
  assert.equal(page.field.hasAttribute("aria-activedescendant"), false);
  assert.equal(page.one("#menu").hasAttribute("data-shown"), false);
});

test("a palette that is open selects what was typed", { skip }, async () => {
  const page = await openPalette();
  page.show();
  page.field.value = "logo";
  page.press(page.field, "k", { ctrlKey: true });
  assert.deepEqual([page.field.value, page.field.selectionStart, page.field.selectionEnd], ["logo", 0, 4]);
});

test("over another dialog no palette opens", { skip }, async () => {
  const page = await openPalette();
  page.one("#other").showModal();
  page.press("#text", "k", { ctrlKey: true });
  assert.equal(page.palette.open, false);
});

test("arrows go around the list, and the field says where they are", { skip }, async () => {
  const page = await openPalette();
  page.show();
  assert.deepEqual([page.current(), page.one("[data-palette-said]").textContent], [["a"], "3 results"]);
  for (const [key, id] of [
    ["ArrowDown", "b"],
    ["ArrowDown", "c"],
    ["ArrowDown", "a"],
    ["ArrowUp", "c"],
    ["ArrowUp", "b"],
    ["ArrowUp", "a"],
  ]) {
    assert.ok(page.press(page.field, key), key);
    assert.deepEqual(page.current(), [id]);
    assert.equal(page.field.getAttribute("aria-activedescendant"), id);
    assert.deepEqual(
      page.all(".palette__item--current").map((option) => option.id),
      [id],
    );
    assert.equal(page.all("[aria-selected=false]").length, 2);
  }
});

test("Enter opens the current result, the first one where none is", { skip }, async () => {
  const page = await openPalette();
  page.show();
  page.press(page.field, "ArrowDown");
  assert.ok(page.press(page.field, "Enter"));
  page.one("#b").setAttribute("aria-selected", "false");
  page.press(page.field, "Enter");
  assert.deepEqual(page.picked, ["b", "a"]);
  assert.equal(page.press("[data-palette] button", "Enter"), false);
  assert.equal(page.press(page.field, "Enter", { isComposing: true }), false);
  assert.equal(page.press(page.field, "ArrowDown", { isComposing: true }), false);
  assert.equal(page.press(page.field, "x"), false);
  assert.equal(page.picked.length, 2);
});

test("an empty list has nothing to walk or to open", { skip }, async () => {
  const page = await openPalette();
  page.show();
  page.one("[role=listbox]").innerHTML = "<p></p>";
  page.fire("[role=listbox]", "htmx:afterSettle", { detail: {} });
  assert.equal(page.field.hasAttribute("aria-activedescendant"), false);
  assert.equal(page.one("[data-palette-said]").textContent, "");
  page.press(page.field, "ArrowDown");
  assert.equal(page.press(page.field, "Enter"), false);
  assert.deepEqual(page.picked, []);
});

test("a click beside the palette closes it, one in it does not", { skip }, async () => {
  const page = await openPalette();
  page.show();
  page.click(page.field);
  assert.ok(page.palette.open);
  page.click(page.palette);
  assert.equal(page.palette.open, false);
});
