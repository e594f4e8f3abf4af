import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { idOf, liveOf, openReview, problemOf } from "./review.mjs";

const TAKEN = {
  html: `${liveOf(6, { after: 5, more: "" })}<div id="outbox" data-next-key="k1"></div>`,
  headers: { "Reelroom-Submission": "s1" },
};
const QUEUED = (key, fields, more = {}) => ({
  [`queue:${key}`]: { action: `/film/${key}`, fields: { key, text: key, ...fields }, at: Number(key.at(-1)), ...more },
});
const reply = (page) => {
  page.one("#threads").insertAdjacentHTML("beforeend", page.one("#reply-form").innerHTML);
  const form = page.one("#threads > form");
  Object.assign(form.dataset, { draft: `reply-${idOf(1)}` });
  form.elements.key.value = "k9";
  form.elements.reply_to.value = idOf(1);
  return form;
};

async function openPosting(t, { online = true, ...options } = {}) {
  const page = openReview(t, { live: liveOf(5, { more: "" }), ...options });
  globalThis.navigator.onLine = online;
  const posting = await load("review_portal/posting.js");
  const { start } = await load("review_portal/live.js");
  const patch = await load("review_portal/patch.js");
  start(async () => patch);
  posting.start();
  await settled();
  return Object.assign(page, posting, {
    waiting: () => page.all("#outbox [data-waits] p").map(({ textContent }) => textContent),
    posts: () => page.requests.filter(([, body]) => body),
  });
}

test("a new key is a random one of version 4", { skip }, async (t) => {
  const { newKey } = await openPosting(t);
  for (const [byte, key] of [
    [255, "ffffffff-ffff-4fff-bfff-ffffffffffff"],
    [0, "00000000-0000-4000-8000-000000000000"],
  ]) {
    const random = t.mock.method(crypto, "getRandomValues", (bytes) => bytes.fill(byte));
    assert.equal(newKey(), key);
    random.mock.restore();
  }
});

test(
  "a comment goes out with its key, and once it is taken the box is empty with the next key",
  { skip },
  async (t) => {
    const page = await openPosting(t, { answers: [TAKEN] });
    const form = page.box();
    form.elements.text.value = "The logo";
    form.elements.user_name.value = "Ana";
    await page.submit(form);
    assert.deepEqual(page.sent("key", "text", "hold", "repeat", "user_name"), [
      ["/film/comments", "k0", "The logo", "1", "1", "Ana"],
    ]);
    const { text, key, repeat } = form.elements;
    assert.deepEqual([text.value, key.value, repeat.value], ["", "k1", ""]);
    assert.deepEqual(
      { ...page.keeps("sent:s1"), at: 0 },
      { text: "The logo", time: "0:00", frame: "", drawing: "", at: 0 },
    );
    assert.equal(page.said(), "posted.");
    assert.equal(page.one("#live").dataset.v, "6", "and what the answer brings is in place");
    assert.equal(form.querySelector("[type=submit]").ariaDisabled, null);
    assert.equal(page.submitted.length, 0, "the browser stays on the page");
  },
);

test("the name that was asked for is known to every box, and to those to come", { skip }, async (t) => {
  const page = await openPosting(t, { answers: [TAKEN] });
  const other = reply(page);
  other.elements.user_name.value = "Bo";
  page.box().elements.user_name.value = "Ana";
  await page.submit(page.box());
  for (const box of [other, page.box(), page.one("#reply-form").content.firstElementChild.cloneNode(true)]) {
    const name = box.querySelector("[data-name]");
    const known = [name.querySelector("input").value, name.querySelector("b").textContent, name.open];
    assert.deepEqual([...known, "nameless" in name.dataset], ["Ana", "Ana", false, false], box.id);
  }
});

test("a setting lets a comment go out at once, and an answer without keys keeps nothing", { skip }, async (t) => {
  const page = await openPosting(t, { answers: ['<div id="outbox"></div>'], settings: { hold: false } });
  await page.submit(page.box());
  assert.deepEqual(page.sent("hold"), [["/film/comments", undefined]]);
  assert.match(page.box().elements.key.value, /^[\da-f-]{36}$/);
  assert.deepEqual([page.names("sent:"), page.said()], [[], ""]);
});

test("a box is sent once, however often it is pressed", { skip }, async (t) => {
  let answer;
  const page = await openPosting(t, { answers: [new Promise((done) => (answer = done)), TAKEN] });
  await page.submit(page.box());
  await page.submit(page.box());
  assert.equal(page.box().querySelector("[type=submit]").ariaDisabled, "true");
  assert.equal(page.posts().length, 1);
  answer(TAKEN);
  await settled();
  await page.submit(page.box());
  assert.equal(page.posts().length, 2);
});

