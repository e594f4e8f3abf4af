import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const rowOf = (id, more = "") => `
  <tr><td><input type="checkbox" name="video" id="${id}" value="${id}" ${more}></td>
    <th><a href="/${id}/" id="to-${id}">${id}</a></th></tr>`;
const PAGE = `
  <input id="field" type="search" data-find-here value="logo"><input type="radio" id="radio">
  <input type="checkbox" data-single-keys checked><details><summary>More</summary></details><p id="text"></p>
  <form data-choose method="get">
    <table><thead><tr><th><label data-choose-page hidden><input type="checkbox" data-choose-box></label></th></tr></thead>
    <tbody>${rowOf("a") + rowOf("b") + rowOf("c") + rowOf("d")}${rowOf("fixed", "checked disabled")}</tbody></table>
    <b data-choose-count data-none="Select videos" data-one="1 video" data-many="# videos"></b>
    <button type="button" data-choose-none hidden>Clear</button>
    <a href="/all/" data-choose-match>All that match</a><a href="/save/" data-save-view>Save view</a>
  </form>`;

async function openList(body = PAGE) {
  const page = openDashboard(body);
  await load("choose.js");
  return Object.assign(page, {
    chosen: () =>
      page
        .all("[name=video]:enabled:checked")
        .map((box) => box.id)
        .join(""),
    tick: (id, more) => page.click(`#${id}`, more),
    count: () => page.one("[data-choose-count]").textContent,
    whole: () => page.one("[data-choose-box]"),
  });
}

test("the bar says how many are selected, and the box of the page whether all are", { skip }, async () => {
  const page = await openList();
  const state = () => [page.count(), page.whole().checked, page.whole().indeterminate];
  const none = () => page.one("button[data-choose-none]").hidden;
  assert.deepEqual([...state(), none()], ["Select videos", false, false, true]);
  assert.equal(page.one("[data-choose-page]").hidden, false);
  page.tick("a");
  assert.deepEqual([...state(), none()], ["1 video", false, true, false]);
  page.tick("b");
  assert.deepEqual(state(), ["2 videos", false, true]);
  for (const id of "cd") page.tick(id);
  assert.deepEqual(state(), ["4 videos", true, false]);
});

test("the box of the page selects what can be changed, and takes all away again", { skip }, async () => {
  const page = await openList();
  page.click("[data-choose-box]");
  assert.deepEqual([page.chosen(), page.count()], ["abcd", "4 videos"]);
  page.click("[data-choose-box]");
  assert.deepEqual([page.chosen(), page.count()], ["", "Select videos"]);
  assert.ok(page.one("#fixed").checked);
});

test("Clear selection takes all away", { skip }, async () => {
  const page = await openList();
  for (const id of "ac") page.tick(id);
  page.click("button[data-choose-none]");
  assert.deepEqual([page.chosen(), page.count(), page.one("#fixed").checked], ["", "Select videos", true]);
});

for (const [first, second, expected] of [
  ["b", "d", "bcd"],
  ["d", "b", "bcd"],
  ["a", "b", "ab"],
])
  test(`Shift with a click from ${first} to ${second} selects all between`, { skip }, async () => {
    const page = await openList();
    page.tick(first);
    page.tick(second, { shiftKey: true });
    assert.deepEqual([page.chosen(), page.count()], [expected, `${expected.length} videos`]);
  });

test("Shift with a click makes all as the first one is, and begins nowhere by itself", { skip }, async () => {
  const page = await openList();
  page.tick("c", { shiftKey: true });
  assert.equal(page.chosen(), "c");
  page.click("[data-choose-box]");
  page.tick("c");
  page.tick("a", { shiftKey: true });
  assert.equal(page.chosen(), "d");
  page.tick("b");
  page.tick("d");
  page.fire(page.document, "htmx:afterSwap");
  page.tick("a", { shiftKey: true });
  assert.equal(page.chosen(), "ab", "the first one was forgotten with the list before");
});

test("a list that came anew says how many are selected in it", { skip }, async () => {
  const page = await openList();
  for (const [again, target] of [
    ["htmx:afterSwap", page.document],
    ["pageshow", page.window],
  ]) {
    page.one("#a").checked = !page.one("#a").checked;
    page.fire(target, again);
    assert.equal(page.count(), page.one("#a").checked ? "1 video" : "Select videos");
  }
});

test("a list without words and boxes of its own is chosen from as well", { skip }, async () => {
  const page = await openList(`<form data-choose>${rowOf("a")}</form>`);
  page.tick("a");
  assert.equal(page.chosen(), "a");
});

