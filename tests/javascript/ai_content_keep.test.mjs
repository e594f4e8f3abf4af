import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeHtmx, load, openDashboard, settled, skip } from "./dashboard.mjs";

const TEMPLATES = {
  offline: "Offline",
  refused: "Refused",
  "signed-out": '<a data-sign-in href="/sign-in/">Sign in</a>',
};
const RECOVERED = "<p data-text></p><button data-use></button><button data-drop></button>";
const PAGE = `
  <div data-scope="7"></div><div data-keep-notice></div><div id="pulse"></div><input id="field">
  ${Object.entries({ ...TEMPLATES, recovered: RECOVERED })
    .map(([name, words]) => `<template data-keep-words="${name}">${words}</template>`)
    .join("")}
  <form id="book" data-keep="book"><input type="hidden" data-seen value="3"><textarea name="text" id="text">Old</textarea>
    <button name="delete" value="1"></button><button name="move" value="up"></button></form>
  <form id="publish" method="post"><button id="go"></button></form>
  <form id="save" data-save hx-post="/save/"><button></button></form>
  <a id="link" href="/next/"></a><a id="here" href="#text"></a><a id="part" href="/part/" hx-get="/part/"></a>
  <button id="act"></button><button id="poll" data-poll="2"></button>
  <button id="forget" data-drop-typed></button><a id="reload" href="/" data-reload></a>
  <b data-changed></b><b class="tabs__mark"></b>`;
const KEY = "keep:7:book";
const entryOf = (text, { seen = "3", at = Date.now() } = {}) => JSON.stringify({ seen, fields: [["text", text]], at });

async function openEditor({ kept, before } = {}) {
  const page = openDashboard(PAGE);
  page.window.localStorage.clear();
  if (kept) page.window.localStorage.setItem(KEY, kept);
  const htmx = fakeHtmx(page);
  before?.(page);
  await load("ai_content/keep.js");
  const sent = (type, detail) => page.fire("#book", type, { detail });
  return Object.assign(page, {
    htmx,
    kept: () => JSON.parse(page.window.localStorage.getItem(KEY))?.fields[0][1] ?? null,
    notice: () => page.one("[data-keep-notice]").textContent,
    keeps: () => htmx.triggered.length,
    write: (text) => page.type("#text", text),
    leaves: () => sent("htmx:beforeRequest", {}),
    comes: (successful = true) => sent("htmx:afterRequest", { successful }),
    fails: (status) => sent("htmx:responseError", { xhr: { status } }),
    async stored() {
      page.leaves();
      page.comes();
      await settled();
    },
    confirm(target, elt = page.one(target)) {
      const issued = [];
      const event = page.fire(target, "htmx:confirm", { detail: { elt, issueRequest: (now) => issued.push(now) } });
      return { isHeld: event.defaultPrevented, issued };
    },
  });
}

test("what is typed is kept here until the server has just that", { skip }, async () => {
  const page = await openEditor();
  page.type("#field", "no form");
  assert.equal(page.kept(), null);
  page.write("New");
  assert.equal(page.kept(), "New");
  page.leaves();
  page.write("Newer");
  page.comes();
  assert.equal(page.kept(), "Newer", "more was typed since it left");
  page.leaves();
  page.comes(false);
  assert.equal(page.kept(), "Newer");
  page.comes();
  assert.equal(page.kept(), null);
});

test("a form that was swapped away after it was sent is done with", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  page.leaves();
  const form = page.write("Newer").form;
  form.remove();
  page.document.body.append(form);
  page.comes();
  assert.equal(page.kept(), "Newer");
});

for (const [why, kept, expected] of [
  ["of the text that the page shows is put back and sent", entryOf("New"), ["New", "New", 1, ""]],
  ["that is what the page shows is forgotten", entryOf("Old"), ["Old", null, 0, ""]],
  ["of nothing is forgotten", entryOf(""), ["Old", null, 0, ""]],
  ["of an older text is offered", entryOf("New", { seen: "2" }), ["Old", "New", 0, "New"]],
  ["older than a month is passed over", entryOf("New", { at: Date.now() - 31 * 86_400_000 }), ["Old", "New", 0, ""]],
])
  test(`a kept text ${why}`, { skip }, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const page = await openEditor({ kept });
    t.mock.timers.tick(1);
    assert.deepEqual([page.one("#text").value, page.kept(), page.keeps(), page.notice()], expected);
  });

