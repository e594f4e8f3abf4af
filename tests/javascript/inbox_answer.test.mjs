import assert from "node:assert/strict";
import { test } from "node:test";

import { load, skip } from "./dashboard.mjs";
import { answerOf, openInbox, threadOf } from "./inbox.mjs";

const PREFIX = "inbox-reply:7:";
const draftOf = (text, key = "key-1") => JSON.stringify({ text, key });

async function openAnswer({ kept = {}, ...options } = {}) {
  const page = openInbox(options);
  for (const [item, text] of Object.entries(kept)) page.window.localStorage.setItem(PREFIX + item, text);
  await load("inbox/answer.js");
  return Object.assign(page, {
    box: () => page.one("#answer-text"),
    key: () => page.one("#answer [name=key]").value,
    kept: (item) => JSON.parse(page.window.localStorage.getItem(PREFIX + item)),
    toasts: () => page.all("#toasts .toast").map((toast) => toast.textContent),
    sends: () => page.fire("#answer", "htmx:configRequest", { detail: { elt: page.one("#answer") } }),
    swaps: () => page.fire("#thread", "htmx:afterSwap", { detail: {} }),
  });
}

test("a reply is kept with its key while it is typed, and forgotten when it is emptied", { skip }, async () => {
  const page = await openAnswer();
  page.type("#answer-text", "Almost");
  assert.deepEqual(page.kept("a"), { text: "Almost", key: "key-1" });
  page.type("#field", "elsewhere");
  page.type("#answer-text", "  ");
  assert.equal(page.kept("a"), null);
});

test("a kept reply is put back with its key, each row its own", { skip }, async () => {
  const page = await openAnswer({ kept: { a: draftOf("Half", "key-0"), c: draftOf("Other", "") } });
  assert.deepEqual([page.box().value, page.key()], ["Half", "key-0"]);
  page.bring("c", threadOf("c", answerOf("", "key-3")));
  assert.deepEqual([page.box().value, page.key(), page.kept("c")], ["Other", "key-3", { text: "Other", key: "key-3" }]);
  page.bring("d");
  assert.equal(page.box().value, "");
});

test("what is kept and cannot be read is passed over", { skip }, async () => {
  const page = await openAnswer({ kept: { a: "{" } });
  assert.equal(page.box().value, "");
});

test("words that the server brings back stand, and are kept", { skip }, async () => {
  const page = await openAnswer({
    kept: { a: draftOf("Old") },
    thread: threadOf("a", answerOf("Refused words", "key-2")),
  });
  assert.deepEqual([page.box().value, page.kept("a")], ["Refused words", { text: "Refused words", key: "key-2" }]);
});

test("what is typed while a reply is on its way stays when the answer brings the sent words", { skip }, async () => {
  const page = await openAnswer();
  page.type("#answer-text", "First");
  page.sends();
  page.type("#answer-text", "First and more");
  page.bring("a", threadOf("a", answerOf("First", "key-2")));
  assert.equal(page.box().value, "First and more");
  page.box().value = "Server";
  page.swaps();
  assert.deepEqual(page.kept("a"), { text: "Server", key: "key-1" }, "the words that left count once");
});

for (const [typed, expected] of [
  ["Sent", null],
  ["Sent  and more", { text: "and more", key: "" }],
  ["Something else", { text: "Something else", key: "" }],
])
  test(`of "${typed}" a reply that arrived leaves what was not sent`, { skip }, async () => {
    const page = await openAnswer();
    page.type("#answer-text", "Sent");
    page.sends();
    page.type("#answer-text", typed);
    page.fire(page.document, "inbox:sent", { detail: { item: "a" } });
    assert.deepEqual(page.kept("a"), expected);
  });

test("a reply whose sending was not seen is forgotten when it has arrived", { skip }, async () => {
  const page = await openAnswer({ kept: { c: draftOf("All of it") } });
  page.fire(page.document, "inbox:sent", { detail: { item: "c" } });
  assert.equal(page.kept("c"), null);
});

test("another form's request is no reply on its way", { skip }, async () => {
  const page = await openAnswer();
  page.type("#answer-text", "Words");
  page.fire("[data-picks]", "htmx:configRequest", { detail: { elt: page.one("[data-picks]") } });
  page.box().value = "Words";
  page.window.localStorage.setItem(PREFIX + "a", draftOf("Older"));
  page.swaps();
  assert.deepEqual(page.kept("a"), { text: "Words", key: "key-1" });
});

