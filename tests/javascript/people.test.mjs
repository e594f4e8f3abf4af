import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const FORM = `<form><input type="hidden" name="csrfmiddlewaretoken" value="form-token">
  <input type="checkbox" name="is_seen"><input type="checkbox" name="shares">
  <p data-people-status data-saved="Saved" data-failed="Failed"></p></form>`;
const pageOf = (
  more,
) => `<input type="hidden" name="csrfmiddlewaretoken" value="token"><small data-shares hidden></small>
  <details data-people="/film/people" ${more}><summary><b data-people-count></b></summary><div data-people-list></div></details>`;

async function openPeople(t, { more = "", kept, header, answers = [{ status: 200 }], paused = false } = {}) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const page = openDashboard(pageOf(more), { url: "https://reelroom.example/film" });
  const [sent, beacons, asked] = [[], [], []];
  const said = { status: 204 };
  globalThis.fetch = async (address, { method, body }) => {
    sent.push([method, address, body.get("spans"), body.get("left"), body.get("csrfmiddlewaretoken")]);
    if (said.status === null) throw new TypeError("no connection");
    return said;
  };
  globalThis.navigator.sendBeacon = (address, body) => beacons.push([address, body.get("spans"), body.get("left")]);
  const menu = page.one("details");
  Object.defineProperty(menu, "open", { value: "open" in menu.dataset, writable: true }); // jsdom says it on a clock
  const player = Object.assign(new page.window.EventTarget(), { second: 0, paused });
  const store = { unsent: kept };
  let place;
  const part = page.document.createElement("div");
  const people = await load("review_portal/people.js");
  const parts = {
    player,
    tell: (told) => (place = told),
    get: (name) => store[name],
    set: (name, value) => (store[name] = structuredClone(value)),
    async ask(address, { method = "GET", body } = {}) {
      asked.push([method, address, body && [body.get("is_seen"), body.get("shares"), body.get("csrfmiddlewaretoken")]]);
      const answer = await (answers.length > 1 ? answers.shift() : answers[0]);
      part.innerHTML = `<div id="people">${FORM}</div>`;
      return { ...answer, part: answer.status === 200 ? part : undefined };
    },
  };
  people.start(parts, header);
  await settled();
  return Object.assign(page, {
    sent,
    said,
    beacons,
    asked,
    store,
    player,
    again: (value) => people.start(parts, value),
    place: () => place(),
    toggle(open) {
      menu.open = open;
      page.fire(menu, "toggle");
      return settled();
    },
    count: () => page.one("[data-people-count]").textContent,
    play(from, to = from + 1) {
      for (let second = from; second < to; second += 1) {
        player.second = second;
        player.dispatchEvent(new page.window.Event("time"));
      }
    },
    async pass(milliseconds = 30_000) {
      t.mock.timers.tick(milliseconds);
      await settled();
    },
    leave: () => page.window.dispatchEvent(new page.window.Event("pagehide")),
    here(detail) {
      page.document.dispatchEvent(new page.window.CustomEvent("room:here", { detail }));
      return settled();
    },
    open: () => page.toggle(true),
    async choose(seen, shares) {
      page.one("[name=is_seen]").checked = seen;
      page.one("[name=shares]").checked = shares;
      page.fire("[name=shares]", "change");
      await settled();
    },
    status: () => page.one("[data-people-status]").textContent,
  });
}

test("what was played is told in spans every half a minute, and each once", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-shares" });
  page.play(0, 5);
  page.play(10, 13);
  await page.pass(29_999);
  assert.deepEqual(page.sent, []);
  await page.pass(1);
  assert.deepEqual(page.sent, [["POST", "/film/watched", "0-5,11-13", null, "token"]]);
  assert.deepEqual(page.store.unsent, []);
  await page.pass();
  assert.equal(page.sent.length, 1);
  page.play(4, 5);
  page.play(3, 4);
  page.player.second = 6;
  page.player.dispatchEvent(new page.window.Event("time"));
  page.player.paused = true;
  page.play(7);
  page.player.dispatchEvent(new page.window.Event("state"));
  await settled();
  assert.deepEqual(page.sent.at(-1).slice(2), ["3-5,6-7", null, "token"], "a rest is told at once");
  page.player.paused = false;
  page.play(8);
  page.player.dispatchEvent(new page.window.Event("state"));
  await settled();
  assert.equal(page.sent.length, 2);
});

for (const status of [null, 500])
  test(`what did not arrive (${status}) is told again`, { skip }, async (t) => {
    const page = await openPeople(t, { more: "data-shares" });
    page.said.status = status;
    page.play(0, 2);
    await page.pass();
    page.said.status = 204;
    await page.pass();
    assert.deepEqual(
      page.sent.map(([, , spans]) => spans),
      ["0-2", "0-2"],
    );
  });

