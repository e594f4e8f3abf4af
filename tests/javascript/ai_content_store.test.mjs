import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `<div data-scope="7"></div>
  <form data-keep="quiz"><input type="hidden" name="csrfmiddlewaretoken" value="secret"><input type="hidden" name="seen" data-seen value="3">
    <input type="hidden" name="at" value="1"><input type="hidden" name="from" value="2"><input name="title" value="Title"><textarea name="text">Old</textarea>
    <input type="checkbox" name="correct" value="a" checked><input type="checkbox" name="correct" value="b">
    <input type="radio" name="kind" value="x"><button name="press" value="1"></button></form>
  <form data-keep="other"><input name="title" value="Title"></form>`;
const KEY = "keep:7:quiz";

async function openStore(t, { body = PAGE } = {}) {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000_000_000 });
  const page = openDashboard(body);
  const store = await load("ai_content/store.js");
  return Object.assign(page, store, { form: page.one("form"), kept: () => JSON.parse(localStorage.getItem(KEY)) });
}

test("what is kept of a form are its own fields, never the page's token", { skip }, async (t) => {
  const page = await openStore(t, { body: PAGE.replace("<textarea", '<input type="file" name="file"><textarea') });
  const fields = [
    ["title", "Title"],
    ["text", "Old"],
    ["correct", "a"],
  ];
  assert.deepEqual(page.fields(page.form), fields);
  assert.equal(page.snapshot(page.form), JSON.stringify(fields));
  page.put(page.form);
  assert.deepEqual(page.kept(), { seen: "3", fields, at: 1_000_000_000_000 });
  assert.deepEqual(page.load(page.form), page.kept());
  assert.equal(page.load(page.all("form")[1]), null, "another form has its own");
  page.drop(page.form);
  assert.deepEqual([page.kept(), page.load(page.form)], [null, null]);
});

test("a form that nobody has seen, and a page without a scope, keep as well", { skip }, async (t) => {
  const page = await openStore(t, { body: '<form data-keep="quiz"><input name="title" value="T"></form>' });
  page.put(page.form);
  assert.deepEqual(JSON.parse(localStorage.getItem("keep::quiz")), {
    seen: "",
    fields: [["title", "T"]],
    at: 1_000_000_000_000,
  });
});

test("what was kept is there for thirty days", { skip }, async (t) => {
  const page = await openStore(t);
  page.put(page.form);
  t.mock.timers.tick(30 * 86_400_000 - 1);
  assert.ok(page.load(page.form));
  t.mock.timers.tick(1);
  assert.equal(page.load(page.form), null);
});

test("a browser that keeps nothing, or something else, disturbs nobody", { skip }, async (t) => {
  const page = await openStore(t);
  localStorage.setItem(KEY, "{broken");
  assert.equal(page.load(page.form), null);
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new Error("blocked");
    },
    configurable: true,
  });
  page.put(page.form);
  page.drop(page.form);
  assert.equal(page.load(page.form), null);
});

test("kept fields go back into a form of the same shape, with what was ticked", { skip }, async (t) => {
  const page = await openStore(t);
  const fields = [
    ["title", "New title"],
    ["text", "New"],
    ["correct", "b"],
    ["closed", "1"],
    ["node", "2"],
  ];
  assert.equal(page.fill(page.form, { fields }), true);
  assert.deepEqual(page.fields(page.form), [
    ["title", "New title"],
    ["text", "New"],
    ["correct", "b"],
  ]);
  assert.deepEqual(
    page.all("[name=correct]").map(({ checked }) => checked),
    [false, true],
  );
  assert.equal(page.one("[name=seen]").value, "3");
});

for (const [what, fields] of [
  ["fewer fields", [["title", "x"]]],
  [
    "more fields",
    [
      ["title", "x"],
      ["text", "y"],
      ["more", "z"],
    ],
  ],
  [
    "another order",
    [
      ["text", "y"],
      ["title", "x"],
    ],
  ],
])
  test(`kept ${what} leave the form as it is`, { skip }, async (t) => {
    const page = await openStore(t);
    assert.equal(page.fill(page.form, { fields }), false);
    assert.deepEqual([page.one("[name=title]").value, page.one("[name=text]").value], ["Title", "Old"]);
  });

test("what is shown of lost words is the longest that the form does not say", { skip }, async (t) => {
  const page = await openStore(t);
  const gist = (...values) => page.gist(page.form, { fields: values.map((value) => ["text", value]) });
  assert.equal(gist("Title", "short", "the longer one", "", "middle"), "the longer one");
  assert.equal(gist("Title", "Old"), "");
  assert.equal(gist(""), "");
});
