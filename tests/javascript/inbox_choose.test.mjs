import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { openInbox } from "./inbox.mjs";

async function openChoice(options) {
  const page = openInbox(options);
  Object.assign(page, await load("inbox/choose.js"));
  page.pick = (...ids) => ids.forEach((id) => page.toggle(page.row(id)));
  page.pickedIds = () => page.picked().map((row) => row.dataset.row);
  /** The bar: its words and each button that is offered. */
  page.bar = () =>
    page.one("[data-bulk]").hidden
      ? null
      : [
          page.one("[data-bulk] b").textContent,
          ...page
            .all("[data-counts]")
            .filter((button) => !button.hidden)
            .map((button) => button.textContent),
        ];
  return page;
}

for (const [ids, expected] of [
  [[], null],
  [["a"], ["1 selected", "resolve 1", "read 1"]],
  [["b"], ["1 selected", "reopen 1"]],
  [["d"], ["1 selected"]],
  [
    ["a", "c"],
    ["2 selected", "resolve 2", "read 1"],
  ],
  [
    ["a", "b", "c", "d"],
    ["4 selected", "resolve 2", "reopen 1", "read 1"],
  ],
])
  test(`with ${ids.join(" and ") || "nothing"} selected the bar offers what applies`, { skip }, async () => {
    const page = await openChoice();
    page.pick(...ids);
    assert.deepEqual([page.pickedIds(), page.bar()], [ids, expected]);
  });

test("a comment that is resolved, and a decision, are not resolved once more", { skip }, async () => {
  const page = await openChoice();
  page.row("b").dataset.comment = "";
  delete page.row("d").dataset.comment;
  page.pick("b", "d");
  assert.deepEqual(page.bar(), ["2 selected", "reopen 1"]);
});

test("a row that comes anew keeps its tick, and no other gets one", { skip }, async () => {
  const page = await openChoice();
  page.pick("a", "c");
  for (const [id, name] of [
    ["a", "htmx:oobAfterSwap"],
    ["c", "htmx:afterSettle"],
  ]) {
    page.row(id).outerHTML = page.row(id).outerHTML;
    page.row("b").outerHTML = page.row("b").outerHTML;
    assert.equal(page.pickedIds().length, 1);
    page.fire(page.document, name);
    assert.deepEqual([page.pickedIds(), page.bar()[0]], [["a", "c"], "2 selected"]);
  }
  page.row("a").querySelector("input").remove();
  page.fire(page.document, "htmx:afterSettle");
  assert.deepEqual(page.pickedIds(), ["c"]);
});

test("an action takes all that is selected, once, and says whether it did", { skip }, async () => {
  const page = await openChoice();
  assert.equal(page.actOnPicked("resolve"), false);
  page.pick("a", "c");
  assert.equal(page.actOnPicked("unread"), true);
  await settled();
  assert.deepEqual(page.acts(), [["unread", "a", "c"]]);
  page.row("a").outerHTML = page.row("a").outerHTML;
  page.fire(page.document, "htmx:afterSettle");
  assert.deepEqual(page.pickedIds(), ["c"], "what was acted on is selected no more");
});

test("the form that is sent names the open item, and nothing stays selected", { skip }, async () => {
  const page = await openChoice();
  page.pick("a");
  page.fire("[data-picks]", "submit");
  assert.equal(page.one("[name=open]").getAttribute("value"), "a");
  page.row("a").outerHTML = page.row("a").outerHTML;
  page.fire(page.document, "htmx:afterSettle");
  assert.equal(page.bar(), null);
  page.one("[name=open]").setAttribute("value", "");
  page.fire("#answer", "submit");
  assert.equal(page.one("[name=open]").getAttribute("value"), "");
});

test("Select none takes all away, also for rows that come anew", { skip }, async (t) => {
  const page = await openChoice();
  assert.equal(page.one("[data-choose-nothing]").hidden, false);
  page.pick("a", "b");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  page.one("[data-choose-nothing]").click();
  t.mock.timers.tick(1);
  assert.equal(page.bar(), null);
  page.fire(page.document, "htmx:afterSettle");
  assert.deepEqual(page.pickedIds(), []);
});

test("what the browser ticked again on the way back counts", { skip }, async () => {
  const page = await openChoice();
  page.row("c").querySelector("input").checked = true;
  page.fire(page.window, "pageshow");
  assert.equal(page.bar()[0], "1 selected");
  page.row("c").outerHTML = page.row("c").outerHTML;
  page.fire(page.document, "htmx:afterSettle");
  assert.deepEqual(page.pickedIds(), ["c"]);
});

test("an empty inbox has no bar, and nothing is said", { skip }, async () => {
  const page = await openChoice({ change: ({ one }) => one("[data-picks]").remove() });
  page.fire(page.window, "pageshow");
  assert.deepEqual(page.pickedIds(), []);
});