test("a reply that is taken leaves, and its box stays for what was typed meanwhile", { skip }, async (t) => {
  const page = await openPosting(t, { answers: [TAKEN] });
  const form = reply(page);
  const place = form.dataset.draft;
  localStorage.setItem(`review:film:draft:${place}`, '{"text":"Yes"}');
  form.elements.text.value = "Yes";
  const typed = [];
  form.addEventListener("input", () => typed.push(form.elements.text.value));
  form.requestSubmit();
  form.elements.text.value = "Yes. And no.";
  await settled();
  assert.deepEqual([form.elements.text.value, form.elements.key.value, typed], [". And no.", "k1", [". And no."]]);
  assert.deepEqual([page.heard("room:close"), page.keeps(`draft:${place}`), page.said()], [[], null, "replied."]);
  assert.equal(page.keeps("sent:s1").reply_to, idOf(1));
  await page.submit(form);
  assert.deepEqual(page.heard("room:close"), [place]);
});

for (const [what, answer, toast] of [
  ["signed out", { status: 403, html: "<p>No</p>" }, "signedOut."],
  ["broken", { status: 500, html: "<p>No</p>" }, "trouble."],
])
  test(`a text stays in its box where the server is ${what}`, { skip }, async (t) => {
    const page = await openPosting(t, { answers: [answer] });
    page.box().elements.text.value = "The logo";
    await page.submit(page.box());
    const { text, key, repeat } = page.box().elements;
    assert.deepEqual([page.toast(), text.value, key.value, repeat.value], [toast, "The logo", "k0", "1"]);
    assert.deepEqual(page.names("queue:"), []);
  });

test("a refusal stands at its field, and is gone with the next attempt", { skip }, async (t) => {
  const page = await openPosting(t, { answers: [{ status: 400, html: problemOf("Who?", "user_name") }, TAKEN] });
  const { user_name: name } = page.box().elements;
  const slot = page.box().querySelector('[data-error="user_name"]');
  await page.submit(page.box());
  assert.deepEqual([slot.textContent, name.ariaInvalid, page.hasFocus(name)], ["Who?", "true", true]);
  page.one("#elsewhere").focus();
  await page.submit(page.box());
  assert.deepEqual([slot.textContent, name.ariaInvalid], ["", null]);
});

test("without a connection a text waits in sight, and can be taken back", { skip }, async (t) => {
  const page = await openPosting(t, { online: false });
  page.box().elements.text.value = "The logo";
  page.box().elements.time.value = "0:42";
  await page.submit(page.box());
  assert.deepEqual([page.toast(), page.said(), page.posts()], ["offline.", "offline.", []]);
  assert.deepEqual([page.waiting(), page.names("queue:")], [["waits. “The logo”"], ["k0"]]);
  const { text, key, time } = page.box().elements;
  assert.equal(text.value, "");
  assert.match(key.value, /^[\da-f-]{36}$/);
  assert.equal(page.keeps("queue:k0").action, "/film/comments");
  const card = page.one("#outbox > *");
  assert.deepEqual([card.className, card.dataset.waits], ["outbox__item outbox__item--waits", "k0"]);
  page.click("#outbox button");
  assert.deepEqual([page.waiting(), page.names("queue:"), text.value, time.value], [[], [], "The logo", "0:42"]);
  assert.ok(page.hasFocus(text));
  assert.deepEqual([page.keeps("draft:main").text, page.keeps("draft:main").time], ["The logo", 42]);
});

test("a reply that is taken back asks for its box, and is kept where there is none", { skip }, async (t) => {
  const stored = QUEUED("q1", { reply_to: idOf(7), time: "", frame: "1", drawing: "{}" });
  const page = await openPosting(t, { online: false, stored });
  page.click("#outbox button");
  assert.deepEqual(page.heard("room:reply"), [{ parent: idOf(7), text: "q1" }]);
  const { text, time, frame, drawing } = page.keeps(`draft:reply-${idOf(7)}`);
  assert.deepEqual([text, time, frame, drawing], ["q1", 0, "1", "{}"]);
  assert.equal(page.box().elements.text.value, "");
});

test("an edit that is taken back is a draft again, and a press of a button nothing", { skip }, async (t) => {
  const page = await openPosting(t, { online: false });
  page.queueChange(
    "/film/comments/1",
    { key: "q1", text: "New", time: "0:07", opened_text: "Old", drawing: "{}" },
    "“New”",
    "edit-1",
  );
  page.queueChange("/film/comments/2", { key: "q2", status: "resolved" }, "Resolve");
  assert.deepEqual([page.waiting(), page.toast()], [["waits. “New”", "waits. Resolve"], "offline."]);
  for (const button of page.all("#outbox button")) page.click(button);
  const { text, time, opened, drawing, key } = page.keeps("draft:edit-1");
  assert.deepEqual([text, time, opened, drawing, key.length], ["New", 7, "Old", "{}", 36]);
  assert.deepEqual([page.names("draft:"), page.heard("room:reopen").length], [["edit-1"], 1]);
  assert.equal(page.heard("room:reply").length, 0);
});

test("what waits goes out in its order when the page opens, at once and without being held", { skip }, async (t) => {
  const stored = { ...QUEUED("q1"), ...QUEUED("q2", {}, { label: "Resolve" }) };
  const page = await openPosting(t, { stored, answers: [TAKEN] });
  assert.deepEqual(page.sent("key", "hold"), [
    ["/film/q1", "q1", ""],
    ["/film/q2", "q2", ""],
  ]);
  assert.deepEqual([page.names("queue:"), page.waiting(), page.said()], [[], [], "online."]);
  assert.equal(page.one("#live").dataset.v, "6");
  assert.equal(page.keeps("sent:s1").text, "q1", "a press of a button is no text to keep");
});

