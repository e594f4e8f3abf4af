import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `
  <link rel="icon" href="/icon.svg">
  <main data-room="film"></main><div id="live" data-v="1"></div><ol id="threads"></ol>
  <div data-news hidden><button data-one="1 new" data-many="{n} new"></button></div>
  <p data-announce></p><div id="toasts"></div>
  <div id="words" data-sends-in="Sends in {n} s" data-sending="Sending" data-undone="Undone"
    data-undone-change="Change undone" data-too-late="Too late" data-posted="Posted" data-trouble="Trouble"></div>
  <form id="act"><input type="hidden" name="csrfmiddlewaretoken" value="token"></form>
  <form data-composer data-draft="main" action="/film/comments">
    <textarea name="text"></textarea><input name="time" value="0:00"><input name="key" value="k0">
    <input name="frame"><input name="drawing">
  </form>`;
const CARD = `
  <form data-sent="held" data-seconds="5" data-attempt="7" data-text="The logo" data-time="75"
    id="sent-k1" action="/film/sent/7">
    <p data-left></p><button name="do" value="undo">Undo</button>
  </form>`;
const answerOf = (cards) => `<div id="live" data-v="2" data-after="1"></div><div id="outbox">${cards}</div>`;

async function openOutbox(t, { cards = CARD, answer = answerOf(""), headers = {} } = {}) {
  const window = openPage(`${PAGE}<div id="outbox">${cards}</div>`);
  const requests = [];
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"], now: 100_000 });
  globalThis.fetch = async (address, { body }) => {
    requests.push([address, body.get("do"), body.get("attempt")]);
    if (answer === null) throw new TypeError("no connection");
    return { status: 200, text: async () => answer, headers: new Headers(headers) };
  };
  const { start } = await load("review_portal/outbox.js");
  start();
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    requests,
    settle,
    document: window.document,
    left: () => window.document.querySelector("[data-left]")?.textContent,
    box: () => window.document.querySelector("textarea").value,
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 250) {
        t.mock.timers.tick(250);
        await settle();
      }
    },
    async press(value) {
      const button = window.document.querySelector(`#sent-k1 [value="${value}"]`);
      const form = button.form;
      const event = new window.Event("submit", { bubbles: true, cancelable: true });
      Object.defineProperty(event, "submitter", { value: button });
      form.dispatchEvent(event);
      await settle();
    },
  };
}

test("a held comment counts down and is sent once when its time is over", { skip }, async (t) => {
  const outbox = await openOutbox(t);
  await outbox.pass(1000);
  assert.equal(outbox.left(), "Sends in 5 s");
  assert.deepEqual(outbox.requests, []);
  await outbox.pass(5000);
  assert.deepEqual(outbox.requests, [["/film/sent/7", "send", "7"]]);
  assert.equal(outbox.document.querySelector("[data-sent]"), null);
});

test(
  "a comment whose time is over waits while there is no connection, and is sent when it is back",
  { skip },
  async (t) => {
    const outbox = await openOutbox(t);
    globalThis.navigator.onLine = false;
    await outbox.pass(8000);
    assert.deepEqual(outbox.requests, []);
    globalThis.navigator.onLine = true;
    await outbox.pass(250);
    assert.equal(outbox.requests.length, 1);
  },
);

test("a send without an answer is tried again, and its card stays", { skip }, async (t) => {
  const outbox = await openOutbox(t, { answer: null });
  await outbox.pass(5500);
  assert.equal(outbox.requests.length, 1);
  assert.ok(outbox.document.querySelector("#sent-k1"));
  await outbox.pass(1500);
  assert.equal(outbox.requests.length, 2);
});

test("undo gives the words back to their box", { skip }, async (t) => {
  const outbox = await openOutbox(t, { headers: { "Reelroom-State": "cancelled" } });
  await outbox.press("undo");
  assert.deepEqual(outbox.requests, [["/film/sent/7", "undo", "7"]]);
  assert.equal(outbox.box(), "The logo");
  await outbox.pass(8000);
  assert.equal(outbox.requests.length, 1);
});

test("an undo that comes too late says so and leaves the box alone", { skip }, async (t) => {
  const outbox = await openOutbox(t, { headers: { "Reelroom-State": "sent" } });
  await outbox.press("undo");
  assert.equal(outbox.box(), "");
  assert.match(outbox.document.getElementById("toasts").textContent, /Too late/);
});

test("a card is pressed once, however often it is clicked", { skip }, async (t) => {
  const outbox = await openOutbox(t, { answer: answerOf(CARD) });
  const presses = [outbox.press("undo"), outbox.press("undo")];
  await Promise.all(presses);
  assert.equal(outbox.requests.length, 1);
});

test("what the server has no card for any more is released, but not within two seconds", { skip }, async (t) => {
  const outbox = await openOutbox(t);
  const drafts = await load("review_portal/drafts.js");
  drafts.hold("k1", { text: "The logo", time: "1:15", reply_to: "" });
  drafts.hold("k2", { text: "Confirmed", time: "1:20", reply_to: "" });
  const changed = () => outbox.document.dispatchEvent(new globalThis.CustomEvent("room:live"));
  changed();
  assert.deepEqual(
    drafts.listSent().map(({ key }) => key),
    ["k1", "k2"],
  );
  t.mock.timers.tick(2500);
  changed();
  assert.deepEqual(
    drafts.listSent().map(({ key }) => key),
    ["k1"],
  );
});

test("a comment that is held is sent when the page is left", { skip }, async (t) => {
  const outbox = await openOutbox(t);
  const beacons = [];
  globalThis.navigator.sendBeacon = (address, body) => {
    beacons.push([address, body.get("do"), body.get("csrfmiddlewaretoken")]);
    return true;
  };
  globalThis.window.dispatchEvent(new globalThis.window.Event("pagehide"));
  assert.deepEqual(beacons, [["/film/sent/7", "send", "token"]]);
  assert.deepEqual(outbox.requests, []);
});
