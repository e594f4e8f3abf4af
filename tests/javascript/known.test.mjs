import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeHtmx, load, openDashboard, settled, skip } from "./dashboard.mjs";

const noticeOf = (more) => `<p id="known" ${more}></p>`;
const NEWS = noticeOf('data-news="/news/"');
const NEWER = noticeOf('data-newer="/page/"');
const PAGE = `<main id="main"><input id="field"></main><input id="outside"><dialog></dialog><div popover></div>
  <details data-menu></details>`;

async function openKnown(t, { notice = NEWS, answers = {}, htmx = true } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(notice + PAGE);
  globalThis.DOMParser = page.window.DOMParser;
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    const answer = answers[address]?.shift?.();
    if (answer === undefined) throw new Error("no network");
    return { status: 200, redirected: false, text: async () => answer, ...(answer instanceof Object ? answer : {}) };
  };
  const calls = htmx ? fakeHtmx(page) : { swapped: [] };
  await load("known.js");
  return Object.assign(page, {
    asked,
    swapped: calls.swapped,
    async passes(time) {
      t.mock.timers.tick(time);
      await settled();
    },
    notice: () => page.one("#known").outerHTML,
  });
}

const FRESH = '<main id="main">Newer</main>';
const answersOf = () => ({ "/news/": [NEWER], "/page/": [FRESH] });

test("what is newer is shown by itself", { skip }, async (t) => {
  const page = await openKnown(t, { answers: answersOf() });
  await page.passes(999);
  assert.deepEqual(page.asked, []);
  await page.passes(1);
  assert.deepEqual([page.asked, page.notice()], [["/news/", "/page/"], noticeOf('data-newer="/page/"')]);
  const [[target, text, how, { select }]] = page.swapped;
  assert.deepEqual([target, text, how.swapStyle, select], ["#main", FRESH, "outerHTML", "#main"]);
  await page.passes(5000);
  assert.equal(page.asked.length, 2, "and nothing more is asked");
});

for (const [what, answer] of [
  ["has no news", { status: 204, text: async () => NEWER }],
  ["shows a page to sign in", { redirected: true, text: async () => NEWER }],
  ["does not answer", undefined],
])
  test(`where the server ${what} the page asks again`, { skip }, async (t) => {
    const page = await openKnown(t, { answers: { "/news/": [answer, NEWER] } });
    await page.passes(1000);
    assert.deepEqual([page.asked, page.notice()], [["/news/"], NEWS]);
    await page.passes(1000);
    assert.equal(page.asked[1], "/news/");
  });

test("a page that waits for the end of a pause asks then, and from then on as any other", { skip }, async (t) => {
  const page = await openKnown(t, { notice: noticeOf('data-news="/news/" data-wait="30"') });
  await page.passes(29_999);
  assert.deepEqual(page.asked, []);
  await page.passes(1);
  await page.passes(1000);
  assert.equal(page.asked.length, 2);
});

test("news of another wait are waited for", { skip }, async (t) => {
  const page = await openKnown(t, { answers: { "/news/": [noticeOf('data-news="/news/" data-wait="5"')] } });
  await page.passes(1000);
  await page.passes(4999);
  assert.equal(page.asked.length, 1);
  await page.passes(1);
  assert.equal(page.asked.length, 2);
});

for (const [what, begin] of [
  ["typed", (page) => page.fire("#outside", "input")],
  ["chose", (page) => page.fire("#outside", "change")],
  ["sent", (page) => page.fire("#outside", "submit")],
  ["is in a field of the page", (page) => page.one("#field").focus()],
  ["has a dialog open", (page) => page.one("dialog").setAttribute("open", "")],
  ["has a list open", (page) => page.one("[popover]").setAttribute("data-shown", "")],
  ["has a menu open", (page) => page.one("details").setAttribute("open", "")],
])
  test(`whoever ${what} keeps the page`, { skip }, async (t) => {
    const page = await openKnown(t, { answers: answersOf() });
    begin(page);
    await page.passes(1000);
    assert.deepEqual([page.asked, page.swapped], [["/news/"], []]);
    t.mock.timers.reset();
    const begun = () => (begin(later), FRESH);
    const later = await openKnown(t, { answers: { "/news/": [NEWER], "/page/": [{ text: async () => begun() }] } });
    await later.passes(1000);
    assert.deepEqual([later.asked.length, later.swapped], [2, []], "also if it began while the page came");
  });

test("whoever is in a field beside the page gets what is newer", { skip }, async (t) => {
  const page = await openKnown(t, { answers: answersOf() });
  page.one("#outside").focus();
  await page.passes(1000);
  assert.equal(page.swapped.length, 1);
});

test("a page that does not come, or has nothing to show it with, stays", { skip }, async (t) => {
  const page = await openKnown(t, { answers: { "/news/": [NEWER] } });
  await page.passes(1000);
  assert.deepEqual([page.asked.length, page.swapped], [2, []]);
});

test("a page that was read anew asks nothing", { skip }, async (t) => {
  const page = await openKnown(t, { notice: noticeOf("") });
  await page.passes(60_000);
  assert.deepEqual(page.asked, []);
});