for (const [what, answer, left, sent] of [
  ["no connection", null, ["q1", "q2"], 1],
  ["too much at once", { status: 429, html: problemOf("Wait.") }, ["q1", "q2"], 1],
  ["trouble", { status: 500, html: "" }, ["q1", "q2"], 2],
])
  test(`what waits goes on waiting with ${what}`, { skip }, async (t) => {
    const page = await openPosting(t, { stored: { ...QUEUED("q1"), ...QUEUED("q2") }, answers: [answer] });
    assert.deepEqual([page.names("queue:"), page.posts().length], [left, sent]);
    assert.deepEqual(page.waiting(), ["waits. “q1”", "waits. “q2”"]);
  });

for (const [html, toast] of [
  [problemOf(" Too long. "), "Too long."],
  [`${liveOf(6)}<p data-refusal>Gone.</p>`, "Gone."],
  [liveOf(6), "trouble."],
])
  test(`what is refused comes back into its box and says “${toast}”`, { skip }, async (t) => {
    const page = await openPosting(t, { stored: QUEUED("q1"), answers: [{ status: 400, html }] });
    assert.deepEqual([page.box().elements.text.value, page.names("queue:"), page.toast()], ["q1", [], toast]);
    assert.deepEqual(page.waiting(), []);
  });

test("what waits goes out when the connection is back, one round at a time", { skip }, async (t) => {
  let answer;
  const answers = [new Promise((done) => (answer = done)), TAKEN];
  const page = await openPosting(t, { online: false, stored: { ...QUEUED("q1"), ...QUEUED("q2") }, answers });
  const reach = (detail) => page.fire(page.document, "room:reach", { detail });
  reach(true);
  globalThis.navigator.onLine = true;
  reach(false);
  await settled();
  assert.equal(page.posts().length, 0);
  reach(true);
  reach(true);
  await settled();
  assert.equal(page.posts().length, 1);
  answer(TAKEN);
  await settled();
  assert.deepEqual([page.posts().length, page.names("queue:")], [2, []]);
  localStorage.setItem("review:film:queue:q3", JSON.stringify(QUEUED("q3")["queue:q3"]));
  page.window.dispatchEvent(new page.window.Event("online"));
  await settled();
  assert.deepEqual([page.posts().length, page.names("queue:")], [3, []]);
  page.window.dispatchEvent(new page.window.Event("offline"));
  assert.equal(page.toast(), "offline.");
});

test("what waited and is taken without a key leaves nothing behind", { skip }, async (t) => {
  const page = await openPosting(t, { stored: QUEUED("q1"), answers: [liveOf(6)] });
  assert.deepEqual([page.names("queue:"), page.names("sent:")], [[], []]);
});

test("a page that cannot say what it shows sends nothing of the queue", { skip }, async (t) => {
  const page = await openPosting(t, { stored: QUEUED("q1"), live: "", answers: [TAKEN] });
  assert.deepEqual(page.posts(), []);
});

test("cards of what waits come with another tab's text and with a new outbox", { skip }, async (t) => {
  const page = await openPosting(t, { online: false });
  localStorage.setItem("review:film:queue:q1", JSON.stringify(QUEUED("q1")["queue:q1"]));
  page.fire(page.document, "room:queue");
  assert.deepEqual(page.waiting(), ["waits. “q1”"]);
  page.one("#outbox").replaceChildren();
  page.fire(page.document, "room:parts");
  page.fire(page.document, "room:parts");
  assert.deepEqual(page.waiting(), ["waits. “q1”"]);
  page.one("#outbox").remove();
  page.fire(page.document, "room:parts");
});

test("boxes check what is typed and repair it with a press; an edit is sent by others", { skip }, async (t) => {
  const page = await openPosting(t);
  const form = reply(page);
  page.type(form.elements.text, "a -> b");
  assert.equal(form.querySelector("[data-assist]").hidden, false);
  page.click(form.querySelector("[data-fix]"));
  assert.equal(form.elements.text.value, "a → b");
  page.type(form.elements.user_name, "D'Ana");
  assert.equal(form.querySelector("[data-fix-name]").textContent, "Use DAna");
  page.click(form.querySelector("[data-fix-name]"));
  assert.equal(form.elements.user_name.value, "DAna");
  const fix = page.box().querySelector("[data-fix-time]");
  fix.dataset.time = "0:07";
  page.click(fix);
  assert.equal(page.box().elements.time.value, "0:07");
  page.type(page.box().elements.text, "a -> b");
  assert.ok(page.box().querySelector("[data-assist]").hidden, "the box at the foot looks after itself");
  for (const edit of [Object.assign(form, {}), page.one("#act")]) {
    if (edit === form) edit.dataset.editForm = "";
    await page.submit(edit, null);
  }
  assert.deepEqual(page.posts(), []);
  assert.equal(page.submitted.length, 2);
});
