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
  <a id="to-comment" href="#c-1">One</a><div data-scroller></div><ol id="threads"></ol>
  <div id="chips"><a href="?show=open" data-show="open" tabindex="0"><b>Open</b></a><a href="/film" data-show="">All</a></div>
  <a href="?show=new&since=3" data-new-chip>New</a>
  <a id="carry" href="/film/print?q=old" data-carry></a><p data-carry-fields><input name="old"></p>
  <div data-news hidden><button data-one="1 new" data-many="{n} new"></button></div>`;
const ANSWER = `<div id="live" data-v="6" data-after="0" data-poll="/film/comments"></div>
  <div id="chips"><a href="?show=open" data-show="open">Open</a><a href="?show=new" data-show="new">New</a></div>`;
/** Everything that was begun has ended: nothing here waits for a clock. */
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

async function openRoom(search = "", { body = PAGE, status = 200 } = {}) {
  const window = openPage(body, { url: `https://reelroom.example/film${search}` });
  const { document } = window;
  const room = {
    window,
    offline: false,
    asked: [],
    form: document.querySelector("form")?.elements,
    status,
    document,
    at: () => window.location.href.replace("https://reelroom.example", ""),
    async click(selector, more) {
      const event = new window.MouseEvent("click", { bubbles: true, cancelable: true, ...more });
      let isTaken = false;
      const leave = (late) => {
        isTaken = late.defaultPrevented;
        late.preventDefault(); // no page of this test goes elsewhere
      };
      window.addEventListener("click", leave, { once: true });
      document.querySelector(selector).dispatchEvent(event);
      await settled();
      return isTaken;
    },
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
    /** Until the page has heard that its address is another one. */
    async arrive(go) {
      const arrived = new Promise((done) => window.addEventListener("popstate", done, { once: true }));
      go();
      await arrived;
      await settled();
    },
    back: () => room.arrive(() => window.history.back()),
  };
  globalThis.fetch = async (address) => {
    room.asked.push(address);
    if (room.offline) throw new TypeError("no connection");
    return new Response(ANSWER, { status: room.status });
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
  await room.arrive(() => (room.window.location.hash = "#c-1"));
  room.offline = true;
  await room.back();
  assert.deepEqual([room.asked, room.toast()], [[], ""]);
});

test(
  "a word is searched for when typing pauses, a list at once, and an order that is the usual one is not said",
  { skip },
  async (t) => {
    const room = await openRoom();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const type = (name, value) => {
      room.form[name].value = value;
      room.form[name].dispatchEvent(new room.window.Event("input", { bubbles: true }));
    };
    type("q", "lo");
    t.mock.timers.tick(250);
    type("q", "logo");
    t.mock.timers.tick(299);
    await settled();
    assert.deepEqual(room.asked, []);
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual([room.asked, room.at()], [["/film/comments?q=logo&v="], "/film?q=logo"]);
    type("by", "Ana");
    t.mock.timers.tick(0);
    await settled();
    assert.deepEqual([room.asked.at(-1), room.at()], ["/film/comments?q=logo&by=Ana&v=", "/film?q=logo&by=Ana"]);
    type("by", "");
    t.mock.timers.tick(0);
    type("q", "");
    t.mock.timers.tick(300);
    await settled();
    assert.deepEqual([room.asked.at(-1), room.at()], ["/film/comments?&v=", "/film"]);
  },
);

test("a search that is sent asks at once and stays on the page", { skip }, async () => {
  const room = await openRoom("?t=12&tab=x");
  room.form.q.value = "logo";
  const event = new room.window.Event("submit", { bubbles: true, cancelable: true });
  room.document.querySelector("form").dispatchEvent(event);
  await settled();
  assert.deepEqual(
    [event.defaultPrevented, room.asked, room.at()],
    [true, ["/film/comments?q=logo&v="], "/film?q=logo"],
  );
});

test(
  "what an answer brings is in place, from its beginning, and links and forms say what is shown",
  { skip },
  async () => {
    const room = await openRoom();
    const list = room.document.querySelector("[data-scroller]");
    list.scrollTop = 50;
    assert.equal(await room.click("[data-show=open] b"), true);
    assert.deepEqual([room.at(), list.scrollTop], ["/film?show=open", 0]);
    assert.equal(room.document.getElementById("live").dataset.v, "6");
    assert.equal(room.document.getElementById("carry").search, "?show=open");
    const fields = [...room.document.querySelectorAll("[data-carry-fields] input")];
    assert.deepEqual(
      fields.map(({ type, name, value }) => [type, name, value]),
      [["hidden", "show", "open"]],
    );
  },
);