test("the page that says a reply was sent forgets it", { skip }, async () => {
  const page = await openAnswer({ kept: { a: draftOf("Sent"), c: draftOf("Mine") }, more: '<p data-sent="a"></p>' });
  assert.deepEqual([page.kept("a"), page.box().value, page.kept("c").text], [null, "", "Mine"]);
  const other = await openAnswer({ kept: { a: draftOf("Mine") }, more: '<p data-sent=""></p>' });
  assert.equal(other.box().value, "Mine");
});

test("a browser that keeps nothing keeps replies for this page", { skip }, async () => {
  const localStorage = {
    getItem: () => draftOf("Stored before"),
    setItem() {
      throw new Error("full");
    },
    removeItem() {
      throw new Error("full");
    },
  };
  const page = await openAnswer({ localStorage });
  page.type("#answer-text", "Kept here");
  page.bring("a");
  assert.equal(page.box().value, "Kept here");
  page.type("#answer-text", "");
  page.bring("a");
  assert.equal(page.box().value, "", "what was emptied does not come back");
});

for (const [before, [from, to], expected] of [
  ["", [0, 0], "Thank you."],
  ["Hi", [2, 2], "Hi Thank you."],
  ["Hi ", [3, 3], "Hi Thank you."],
  ["Hi you there", [3, 6], "Hi Thank you. there"],
])
  test(`a saved reply goes into "${before}" at the caret, and is kept`, { skip }, async () => {
    const page = await openAnswer();
    page.box().value = before;
    page.box().setSelectionRange(from, to);
    assert.ok(page.click("[data-insert] b"));
    assert.deepEqual([page.box().value, page.kept("a").text], [expected, expected]);
    assert.ok(page.hasFocus("#answer-text") && !page.one("details").open);
    assert.equal(page.click("#text"), false);
  });

const xhrOf = (status, sent = null) => ({ status, responseText: "<p></p>", getResponseHeader: () => sent });
for (const [what, xhr, isTaken, kept, toasts] of [
  ["arrived", xhrOf(200, "inbox:sent"), true, null, []],
  ["was answered without news", xhrOf(200), true, "Mine", []],
  ["was refused", xhrOf(422), false, "Mine", ["Not sent"]],
  ["was held", xhrOf(503), false, "Mine", []],
])
  test(`a reply that ${what} after its row has gone takes no place from the next`, { skip }, async () => {
    const page = await openAnswer();
    page.type("#answer-text", "Mine");
    page.sends();
    const old = page.one("#thread");
    page.bring("c");
    assert.equal(page.fire(old, "htmx:beforeSwap", { detail: { xhr } }).defaultPrevented, isTaken);
    assert.deepEqual([page.kept("a")?.text ?? null, page.toasts()], [kept, toasts]);
    assert.deepEqual(page.htmx.swapped, isTaken ? [["#inbox-opener", "<p></p>", { swapStyle: "none" }, {}]] : []);
  });

test("a reply that is answered in its place is left to htmx", { skip }, async () => {
  const page = await openAnswer();
  page.sends();
  const event = page.fire("#thread", "htmx:beforeSwap", { detail: { xhr: xhrOf(200, "inbox:sent") } });
  assert.deepEqual([event.defaultPrevented, page.htmx.swapped], [false, []]);
});

for (const [where, status, expected] of [
  ["#answer", undefined, ["Not sent"]],
  ["#answer", 500, ["Not sent"]],
  ["#answer", 503, []],
  ["[data-picks]", 500, []],
])
  test(`an error ${status ?? "of the connection"} in ${where} says ${expected[0] ?? "nothing"}`, { skip }, async () => {
    const page = await openAnswer();
    const detail = { elt: page.one(where), xhr: status && { status } };
    page.fire(where, status ? "htmx:responseError" : "htmx:sendError", { detail });
    assert.deepEqual(page.toasts(), expected);
  });

for (const [where, item, text, expected] of [
  ["#answer-text", "a", "Words", true],
  ["#answer-text", "a", "", false],
  ["#answer-text", "c", "Words", false],
  ["#field", "a", "Words", false],
])
  test(
    `after an answer to ${item} the focus of ${where} ${expected ? "stays" : "is not taken"}`,
    { skip },
    async () => {
      const page = await openAnswer();
      page.type("#answer-text", text);
      page.one(where).focus();
      page.bring(item);
      assert.equal(page.hasFocus("#answer-text"), expected);
      page.one("#field").focus();
      page.fire("[data-picks]", "htmx:beforeSwap", { detail: {} });
      page.fire("[data-picks]", "htmx:afterSwap", { detail: {} });
      assert.ok(page.hasFocus("#field"));
    },
  );

test("a row without a form for replies keeps nothing", { skip }, async () => {
  const page = await openAnswer({ thread: threadOf("a") });
  page.bring("c", threadOf("c"));
  assert.equal(page.kept("a"), null);
});