test("an offered text is used or dropped", { skip }, async () => {
  const kept = entryOf("New", { seen: "2" });
  const page = await openEditor({ kept });
  page.click("[data-use]");
  assert.deepEqual([page.one("#text").value, page.kept(), page.notice()], ["New", "New", ""]);
  const other = await openEditor({ kept });
  other.click("[data-drop]");
  assert.deepEqual([other.one("#text").value, other.kept(), other.notice()], ["Old", null, ""]);
});

for (const [status, words] of [
  [500, "Offline"],
  [429, "Offline"],
  [403, "Refused"],
  [499, "Refused"],
])
  test(`after ${status} the page says ${words}`, { skip }, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const page = await openEditor();
    page.write("New");
    page.fails(status);
    page.fire("#field", "htmx:responseError", { detail: { xhr: { status: 500 } } });
    assert.deepEqual([page.notice(), page.kept()], [words, "New"]);
    t.mock.timers.tick(4000);
    assert.equal(page.keeps(), words === "Offline" ? 1 : 0, "and tries again");
    page.stored();
    assert.equal(page.notice(), words === "Offline" ? "" : "Refused");
  });

for (const name of ["htmx:sendError", "htmx:timeout"])
  test(`after ${name} the text is sent again, at once when the network is back`, { skip }, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const page = await openEditor();
    page.write("New");
    page.fire("#field", name, { detail: {} });
    assert.equal(page.notice(), "");
    page.fire("#book", name, { detail: {} });
    page.fire("#book", name, { detail: {} });
    t.mock.timers.tick(4000);
    page.fire(page.window, "online");
    assert.deepEqual([page.notice(), page.htmx.triggered], ["Offline", ["keep book", "keep book"]]);
  });

for (const [from, to, expected] of [
  ["#book", "/sign-in/", "Sign in"],
  ["#pulse", "/sign-in/", "Sign in"],
  ["#publish", "/sign-in/", ""],
  ["#book", "/other/", ""],
  ["#book", null, ""],
])
  test(`${to} for ${from} ${expected ? "is said, and the page stays" : "is left to htmx"}`, { skip }, async () => {
    const page = await openEditor();
    const xhr = { getResponseHeader: (name) => (name === "HX-Redirect" ? to : null) };
    const { defaultPrevented } = page.fire(from, "htmx:beforeOnLoad", { detail: { xhr } });
    assert.deepEqual([defaultPrevented, page.notice()], [Boolean(expected), expected]);
    if (expected) assert.match(page.one("[data-sign-in]").href, /\?next=%2Fdashboard%2F$/);
  });

for (const [why, cause, expected] of [
  ["that nobody pressed sends no button", () => ({ type: "keep" }), { text: "Old" }],
  [
    "sends the button that was pressed",
    (one) => ({ type: "submit", submitter: one("[name=move]") }),
    { text: "Old", move: "up" },
  ],
])
  test(`a form ${why}`, { skip }, async () => {
    const page = await openEditor();
    const formData = new page.window.FormData();
    for (const [name, value] of Object.entries({ text: "Old", delete: "1" })) formData.set(name, value);
    const detail = { formData, headers: {}, elt: page.one("#book"), triggeringEvent: cause(page.one) };
    page.fire("#book", "htmx:configRequest", { detail });
    assert.deepEqual(Object.fromEntries(formData), expected);
  });

test("an act waits until what was typed is stored, and is done once", { skip }, async () => {
  const page = await openEditor();
  assert.equal(page.confirm("#act").isHeld, false, "nothing was typed");
  page.write("New");
  for (const target of ["#book", "#poll"]) assert.equal(page.confirm(target).isHeld, false, target);
  const first = page.confirm("#act");
  const second = page.confirm("#act");
  await settled();
  assert.deepEqual([first.isHeld, second.isHeld, first.issued, page.keeps()], [true, true, [], 1]);
  page.comes();
  await settled();
  assert.deepEqual(first.issued, [], "the request that ends had left before");
  await page.stored();
  assert.deepEqual([first.issued, second.issued], [[true], []]);
  assert.equal(page.confirm("#act").isHeld, false);
});

test("a form leaves after what was typed, with the button that was pressed", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  page.one("#go").click();
  assert.deepEqual([page.submitted.length, page.keeps()], [0, 1]);
  await page.stored();
  assert.deepEqual(
    page.submitted.map(([form, button]) => [form.id, button.id]),
    [["publish", "go"]],
  );
  page.one("#go").click();
  assert.equal(page.submitted.length, 2);
});

test("no other request takes the place of a save that is on its way", { skip }, async () => {
  const page = await openEditor();
  page.one("#save").className = "htmx-request";
  assert.equal(page.confirm("#poll").isHeld, false);
  const { isHeld, issued } = page.confirm("#act");
  const over = (id) =>
    page.fire(page.document, "htmx:afterRequest", { detail: { requestConfig: { elt: page.one(id) } } });
  over("#act");
  assert.deepEqual([isHeld, issued], [true, []]);
  over("#save");
  over("#save");
  assert.deepEqual(issued, [true]);
});

