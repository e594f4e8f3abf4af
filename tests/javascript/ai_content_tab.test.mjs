import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeStorage } from "./page.mjs";
import { load, openDashboard, skip } from "./dashboard.mjs";

async function openTab(storage) {
  const page = openDashboard("<p></p>", { sessionStorage: storage });
  const { tab } = await load("ai_content/tab.js");
  const headers = {};
  page.fire("p", "htmx:configRequest", { detail: { headers } });
  assert.equal(headers["X-Tab"], tab, "every request says it");
  return tab;
}

test("a window keeps its name, another has another", { skip }, async () => {
  const storage = new FakeStorage();
  const name = await openTab(storage);
  assert.ok(name.length > 8);
  assert.equal(await openTab(storage), name);
  assert.notEqual(await openTab(new FakeStorage()), name);
});

test("a window without storage has a name of its own too", { skip }, async () => {
  const names = [await openTab({}), await openTab(new FakeStorage({ full: true }))];
  assert.ok(names.every((name) => /^\w{6,}$/.test(name.replaceAll("-", ""))));
  assert.notEqual(names[0], names[1]);
});
