import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeStorage, load, openBarePage } from "./page.mjs";

async function openStore(options) {
  const page = openBarePage(options);
  return { ...page, store: await load("review_portal/store.js") };
}

test("what was set is there after the page is opened again", async () => {
  const { storage, store } = await openStore();
  store.set("position", 12);
  const again = await openStore({ storage });
  assert.equal(again.store.get("position"), 12);
});

test("what was dropped is gone", async () => {
  const { store, storage } = await openStore();
  store.set("seen", "7");
  store.drop("seen");
  assert.equal(store.get("seen"), null);
  assert.deepEqual(Object.keys(storage), []);
});

test("another link's texts are not read, listed or dropped", async () => {
  const { storage, store } = await openStore({ link: "other" });
  store.set("draft:main", { text: "theirs" });
  const { store: own } = await openStore({ storage, link: "film" });
  assert.equal(own.get("draft:main"), null);
  assert.deepEqual(own.all("draft:"), []);
  own.drop("draft:main");
  assert.deepEqual((await openStore({ storage, link: "other" })).store.get("draft:main"), { text: "theirs" });
});

test("all lists names with their beginning, sorted, without the link", async () => {
  const { store } = await openStore();
  store.set("queue:b", 2);
  store.set("queue:a", 1);
  store.set("draft:main", 3);
  assert.deepEqual(store.all("queue:"), [
    ["queue:a", 1],
    ["queue:b", 2],
  ]);
});

test("a storage that refuses leaves everything in memory", async () => {
  const { store, storage } = await openStore({ storage: new FakeStorage({ full: true }) });
  store.set("draft:main", { text: "kept" });
  assert.deepEqual(store.get("draft:main"), { text: "kept" });
  assert.deepEqual(store.all("draft:"), [["draft:main", { text: "kept" }]]);
  store.drop("draft:main");
  assert.equal(store.get("draft:main"), null);
  assert.deepEqual(Object.keys(storage), []);
});

test("a storage that is full later keeps the newest text in memory", async () => {
  const { store, storage } = await openStore();
  store.set("draft:main", { text: "first" });
  storage.setItem = () => {
    throw new Error("full");
  };
  store.set("draft:main", { text: "second" });
  assert.deepEqual(store.get("draft:main"), { text: "second" });
});

test("a storage that is full still has what was kept when there was room", async () => {
  const storage = new FakeStorage({ full: true });
  storage["review:film:draft:reply-1"] = JSON.stringify({ text: "of an earlier visit" });
  const { store } = await openStore({ storage });
  store.set("draft:main", { text: "new" });
  assert.deepEqual(store.all("draft:"), [
    ["draft:main", { text: "new" }],
    ["draft:reply-1", { text: "of an earlier visit" }],
  ]);
});

test("what was sent while the storage is full does not come back", async () => {
  const storage = new FakeStorage({ full: true });
  storage["review:film:queue:k1"] = JSON.stringify({ action: "/film/comments" });
  const { store } = await openStore({ storage });
  store.set("draft:main", { text: "new" });
  store.drop("queue:k1");
  assert.deepEqual((await openStore({ storage })).store.all("queue:"), []);
});

test("a page whose storage is blocked remembers until it is left", async () => {
  openBarePage();
  Object.defineProperty(globalThis.window, "localStorage", {
    get() {
      throw new Error("blocked");
    },
  });
  const store = await load("review_portal/store.js");
  store.set("draft:main", { text: "kept" });
  assert.deepEqual(store.all("draft:"), [["draft:main", { text: "kept" }]]);
  store.drop("draft:main");
  assert.equal(store.get("draft:main"), null);
});

test("a text that is no JSON counts as missing", async () => {
  const { storage, store } = await openStore();
  storage.setItem("review:film:seen", "{broken");
  assert.equal(store.get("seen"), null);
});

test("settings have defaults, are shared by all links, and change one by one", async () => {
  const { storage, store } = await openStore();
  for (const [name, value] of Object.entries({
    ...{ pause: true, resume: false, hold: true, keys: true, speed: 1, volume: 100, muted: false, captions: "" },
  }))
    assert.equal(store.setting(name), value, name);
  store.keep("speed", 1.5);
  store.keep("hold", false);
  const { store: other } = await openStore({ storage, link: "other" });
  assert.equal(other.setting("speed"), 1.5);
  assert.equal(other.setting("hold"), false);
  assert.equal(other.setting("pause"), true);
});

test("watch tells what another tab of the same link changes, and nothing else", async () => {
  const { store, storage } = await openStore();
  const changes = [];
  store.watch("draft:", (name, value) => changes.push([name, value]));
  const change = (key) => globalThis.dispatchEvent(Object.assign(new Event("storage"), { key }));
  storage.setItem("review:film:draft:main", '{"text":"there"}');
  change("review:film:draft:main");
  change("review:other:draft:main");
  change("review:film:queue:1");
  change(null);
  assert.deepEqual(changes, [["draft:main", { text: "there" }]]);
});

test("a storage that has room again is read again, with what another tab keeps there", async () => {
  const { store, storage } = await openStore();
  const { setItem } = FakeStorage.prototype;
  storage.setItem = () => {
    throw new Error("full");
  };
  store.set("seen", "1");
  storage.setItem = setItem;
  store.set("seen", "2");
  storage.setItem("review:film:seen", '"3"');
  assert.equal(store.get("seen"), "3");
});

for (const [where, dataset] of [
  ["the page of a closed review", { closed: "film" }],
  ["the page that ends a review", { finish: "film" }],
])
  test(`${where} has what was typed in its room`, async () => {
    const { store, storage } = await openStore({ link: "film" });
    store.set("draft:main", { text: "typed" });
    const { document } = openBarePage({ storage });
    document.querySelector = () => ({ dataset });
    const there = await load("review_portal/store.js");
    assert.deepEqual(there.get("draft:main"), { text: "typed" });
  });

test("a page of no review has texts of its own", async () => {
  const { document, storage } = openBarePage();
  for (const root of [null, { dataset: {} }]) {
    document.querySelector = () => root;
    (await load("review_portal/store.js")).set("seen", "1");
    assert.deepEqual(Object.keys(storage), ["review:none:seen"]);
  }
});