test("arrows walk the rows and stop at the ends", { skip }, async () => {
  const page = await openList();
  for (const [from, key, to] of [
    ["body", "ArrowDown", "a"],
    ["#a", "ArrowDown", "b"],
    ["#to-b", "ArrowDown", "c"],
    ["#c", "ArrowUp", "b"],
    ["#b", "ArrowUp", "a"],
    ["#a", "ArrowUp", "a"],
    ["#d", "ArrowDown", "d"],
  ]) {
    assert.ok(page.press(from, key), `${from} ${key}`);
    assert.ok(page.hasFocus(`#${to}`), `${from} ${key}`);
  }
  assert.equal(page.press("#text", "ArrowDown"), false);
  const empty = await openList("<form data-choose></form>");
  assert.equal(empty.press("body", "ArrowDown"), false);
});

test("keys select the page, all that match, none, and save the view", { skip }, async () => {
  const page = await openList();
  assert.ok(page.press("#text", "a"));
  assert.deepEqual([page.chosen(), page.count()], ["abcd", "4 videos"]);
  assert.ok(page.press("#text", "Escape"));
  assert.deepEqual([page.chosen(), page.count(), page.followed], ["", "Select videos", []]);
  assert.equal(page.press("#text", "Escape"), false);
  assert.ok(page.press("#text", "A", { shiftKey: true }));
  assert.ok(page.press("#text", "s"));
  assert.equal(page.press("#text", "x"), false);
  assert.deepEqual([page.followed, page.chosen()], [["/all/", "/save/"], ""]);
});

test("Esc follows the link that clears a selection beyond the page", { skip }, async () => {
  const page = await openList(PAGE.replace(/<button.*none.*?button>/, '<a href="/none/" data-choose-none></a>'));
  assert.ok(page.press("#text", "Escape"));
  assert.deepEqual(page.followed, ["/none/"]);
});

test("Enter opens the video of the box, and is left alone on a link", { skip }, async () => {
  const page = await openList();
  assert.ok(page.press("#b", "Enter"));
  assert.deepEqual(page.followed, ["/b/"]);
  assert.equal(page.press("#to-b", "Enter"), false);
});

test("Space with Shift selects all from the last box that was ticked", { skip }, async () => {
  const page = await openList();
  assert.equal(page.press("#c", " ", { shiftKey: true }), false);
  page.fire(page.document, "htmx:afterSwap");
  assert.equal(page.press("#c", "x"), false, "no box is ticked by another key");
  assert.equal(page.press("#d", " ", { shiftKey: true }), false);
  for (const id of "ab") assert.equal(page.press(`#${id}`, " "), false, "the browser ticks it");
  assert.equal(page.press("#d", "x", { shiftKey: true }), false);
  assert.equal(page.press("#text", " ", { shiftKey: true }), false);
  assert.equal(page.chosen(), "");
  assert.ok(page.press("#d", " ", { shiftKey: true }));
  assert.deepEqual([page.chosen(), page.count()], ["bcd", "3 videos"]);
  assert.ok(page.press("#a", " ", { shiftKey: true }));
  assert.deepEqual([page.chosen(), page.count()], ["abcd", "4 videos"]);
});

test("a slash leads to the field and selects what is in it", { skip }, async () => {
  const page = await openList();
  assert.ok(page.press("#text", "/"));
  const field = page.one("#field");
  assert.deepEqual([page.hasFocus(field), field.selectionStart, field.selectionEnd], [true, 0, 4]);
});

for (const [why, target, key, more] of [
  ["in a field", "#field", "a"],
  ["on a radio button", "#radio", "a"],
  ["on the head of a menu", "summary", "a"],
  ["with Ctrl", "#text", "a", { ctrlKey: true }],
  ["in a field", "#field", "/"],
])
  test(`${key} ${why} does nothing`, { skip }, async () => {
    const page = await openList();
    assert.deepEqual([page.press(target, key, more), page.chosen(), page.hasFocus("body")], [false, "", true]);
  });

test("the switch turns letters and the slash off, and leaves arrows and Esc", { skip }, async () => {
  const page = await openList();
  page.one("[data-single-keys]").checked = false;
  for (const key of ["a", "s", "/"]) assert.equal(page.press("#text", key), false, key);
  assert.deepEqual([page.chosen(), page.followed], ["", []]);
  assert.ok(page.press("body", "ArrowDown"));
  page.tick("a");
  assert.ok(page.press("#text", "Escape"));
});
