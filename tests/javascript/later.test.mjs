import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { idOf, liveOf, openReview } from "./review.mjs";

const FIND = '<form data-find><input name="q"><input name="by"><input name="sort" value="time"></form>';
const PARTS = ["boxes", "outbox", "find"];
const DRAFT = { text: "Yes", time: 10, key: "k7" };

async function openLater(t, { more = "", broken = false, online = true, ...options } = {}) {
  const page = openReview(t, {
    ...{ live: liveOf(5, { more: "" }), answers: [liveOf(6)], more: FIND + more, ...options },
    change(opened) {
      if (broken) opened.one("[data-news] button").remove(); // the parts throw when they are loaded
      options.change?.(opened);
    },
  });
  const errors = [];
  globalThis.reportError = (error) => errors.push(error);
  globalThis.navigator.onLine = online;
  const later = await load("review_portal/later.js");
  later.start();
  const come = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.allSettled(PARTS.map((name) => load(`review_portal/${name}.js`)));
      await settled();
    }
  };
  await come();
  return Object.assign(page, {
    errors,
    come,
    boxes: () => page.all("#threads .reply-box").length,
    /** Whether the parts are there: they bring a reply's text back into a box. */
    isThere() {
      page.fire(page.document, "room:reply", { detail: { parent: idOf(1), text: "Back" } });
      return page.boxes() > 0;
    },
  });
}

test("nothing comes before somebody is there", { skip }, async (t) => {
  const page = await openLater(t, { stored: { "draft:main": DRAFT } });
  assert.equal(page.isThere(), false);
});

for (const [what, options] of [
  ["a reply that was begun", { stored: { [`draft:reply-${idOf(2)}`]: DRAFT } }],
  ["a text that waits for a connection", { stored: { "queue:q1": { action: "/film", fields: {}, at: 1 } } }],
  [
    "a comment that is on its way",
    { outbox: '<div id="outbox"><form data-sent="late"><i data-left></i></form></div>' },
  ],
  ["a card of what waits", { outbox: '<div id="outbox"><p data-waits="q1"></p></div>' }],
  ["a box that the server opened", { more: '<form class="reply-box" data-draft="reply-1"></form>' }],
])
  test(`${what} brings the parts at once`, { skip }, async (t) => {
    assert.ok((await openLater(t, options)).isThere());
  });

for (const sign of ["pointerdown", "keydown", "focusin"])
  test(`${sign} brings the parts`, { skip }, async (t) => {
    const page = await openLater(t);
    page.fire("#elsewhere", sign);
    await page.come();
    assert.ok(page.isThere());
  });

test("a press before the parts are there is done once they are, and later ones at once", { skip }, async (t) => {
  const page = await openLater(t);
  const link = page.thread(1).querySelector("[data-reply]");
  assert.ok(page.click(link));
  assert.equal(page.boxes(), 0);
  await page.come();
  assert.equal(page.boxes(), 1);
  page.click(page.one(".reply-box [data-leave]"));
  assert.equal(page.boxes(), 0);
  page.click(link);
  assert.equal(page.boxes(), 1);
});

test("a press that asks for a new tab, and one of other links, goes on", { skip }, async (t) => {
  const page = await openLater(t);
  const link = page.thread(1).querySelector("[data-reply]");
  const taken = [{ ctrlKey: true }, { shiftKey: true }, { button: 1 }].map((more) => page.click(link, more));
  taken.push(page.click(page.thread(1).querySelector(".timecode")));
  await page.come();
  assert.deepEqual([taken, page.followed.length, page.isThere()], [[false, false, false, false], 4, false]);
});

test("a form that was sent before goes out with its button, others leave as they are", { skip }, async (t) => {
  const page = await openLater(t);
  page.one("main").innerHTML = '<form id="other"></form>';
  page.one("#other").requestSubmit();
  assert.equal(page.submitted.length, 1);
  page.thread(1).querySelector('[value="resolved"]').click();
  assert.deepEqual([page.submitted.length, page.requests], [1, []]);
  await page.come();
  assert.deepEqual([page.sent("status"), page.submitted.length], [[[`/film/comments/${idOf(1)}`, "resolved"]], 1]);
});

test(
  "letters typed for a box that is on its way are no shortcuts, in a field they are written",
  { skip },
  async (t) => {
    const page = await openLater(t);
    const heard = [];
    page.document.addEventListener("keydown", ({ key }) => heard.push(key));
    page.press("main", "a");
    await page.come();
    const other = await openLater((t.mock.reset(), t));
    other.document.addEventListener("keydown", ({ key }) => heard.push(key));
    other.click(other.thread(1).querySelector("[data-reply]"));
    assert.deepEqual(
      [other.press("main", "b"), other.press("#elsewhere", "c"), other.press("textarea", "d")],
      [true, false, false],
    );
    await other.come();
    assert.equal(other.press("main", "e"), false);
    assert.deepEqual(heard, ["a", "c", "d", "e"]);
  },
);

test("a word that was typed for a search is searched once the parts are there", { skip }, async (t) => {
  const page = await openLater(t);
  const field = page.one("[name=q]");
  page.type(field, "logo");
  page.fire("#elsewhere", "input");
  await page.come();
  await page.pass(300);
  assert.deepEqual(
    page.requests.map(([address]) => address),
    ["/film/comments?q=logo&v="],
  );
});

test("parts that do not work leave links and forms as they are, and say why", { skip }, async (t) => {
  const page = await openLater(t, { broken: true });
  const link = page.thread(1).querySelector("[data-reply]");
  page.click(link);
  assert.equal(page.followed.length, 0);
  await page.come();
  assert.deepEqual([page.followed.length, page.errors.length, page.toast()], [1, 1, ""]);
  page.click(link);
  assert.equal(page.followed.length, 2);
});

test("without a connection a press is forgotten with a word, and tried anew", { skip }, async (t) => {
  const page = await openLater(t, { broken: true, online: false });
  const link = page.thread(1).querySelector("[data-reply]");
  page.click(link);
  await page.come();
  assert.deepEqual([page.toast(), page.errors, page.followed], ["offline.", [], []]);
  assert.equal(page.press("main", "a"), false, "nothing is on its way");
  globalThis.navigator.onLine = true;
  assert.ok(page.click(link));
  await page.come();
  assert.deepEqual([page.errors.length, page.followed.length], [1, 1]);
});
