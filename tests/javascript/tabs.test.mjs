import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, skip } from "./dashboard.mjs";
import { load, openRoom, until } from "./room.mjs";

const WORDS = `<div id="transcript" data-state="ready" data-total="1"><div data-words-list>
  <a data-more="earlier" href="/film"></a><ol class="sentences"><li class="sentence" data-n="0" data-from="0" data-to="2">
    <a class="sentence__link" href="?t=0"><span class="sentence__time"></span><span class="sentence__words"></span></a>
    <span class="sentence__end"><a href="?quote=0" data-quote><svg><use href="#"></use></svg><span></span></a></span></li></ol>
  <a data-more="later" href="/film"></a></div></div>`;
const pageOf = (
  more,
  words,
) => `<div class="watch__pinned"></div><div class="talk__foot"></div><div id="live" data-v="1"></div>
  <input type="hidden" name="csrfmiddlewaretoken" value="token"><div class="talk" data-tab><nav class="tabs">
    <a href="/film" data-panel="comments" ${words ? "" : 'aria-current="page"'}>Comments</a>
    <a href="/film?tab=transcript" data-panel="transcript" ${words ? 'aria-current="page"' : ""}><b>Words</b></a></nav>${words}</div>
  <details data-people ${more}><summary><b data-people-count></b></summary><div data-people-list></div></details>`;

/** The room with what is beside the film; `asked` are the addresses that were asked for. */
async function openTabs(t, { more = "", words = "" } = {}) {
  const page = await openRoom(pageOf(more, words), { url: "https://reelroom.example/film" });
  t.mock.timers.enable({ apis: ["setInterval"] });
  const asked = [];
  globalThis.location.hash = "";
  globalThis.KeyboardEvent = page.window.KeyboardEvent;
  Object.defineProperty(page.document, "scrollingElement", { value: page.document.documentElement });
  Object.defineProperty(page.one("details"), "open", { value: false, writable: true });
  globalThis.fetch = async (address) => {
    asked.push(address);
    return {
      status: 200,
      text: async () => (address.includes("transcript") ? WORDS : "<p id='people'></p>"),
      headers: new Headers(),
    };
  };
  (await load("review_portal/tabs.js")).start();
  return Object.assign(page, {
    asked,
    current: () => page.one("[data-panel][aria-current]").dataset.panel,
    arrives: (name) => until(() => asked.some((address) => address.includes(name))),
  });
}

test("a tab changes what is beside the film, and the film plays on", { skip }, async (t) => {
  const page = await openTabs(t);
  assert.equal(page.click("[data-panel=transcript] b"), true);
  await page.arrives("transcript");
  await until(() => page.current() === "transcript");
  assert.deepEqual([page.asked, page.current(), page.visited], [["/film/transcript?t=0"], "transcript", []]);
  assert.equal(page.click("[data-panel=comments]"), true);
  await until(() => page.current() === "comments");
  assert.equal(page.current(), "comments");
});

test("a tab that is to be another page of the browser, and other links, are left alone", { skip }, async (t) => {
  const page = await openTabs(t);
  assert.equal(page.click("[data-panel=transcript]", { ctrlKey: true }), false);
  assert.equal(page.click(".tabs"), false);
  await settled();
  assert.deepEqual(page.asked, []);
});

test("the key of the tabs turns to the other one", { skip }, async (t) => {
  const page = await openTabs(t);
  page.act("transcript");
  await until(() => page.current() === "transcript");
  page.act("transcript");
  await until(() => page.current() === "comments");
  assert.deepEqual([page.current(), page.asked.length], ["comments", 1]);
});

test("a page that shows the words is ready for them at once", { skip }, async (t) => {
  const page = await openTabs(t, { words: WORDS });
  await until(() => page.one("button[data-quote]"));
  assert.ok(page.one("button[data-quote]"));
  assert.equal(page.one("[aria-current=true]").dataset.n, "0");
});

test("who else is here comes when there is somebody, and who it is when that is wanted", { skip }, async (t) => {
  const page = await openTabs(t);
  page.fire(page.document, "room:here", { detail: "" });
  await settled();
  assert.equal(page.one("[data-people-count]").textContent, "");
  page.fire(page.document, "room:here", { detail: "[1,2]" });
  await until(() => page.one("[data-people-count]").textContent);
  assert.equal(page.one("[data-people-count]").textContent, "2");
  page.one("details").open = true;
  page.fire("details", "toggle");
  await page.arrives("people");
  assert.deepEqual(page.asked, ["/film/people"]);
});

for (const more of ["data-seen", "data-shares"])
  test(`a reader with ${more} is told to the server from the beginning`, { skip }, async (t) => {
    const page = await openTabs(t, { more });
    const told = [];
    globalThis.navigator.sendBeacon = (address) => told.push(address);
    page.film.paused = false;
    await until(() => {
      page.film.at((page.film.time + 1) % 50);
      page.fire(page.window, "pagehide");
      return told.length;
    });
    assert.equal(told[0], "/film/watched");
  });