test("what was played while an answer was on its way is told next", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-shares" });
  page.play(0, 2);
  const passes = page.pass();
  page.play(2, 4);
  await passes;
  assert.deepEqual(page.store.unsent, [[2, 4]]);
  await page.pass();
  assert.deepEqual(
    page.sent.map(([, , spans]) => spans),
    ["0-2", "2-4"],
  );
});

test("who shares nothing tells nothing", { skip }, async (t) => {
  const page = await openPeople(t, { kept: [[0, 3]] });
  page.play(0, 5);
  await page.pass();
  page.leave();
  assert.deepEqual([page.sent, page.beacons, page.place()], [[], [], ""]);
});

test("a page that is left says so, keeps what it told, and tells it once more", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-shares", kept: [[7, 9]] });
  page.play(0, 2);
  page.leave();
  assert.deepEqual(page.beacons, [["/film/watched", "0-2,7-9", "1"]]);
  assert.deepEqual(page.store.unsent, [
    [0, 2],
    [7, 9],
  ]);
  await page.pass();
  page.leave();
  assert.equal(page.beacons.length, 1, "nothing is left to tell");
});

test("who is seen says where, and that the page is left", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-seen" });
  page.player.second = 7;
  page.leave();
  assert.deepEqual([page.place(), page.beacons], ["&at=7", [["/film/watched", "", "1"]]]);
});

test("the menu counts who is here, and brings them while it is open", { skip }, async (t) => {
  const page = await openPeople(t, { header: "[1,2]" });
  assert.deepEqual([page.count(), page.asked], ["2", []]);
  await page.open();
  assert.deepEqual([page.asked, page.all("#people").length], [[["GET", "/film/people", undefined]], 1]);
  await page.here("[1]");
  assert.deepEqual([page.count(), page.asked.length, page.all("#people").length], ["1", 2, 1], "once for each change");
  page.one("[name=shares]").focus();
  await page.here("[1,2,3]");
  assert.deepEqual([page.count(), page.asked.length], ["3", 2], "not under the hands of who chooses");
  await page.toggle(false);
  await page.here(null);
  assert.deepEqual([page.count(), page.asked.length], ["", 2]);
  page.again("[4]");
  assert.equal(page.count(), "1");
  page.again(null);
  page.again();
  assert.equal(page.count(), "1");
  await page.open();
  assert.equal(page.asked.length, 3, "it was started once");
});

test("a menu that is open brings people at once, and stays empty without an answer", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-open", answers: [{ status: "offline" }] });
  assert.deepEqual([page.asked.length, page.all("#people").length], [1, 0]);
});

test("a choice is saved, and counts from then on", { skip }, async (t) => {
  const page = await openPeople(t);
  await page.open();
  page.play(0, 3);
  await page.choose(true, true);
  assert.deepEqual(page.asked.at(-1), ["POST", "/film/people", ["on", "on", "form-token"]]);
  assert.deepEqual([page.status(), page.one("small").hidden], ["Saved", false]);
  page.player.second = 3;
  assert.equal(page.place(), "&at=3");
  page.play(3, 5);
  await page.pass();
  assert.deepEqual(
    page.sent.map(([, , spans]) => spans),
    ["3-5"],
    "not what was played before",
  );
  page.play(5, 7);
  await page.choose(false, false);
  assert.deepEqual(page.asked.at(-1)[2].slice(0, 2), ["off", "off"]);
  await page.pass();
  assert.deepEqual([page.sent.length, page.one("small").hidden, page.place(), page.store.unsent], [1, true, "", []]);
});

test("what is switched off is forgotten even where that is not saved, and says so", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-shares data-seen", answers: [{ status: 200 }, { status: 500 }] });
  await page.open();
  page.play(0, 3);
  await page.choose(false, false);
  assert.deepEqual([page.status(), page.store.unsent, page.place()], ["Failed", [], "&at=2"]);
  await page.pass();
  assert.deepEqual(page.sent, []);
});

test("choices are saved one after the other, as they stand then", { skip }, async (t) => {
  let answer;
  const page = await openPeople(t, {
    answers: [{ status: 200 }, new Promise((done) => (answer = done)), { status: 200 }],
  });
  await page.open();
  await page.choose(true, false);
  await page.choose(true, true);
  assert.equal(page.asked.length, 2);
  answer({ status: 200 });
  await settled();
  assert.deepEqual(
    page.asked.slice(1).map(([, , [seen, shares]]) => [seen, shares]),
    [
      ["on", "off"],
      ["on", "on"],
    ],
  );
});

test("what was played meanwhile stays when only another choice is saved", { skip }, async (t) => {
  const page = await openPeople(t, { more: "data-shares" });
  await page.open();
  page.play(0, 3);
  await page.choose(true, true);
  await page.pass();
  assert.equal(page.sent.length, 1);
});