for (const [target, more, visited, followed] of [
  ["#link", {}, ["https://reelroom.example/next/"], []],
  ["#link", { ctrlKey: true }, [], ["/next/"]],
  ["#link", { metaKey: true }, [], ["/next/"]],
  ["#link", { shiftKey: true }, [], ["/next/"]],
  ["#link", { altKey: true }, [], ["/next/"]],
  ["#link", { button: 1 }, [], ["/next/"]],
  ["#here", {}, [], ["#text"]],
  ["#part", {}, [], ["/part/"]],
])
  test(
    `${target} with ${Object.keys(more)[0] ?? "no key"} is followed ${visited.length ? "after the text is stored" : "at once"}`,
    { skip },
    async () => {
      const page = await openEditor();
      page.write("New");
      page.click(target, more);
      assert.deepEqual(page.visited, []);
      await page.stored();
      assert.deepEqual([page.visited, page.followed], [visited, followed]);
      page.click("#link");
      assert.equal(page.followed.length, followed.length + 1, "nothing is left to store");
    },
  );

test("what was typed is dropped when that is asked for", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  page.click("#forget");
  page.click("#link");
  assert.deepEqual([page.kept(), page.followed], [null, ["/next/"]]);
  page.click("#reload");
  assert.deepEqual(page.visited, ["reload"]);
});

test("Ctrl and S save after what was typed is stored", { skip }, async () => {
  const page = await openEditor();
  for (const [key, more] of [["s"], ["d", { ctrlKey: true }]]) assert.equal(page.press("#text", key, more), false);
  page.write("New");
  assert.ok(page.press("#text", "s", { ctrlKey: true }));
  await settled();
  assert.deepEqual([page.submitted, page.keeps()], [[], 1]);
  await page.stored();
  assert.deepEqual(
    page.submitted.map(([form]) => form.id),
    ["save"],
  );
  page.fire(page.document, "ai-content:saved", { detail: {} });
  assert.equal(page.one("[data-changed], .tabs__mark"), null);
});

test("an act does not wait for ever for a server that is silent", { skip }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = await openEditor();
  page.write("New");
  const { issued } = page.confirm("#act");
  t.mock.timers.tick(5999);
  await settled();
  assert.deepEqual(issued, []);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual([issued, page.kept()], [[true], "New"]);
});

test("a form whose successor stands there keeps nothing back", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  const form = page.one("#book");
  form.replaceWith(form.cloneNode(true));
  page.fire(page.document, "htmx:afterOnLoad", { detail: {} });
  assert.equal(page.confirm("#act").isHeld, false);
});

for (const [what, early, readyState, kept] of [
  ["on a page that is complete", { target: "#text", value: "New" }, "complete", ["New", "New"]],
  ["on a page that still loads", { target: "#text", value: "New" }, "interactive", [null, "New"]],
  ["and is what the page brought", { target: "#text", value: "Old" }, "complete", [null, null]],
  ["in no form", { target: "#field", value: "New" }, "complete", [null, null]],
])
  test(`what was typed before the script was there, ${what}`, { skip }, async () => {
    const page = await openEditor({
      before({ one, document }) {
        Object.defineProperty(document, "readyState", { value: readyState });
        one(early.target).focus();
        one(early.target).value = early.value;
      },
    });
    const first = page.kept();
    page.fire(page.window, "load");
    assert.deepEqual([first, page.kept()], kept);
    if (readyState !== "interactive") return;
    page.window.localStorage.clear();
    page.fire(page.window, "load");
    assert.equal(page.kept(), null, "it is told once");
  });

test("the answer to another form forgets nothing", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  page.fire("#publish", "htmx:afterRequest", { detail: { successful: true } });
  page.fire(page.document, "htmx:afterRequest", { detail: { successful: true } });
  assert.ok(page.confirm("#act").isHeld);
});

test("a form that only asks leaves at once", { skip }, async () => {
  const page = await openEditor();
  page.write("New");
  page.one("#publish").method = "get";
  page.one("#go").click();
  assert.deepEqual([page.submitted.length, page.keeps()], [1, 0]);
});

test("a long text that is offered is cut", { skip }, async () => {
  const page = await openEditor({ kept: entryOf("x".repeat(500), { seen: "2" }) });
  assert.equal(page.notice().length, 400);
  page.click("[data-use]");
  assert.equal(page.one("#text").value.length, 500);
});
