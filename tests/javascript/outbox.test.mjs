import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `
  <link rel="icon" href="/icon.svg">
  <main data-room="film"></main><div id="live" data-v="1"></div><ol id="threads"></ol>
  <div data-news hidden><button data-one="1 new" data-many="{n} new"></button></div>
  <p data-announce></p><div id="toasts"></div>
  <div id="words" data-sends-in="Sends in {n} s" data-sending="Sending" data-undone="Undone"
    data-undone-change="Change undone" data-too-late="Too late" data-posted="Posted" data-replied="Replied"
    data-trouble="Trouble"></div>
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

/** A card that is no longer held, with its buttons. */
const cardOf = (state, buttons = "", more = "") => `
  <form data-sent="${state}" data-attempt="7" data-text="The logo" data-time="75" id="sent-k1" action="/film/sent/7" ${more}>
    <p> Not posted </p><a href="/film?again=k1" data-take-up><b>Edit</b></a>${buttons}</form>`;

async function openOutbox(t, { cards = CARD, answer = answerOf(""), headers = {}, kept = {}, before } = {}) {
  const window = openPage(`${PAGE}<div id="outbox">${cards}</div>`);
  for (const [name, value] of Object.entries(kept))
    window.localStorage.setItem(`review:film:${name}`, JSON.stringify(value));
  before?.(window.document);
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
    field: (name) => window.document.querySelector(`[data-composer] [name=${name}]`).value,
    toast: () => window.document.getElementById("toasts").textContent,
    said() {
      t.mock.timers.tick(60);
      return window.document.querySelector("[data-announce]").textContent;
    },
    async click(selector) {
      const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
      window.document.querySelector(selector).dispatchEvent(event);
      await settle();
      return event.defaultPrevented;
    },
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

test("the countdown of a card begins with its own seconds, and is over at none", { skip }, async (t) => {
  const outbox = await openOutbox(t, { answer: null });
  await outbox.pass(250);
  assert.equal(outbox.left(), "Sends in 5 s");
  await outbox.pass(4750);
  assert.equal(outbox.left(), "Sends in 1 s");
  await outbox.pass(250);
  assert.deepEqual([outbox.left(), outbox.requests.length], ["Sending", 1]);
});

test("beside a card that counts down the others stay as they are", { skip }, async (t) => {
  const late = cardOf("late").replace("sent-k1", "sent-k2");
  const outbox = await openOutbox(t, { cards: late + CARD });
  await outbox.pass(5250);
  assert.deepEqual(outbox.requests, [["/film/sent/7", "send", "7"]]);
});

for (const [reply, said] of [
  ["", "Posted"],
  ['data-reply-to="c1"', "Replied"],
])
  test(`a card that was sent and is gone is said: ${said}`, { skip }, async (t) => {
    const outbox = await openOutbox(t, { cards: CARD.replace("data-text", `${reply} data-text`) });
    await outbox.pass(5250);
    assert.equal(outbox.said(), said);
  });

test("what became of a card that stays is said, once it does not wait any more", { skip }, async (t) => {
  for (const [card, said] of [
    [cardOf("refused"), "Not posted"],
    [CARD, ""],
  ]) {
    t.mock.reset();
    const outbox = await openOutbox(t, { answer: answerOf(card) });
    await outbox.pass(5250);
    assert.equal(outbox.said(), said);
  }
});

test("a press whose answer does not come says so; a card that is sent by itself does not", { skip }, async (t) => {
  for (const answer of [null, "<h1>Bad gateway</h1>"]) {
    t.mock.reset();
    const outbox = await openOutbox(t, { answer });
    await outbox.pass(5250);
    assert.deepEqual([outbox.requests.length, outbox.toast()], [1, ""]);
    await outbox.pass(1000);
    await outbox.press("undo");
    assert.equal(outbox.toast(), "Trouble");
    assert.ok(outbox.document.querySelector("#sent-k1"), "and it stays");
  }
});

test("an undone comment comes back with its moment and its drawing", { skip }, async (t) => {
  const outbox = await openOutbox(t, { headers: { "Reelroom-State": "cancelled" } });
  const drafts = await load("review_portal/drafts.js");
  drafts.hold("k2", { text: "Another", frame: "3", drawing: "other" });
  drafts.hold("k1", { text: "The logo", frame: "1875", drawing: "a1" });
  await outbox.press("undo");
  assert.deepEqual(["text", "time", "frame", "drawing"].map(outbox.field), ["The logo", "1:15", "1875", "a1"]);
  assert.equal(outbox.said(), "Undone");
});

test("an undone change of a comment is said, and nothing goes into the box", { skip }, async (t) => {
  const cards = CARD.replace("data-text", 'data-change-of="c1" data-text');
  const outbox = await openOutbox(t, { cards, headers: { "Reelroom-State": "cancelled" } });
  await outbox.press("undo");
  assert.deepEqual([outbox.box(), outbox.toast(), outbox.said()], ["", "Change undone", "Change undone"]);
});

test("Edit takes the words of a refused comment up and lets the card go, in silence", { skip }, async (t) => {
  const outbox = await openOutbox(t, { cards: cardOf("refused") });
  (await load("review_portal/drafts.js")).hold("k1", { text: "The logo", frame: "1875", drawing: "a1" });
  assert.equal(await outbox.click("[data-take-up] b"), true);
  assert.deepEqual(["text", "time", "frame", "drawing"].map(outbox.field), ["The logo", "1:15", "1875", "a1"]);
  assert.deepEqual(outbox.requests, [["/film/sent/7", "dismiss", "7"]]);
  assert.equal(outbox.said(), "");
});

test("other links and other forms are none of the outbox", { skip }, async (t) => {
  const more = '<a href="/film" data-take-up id="alone"></a><form id="other"><button value="x"></button></form>';
  const outbox = await openOutbox(t, {
    before: (document) => document.body.insertAdjacentHTML("beforeend", `${more}<a href="#x" id="plain"></a>`),
  });
  for (const id of ["#alone", "#plain"]) assert.equal(await outbox.click(id), false, id);
  const event = new globalThis.window.Event("submit", { bubbles: true, cancelable: true });
  outbox.document.getElementById("other").dispatchEvent(event);
  assert.deepEqual([event.defaultPrevented, outbox.requests], [false, []]);
});

test("a card that was sent when the page was left is sent at once, and cannot be undone here", { skip }, async (t) => {
  const outbox = await openOutbox(t, { kept: { "left:sent-k1": 1 } });
  assert.deepEqual([outbox.left(), outbox.document.querySelector("#sent-k1 button")], ["Sending", null]);
  assert.equal(globalThis.localStorage.getItem("review:film:left:sent-k1"), null);
  await outbox.pass(250);
  assert.deepEqual(outbox.requests, [["/film/sent/7", "send", "7"]]);
});

test("a card that was left behind and is held no more keeps its buttons", { skip }, async (t) => {
  const cards = cardOf("refused", '<button name="do" value="again"></button>');
  const outbox = await openOutbox(t, { cards, kept: { "left:sent-k1": 1 } });
  assert.ok(outbox.document.querySelector("#sent-k1 button"));
  await outbox.pass(1000);
  assert.deepEqual(outbox.requests, []);
});

test(
  "when the page is left only what is held goes out, and is remembered if the browser took it",
  { skip },
  async (t) => {
    const leave = () => globalThis.window.dispatchEvent(new globalThis.window.Event("pagehide"));
    const kept = () => Object.keys(globalThis.localStorage);
    for (const [cards, takes, sent, left] of [
      [cardOf("late"), true, 0, []],
      [CARD, false, 1, []],
      [CARD, true, 1, ["review:film:left:sent-k1"]],
    ]) {
      t.mock.reset();
      await openOutbox(t, { cards });
      let beacons = 0;
      globalThis.navigator.sendBeacon = () => {
        beacons += 1;
        return takes;
      };
      leave();
      assert.deepEqual([beacons, kept()], [sent, left]);
    }
  },
);

test("a card that is being sent is not sent once more when the page is left", { skip }, async (t) => {
  const outbox = await openOutbox(t);
  let beacons = 0;
  globalThis.navigator.sendBeacon = () => (beacons += 1);
  const press = outbox.press("undo");
  globalThis.window.dispatchEvent(new globalThis.window.Event("pagehide"));
  await press;
  assert.equal(beacons, 0);
});

test("a page without an outbox sends nothing", { skip }, async (t) => {
  const outbox = await openOutbox(t, { before: (document) => document.getElementById("outbox").removeAttribute("id") });
  await outbox.pass(8000);
  assert.deepEqual(outbox.requests, []);
});