test(
  "a filter that was pressed keeps the focus among the new ones, unless somebody went elsewhere",
  { skip },
  async () => {
    const room = await openRoom();
    const focused = () => room.document.activeElement.textContent;
    room.document.querySelector("[data-show=open]").focus();
    await room.click("[data-show=open]");
    assert.equal(focused(), "Open");
    const chip = room.document.querySelector("[data-new-chip]");
    chip.focus();
    await room.click("[data-new-chip]");
    assert.deepEqual([focused(), room.at()], ["New", "/film?show=new&since=3"]);
    const going = room.click("[data-show=open]");
    room.form.q.focus();
    await going;
    assert.equal(room.document.activeElement, room.form.q);
  },
);

test("the next choice adds to a filter that was pressed", { skip }, async () => {
  const room = await openRoom();
  await room.click("[data-show=open]");
  const show = room.document.querySelectorAll("form [name=show]");
  assert.deepEqual(
    [...show].map(({ type, value }) => [type, value]),
    [["hidden", "open"]],
  );
  await room.choose("by", "Ana");
  assert.equal(room.at(), "/film?by=Ana&show=open");
  await room.click("[data-show=open]");
  assert.deepEqual([room.document.querySelectorAll("form [name=show]").length, room.form.by.value], [1, ""]);
});

test("a filter for another page of the browser, and other links, are left to it", { skip }, async () => {
  const room = await openRoom();
  assert.equal(await room.click("[data-show=open]", { ctrlKey: true }), false);
  assert.equal(await room.click("#to-comment"), false);
  assert.deepEqual(room.asked, []);
});

test("an answer that is none opens the page itself", { skip }, async () => {
  const room = await openRoom("", { status: 400 });
  const gone = [];
  Object.defineProperty(globalThis, "location", {
    value: {
      pathname: "/film",
      set search(search) {
        gone.push(search);
      },
      get search() {
        return "";
      },
    },
    configurable: true,
  });
  await room.click("[data-show=open]");
  assert.deepEqual([gone, room.at(), room.document.getElementById("live").dataset.v], [["?show=open"], "/film", "5"]);
});

test("of two choices the later one is shown, whichever answer comes first", { skip }, async () => {
  const room = await openRoom();
  let answer;
  globalThis.fetch = () => new Promise((done) => (answer = done));
  const first = room.click("[data-show=open]");
  await settled();
  const slow = answer;
  const second = room.click("[data-new-chip]");
  await settled();
  answer(new Response(ANSWER));
  slow(new Response('<div id="live" data-v="9" data-after="0"></div>'));
  await Promise.all([first, second]);
  await settled();
  assert.deepEqual([room.at(), room.document.getElementById("live").dataset.v], ["/film?show=new&since=3", "6"]);
});

test("Back to another filter shows it, and writes no new place into the history", { skip }, async () => {
  const room = await openRoom();
  await room.click("[data-show=open]");
  const { length } = room.window.history;
  await room.back();
  assert.deepEqual([room.asked, room.at()], [["/film/comments?show=open&v=", "/film/comments?&v="], "/film"]);
  assert.deepEqual([room.window.history.length, room.document.querySelector("form [name=show]")], [length, null]);
});

test("Back while another choice is on its way keeps what is shown", { skip }, async () => {
  const room = await openRoom("?by=Ana");
  await room.arrive(() => (room.window.location.hash = "#c-1"));
  let answer;
  globalThis.fetch = () => new Promise((done) => (answer = done));
  await room.choose("sort", "newest");
  await room.back();
  answer(new Response(ANSWER));
  await settled();
  assert.deepEqual([room.at(), room.form.sort.value, room.form.by.value], ["/film?by=Ana", "time", "Ana"]);
});

test("a page without the form has its filters", { skip }, async () => {
  const room = await openRoom("", { body: PAGE.replace(/<form[^]*<\/form>/, "").replace("data-scroller", "") });
  assert.equal(await room.click("[data-show=open]"), true);
  assert.equal(room.at(), "/film?show=open");
  assert.equal(room.document.getElementById("live").dataset.v, "6");
});
