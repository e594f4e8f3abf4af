import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

async function openDrafts(options) {
  const page = openBarePage(options);
  return { ...page, drafts: await load("review_portal/drafts.js") };
}

test("a draft is kept with its time and key, and an empty one is not", async () => {
  const { drafts } = await openDrafts();
  drafts.write("main", { text: "The logo", time: 75, key: "k1" });
  assert.deepEqual({ ...drafts.read("main"), at: 0 }, { text: "The logo", time: 75, key: "k1", at: 0 });
  drafts.write("main", { text: "  \n", time: 75, key: "k1" });
  assert.equal(drafts.read("main"), null);
});

test("a drawing without words is a draft as well", async () => {
  const { drafts } = await openDrafts();
  drafts.write("main", { text: "", time: 75, key: "k1", drawing: "[1]" });
  assert.equal(drafts.read("main").drawing, "[1]");
  drafts.write("main", { text: "", time: 75, key: "k1", drawing: "" });
  assert.equal(drafts.read("main"), null);
});

test("every draft is listed with its place", async () => {
  const { drafts } = await openDrafts();
  drafts.write("reply-7", { text: "Yes", time: 0, key: "k2" });
  drafts.write("main", { text: "The logo", time: 75, key: "k1" });
  assert.deepEqual(
    drafts.list().map(({ place, text }) => [place, text]),
    [
      ["main", "The logo"],
      ["reply-7", "Yes"],
    ],
  );
  drafts.clear("main");
  assert.deepEqual(
    drafts.list().map(({ place }) => place),
    ["reply-7"],
  );
});

test("a listener hears of every change with all drafts", async () => {
  const { drafts } = await openDrafts();
  const counts = [];
  drafts.onChange((list) => counts.push(list.length));
  drafts.write("main", { text: "a", time: 0, key: "k" });
  drafts.clear("main");
  assert.deepEqual(counts, [1, 0]);
});

test("what waits for the connection is sent in the order in which it was queued, under its own key", async (t) => {
  const { drafts } = await openDrafts();
  t.mock.timers.enable({ apis: ["Date"], now: 1000 });
  drafts.queue("z-first", { action: "/film/comments", fields: { text: "one", key: "z-first" } });
  t.mock.timers.setTime(2000);
  drafts.queue("a-second", { action: "/film/comments", fields: { text: "two", key: "a-second" } });
  assert.deepEqual(
    drafts.queued().map(({ key, fields }) => [key, fields.text]),
    [
      ["z-first", "one"],
      ["a-second", "two"],
    ],
  );
});

test("the same attempt that is queued twice waits once", async () => {
  const { drafts } = await openDrafts();
  drafts.queue("k1", { action: "/film/comments", fields: { text: "one" } });
  drafts.queue("k1", { action: "/film/comments", fields: { text: "one" } });
  assert.equal(drafts.queued().length, 1);
  drafts.unqueue("k1");
  assert.deepEqual(drafts.queued(), []);
});

test("what waits is there after the page is opened again", async () => {
  const { drafts, storage } = await openDrafts();
  drafts.queue("k1", { action: "/film/comments", fields: { text: "one" }, label: "Resolve" });
  const again = await openDrafts({ storage });
  const [entry] = again.drafts.queued();
  assert.deepEqual([entry.key, entry.label, entry.fields.text], ["k1", "Resolve", "one"]);
});

test("a text that is not confirmed is kept until it is released", async () => {
  const { drafts } = await openDrafts();
  drafts.hold("k1", { text: "one", time: "1:15", reply_to: "" });
  assert.deepEqual(
    drafts.listSent().map(({ key, text }) => [key, text]),
    [["k1", "one"]],
  );
  drafts.release("k1");
  assert.deepEqual(drafts.listSent(), []);
});

test("another tab's draft and queue are announced on the page", async () => {
  const { drafts, document, storage } = await openDrafts();
  const news = [];
  document.addEventListener("room:draft", ({ detail }) => news.push(detail.place));
  document.addEventListener("room:queue", () => news.push("queue"));
  storage.setItem("review:film:draft:reply-7", '{"text":"there"}');
  for (const key of ["review:film:draft:reply-7", "review:film:queue:k1"]) {
    globalThis.dispatchEvent(Object.assign(new Event("storage"), { key }));
  }
  assert.deepEqual(news, ["reply-7", "queue"]);
  assert.equal(drafts.read("reply-7").text, "there");
});
