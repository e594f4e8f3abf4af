import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `
  <link rel="icon" href="/icon.svg"><div id="words" data-offline="You are offline."></div><div id="toasts"></div>
  <main data-room="film"></main><div id="live" data-v="5" data-after="0" data-poll="/film/comments"></div>
  <form data-find>
    <input name="q"><select name="by"><option value=""></option><option value="Ana"></option></select>
    <select name="sort"><option value="time"></option><option value="newest"></option></select>
  </form>
  <a id="to-comment" href="#c-1">One</a><ol id="threads"></ol>
  <div data-news hidden><button data-one="1 new" data-many="{n} new"></button></div>`;
/** Everything that was begun has ended: nothing here waits for a clock. */
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

async function openRoom(search = "") {
  const window = openPage(PAGE, { url: `https://reelroom.example/film${search}` });
  const { document } = window;
  const room = {
    window,
    offline: false,
    asked: [],
    form: document.querySelector("form").elements,
    toast: () => document.getElementById("toasts").textContent,
    async choose(name, value) {
      mock.timers.enable({ apis: ["setTimeout"] });
      room.form[name].focus();
      room.form[name].value = value;
      room.form[name].dispatchEvent(new window.Event("input", { bubbles: true }));
      mock.timers.tick(1000); // longer than a pause in typing
      mock.timers.reset();
      await settled();
    },
    async back() {
      const arrived = new Promise((done) => window.addEventListener("popstate", done, { once: true }));
      window.history.back();
      await arrived;
      await settled();
    },
  };
  globalThis.fetch = async (address) => {
    room.asked.push(address);
    if (room.offline) throw new TypeError("no connection");
    return new Response('<div id="live" data-v="6" data-after="0" data-poll="/film/comments"></div>');
  };
  (await load("review_portal/find.js")).start();
  return room;
}

test("without a connection a list that has the focus goes back to what is shown", { skip }, async () => {
  const room = await openRoom("?by=Ana");
  room.form.by.value = "Ana";
  room.offline = true;
  await room.choose("sort", "newest");
  assert.deepEqual([room.form.sort.value, room.form.by.value], ["time", "Ana"]);
  await room.choose("by", "");
  assert.deepEqual([room.form.sort.value, room.form.by.value], ["time", "Ana"]);
  assert.equal(room.toast(), "You are offline.");
  assert.equal(room.window.location.search, "?by=Ana");
});

test("a word that is typed without a connection waits in its box while a list is changed", { skip }, async () => {
  const room = await openRoom();
  room.offline = true;
  await room.choose("q", "logo");
  await room.choose("sort", "newest");
  assert.deepEqual([room.form.q.value, room.form.sort.value], ["logo", "time"]);
});

test("Back without a connection is said, and the address says what is shown", { skip }, async () => {
  const room = await openRoom("?tab=transcript");
  await room.choose("sort", "newest");
  await room.choose("by", "Ana");
  assert.equal(room.window.location.search, "?by=Ana&sort=newest");
  room.offline = true;
  await room.back();
  assert.equal(room.toast(), "You are offline.");
  assert.equal(room.window.location.search, "?by=Ana&sort=newest");
  assert.deepEqual([room.form.sort.value, room.form.by.value], ["newest", "Ana"]);
  room.offline = false;
  await room.back();
  assert.equal(room.window.location.search, "?sort=newest");
  assert.deepEqual([room.form.sort.value, room.form.by.value], ["newest", ""]);
});

test("Back to another comment of the same list asks for nothing and says nothing", { skip }, async () => {
  const room = await openRoom("?by=Ana");
  room.window.location.hash = "#c-1";
  await settled();
  room.offline = true;
  await room.back();
  assert.deepEqual([room.asked, room.toast()], [[], ""]);
});
