import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const PAGE = `
  <div data-query="/suggest/"><input id="field"><input id="inner">
    <div class="query__list" hidden><div role="listbox"></div></div><p data-query-count data-one="1 word" data-many="# words"></p>
  </div><input id="other">`;
const optionOf = (id, text, start, end, more = "") =>
  `<li role="option" id="${id}" data-text="${text}" data-start="${start}" data-end="${end}" ${more}><b></b></li>`;
const TWO = optionOf("a", "logo", 0, 2) + optionOf("b", "folder:", 0, 2, "data-open");

async function openQuery(t, entries = TWO, status = 200) {
  const page = openDashboard(PAGE);
  page.asked = [];
  globalThis.fetch = async (address) => {
    page.asked.push(address);
    return new Response(entries, { status });
  };
  await load("query.js");
  page.field = page.one("#field");
  page.isShown = () => !page.one(".query__list").hidden;
  page.write = async (text) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    page.type(page.field, text);
    t.mock.timers.tick(120);
    t.mock.timers.reset();
    await settled();
  };
  page.current = () =>
    page
      .all("[aria-selected=true]")
      .map((option) => option.id)
      .join();
  return page;
}

test("a word that is typed is completed from the server's list", { skip }, async (t) => {
  const page = await openQuery(t);
  assert.deepEqual([page.field.getAttribute("role"), page.field.getAttribute("aria-expanded")], ["combobox", "false"]);
  await page.write("lo");
  assert.deepEqual([page.asked, page.isShown()], [["/suggest/?q=lo&at=2"], true]);
  assert.deepEqual(
    [page.field.getAttribute("aria-expanded"), page.one("[data-query-count]").textContent],
    ["true", "2 words"],
  );
  const one = await openQuery(t, optionOf("a", "logo", 0, 2));
  await one.write("lo");
  assert.equal(one.one("[data-query-count]").textContent, "1 word");
});

for (const [why, entries, status] of [
  ["an empty answer", "", 200],
  ["an error", TWO, 500],
])
  test(`${why} shows no list`, { skip }, async (t) => {
    const page = await openQuery(t, entries, status);
    await page.write("lo");
    assert.equal(page.isShown(), false);
  });

test("a list that comes when the field was left is not shown", { skip }, async (t) => {
  const page = await openQuery(t);
  page.field.value = "lo";
  page.one("#other").focus();
  page.press(page.field, "ArrowDown");
  await settled();
  assert.deepEqual([page.asked.length, page.isShown()], [1, false]);
});

test("arrows ask for the list and go around it", { skip }, async (t) => {
  const page = await openQuery(t);
  page.field.focus();
  assert.ok(page.press(page.field, "ArrowDown"));
  await settled();
  for (const [key, id] of [
    ["ArrowUp", "b"],
    ["ArrowUp", "a"],
    ["ArrowDown", "b"],
    ["ArrowDown", "a"],
  ]) {
    assert.ok(page.press(page.field, key));
    assert.deepEqual([page.current(), page.field.getAttribute("aria-activedescendant")], [id, id]);
  }
  assert.equal(page.asked.length, 1);
});

test("Tab takes the current suggestion, or the first, with a space behind a whole word", { skip }, async (t) => {
  const page = await openQuery(t);
  await page.write("lo");
  assert.equal(page.press(page.field, "Tab", { shiftKey: true }), false);
  assert.ok(page.press(page.field, "Tab"));
  assert.deepEqual([page.field.value, page.isShown(), page.asked.length], ["logo ", false, 1]);
  page.field.setRangeText(",", 5, 5, "end");
  page.fire(page.field, "input");
  assert.equal(page.field.value, "logo,", "a comma takes the place of the space");
  assert.equal(page.press(page.field, "Tab"), false);
});

test("a suggestion that is a beginning asks for what follows", { skip }, async (t) => {
  const page = await openQuery(t);
  await page.write("fo");
  page.press(page.field, "ArrowUp");
  page.press(page.field, "Tab");
  await settled();
  assert.deepEqual([page.field.value, page.asked.at(-1)], ["folder:", "/suggest/?q=folder%3A&at=7"]);
});

test("a pressed suggestion is taken, and the focus stays in the field", { skip }, async (t) => {
  const page = await openQuery(t);
  await page.write("lo");
  assert.ok(page.fire("#a b", "pointerdown").defaultPrevented);
  assert.deepEqual([page.field.value, page.hasFocus(page.field)], ["logo ", true]);
  assert.equal(page.fire("#other", "pointerdown").defaultPrevented, false);
});

for (const [key, more, isTaken, isShown] of [
  ["Escape", {}, true, false],
  ["Enter", {}, false, false],
  ["x", {}, false, true],
  ["Escape", { isComposing: true }, false, true],
  ["Tab", { ctrlKey: true }, false, true],
  ["Tab", { altKey: true }, false, true],
  ["Tab", { metaKey: true }, false, true],
])
  test(
    `${[...Object.keys(more), key].join(" ")} ${isShown ? "leaves the list" : "closes the list"}`,
    { skip },
    async (t) => {
      const page = await openQuery(t);
      await page.write("lo");
      assert.deepEqual([page.press(page.field, key, more), page.isShown()], [isTaken, isShown]);
      assert.equal(page.press("#inner", "Escape"), false);
      page.fire("#inner", "focusout");
      assert.equal(page.isShown(), isShown);
      page.fire(page.field, "focusout");
      assert.deepEqual(
        [page.isShown(), page.field.getAttribute("aria-expanded"), page.field.value],
        [false, "false", "lo"],
      );
      assert.equal(page.one("[data-query-count]").textContent, "");
    },
  );

test("the field says to screen readers that it completes from a list, which it controls", { skip }, async (t) => {
  const { field } = await openQuery(t);
  assert.deepEqual(
    [field.getAttribute("aria-autocomplete"), field.getAttribute("aria-controls")],
    ["list", "query-options"],
  );
});

test("a new list has no current suggestion, and its words are gone with it", { skip }, async (t) => {
  const page = await openQuery(t);
  await page.write("lo");
  page.press(page.field, "ArrowDown");
  let shown = 0;
  page.window.Element.prototype.scrollIntoView = () => (shown += 1);
  page.press(page.field, "ArrowDown");
  assert.equal(shown, 1, "a suggestion further down comes in sight");
  await page.write("log");
  assert.deepEqual([page.current(), page.field.hasAttribute("aria-activedescendant")], ["", false]);
  page.press(page.field, "Escape");
  assert.deepEqual([page.all("[role=option]").length, page.field.getAttribute("aria-activedescendant")], [0, null]);
});

test("what was asked for before is not waited for, and a closed list is not asked for", { skip }, async (t) => {
  const page = await openQuery(t);
  const signals = [];
  globalThis.fetch = (_address, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  page.field.focus();
  page.press(page.field, "ArrowDown");
  page.press(page.field, "ArrowDown");
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  page.press(page.field, "Enter");
  assert.equal(signals[1].aborted, true);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  page.type(page.field, "l");
  t.mock.timers.tick(100);
  page.type(page.field, "lo");
  t.mock.timers.tick(119);
  assert.equal(signals.length, 2);
  t.mock.timers.tick(1);
  assert.equal(signals.length, 3, "typing is waited for");
  page.type(page.field, "log");
  page.press(page.field, "Enter");
  t.mock.timers.tick(500);
  assert.equal(signals.length, 3);
});

test(
  "a suggestion takes the place of the word at the caret alone, and a press beside them none",
  { skip },
  async (t) => {
    const page = await openQuery(t, optionOf("a", "logo", 4, 6));
    await page.write("old lo end");
    page.one("#other").focus();
    page.field.focus();
    await page.write("old lo end");
    page.press(page.field, "ArrowDown");
    page.press(page.field, "Tab");
    assert.deepEqual(
      [page.field.value, page.field.selectionStart, page.hasFocus(page.field)],
      ["old logo  end", 9, true],
    );
    assert.equal(page.fire("[role=listbox]", "pointerdown").defaultPrevented, false);
  },
);

test("a comma stays where it is typed, unless right behind the space of a suggestion", { skip }, async (t) => {
  const page = await openQuery(t);
  page.type(page.field, " ,");
  assert.equal(page.field.value, " ,");
  await page.write("lo");
  page.press(page.field, "Tab");
  page.type(page.field, "logo x");
  page.type(page.field, "logo ,");
  assert.equal(page.field.value, "logo ,");
});
