import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

async function openWaiting(t, { keys = ["q1", "q2"], answers, online = true } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard('<main data-closed="film"></main><input name="csrfmiddlewaretoken" value="token">');
  globalThis.navigator.onLine = online;
  for (const [place, key] of keys.entries())
    localStorage.setItem(
      `review:film:queue:${key}`,
      JSON.stringify({ action: `/film/${key}`, fields: { key, text: "a" }, at: place }),
    );
  const sent = [];
  globalThis.fetch = async (address, { body }) => {
    sent.push([address, body.get("key"), body.get("hold")]);
    const answer = await (answers.length > 1 ? answers.shift() : answers[0]);
    if (answer === null) throw new TypeError("no connection");
    const { status = 200, html = '<div id="live"></div>' } = answer;
    return { status, text: async () => html, headers: new Headers() };
  };
  await load("review_portal/waiting.js");
  await settled();
  return Object.assign(page, {
    sent,
    left: () => Object.keys(localStorage).map((name) => name.slice(-2)),
    online(on = true) {
      globalThis.navigator.onLine = on;
      page.window.dispatchEvent(new page.window.Event("online"));
      return settled();
    },
    async pass(milliseconds) {
      t.mock.timers.tick(milliseconds);
      await settled();
    },
  });
}

test("what waits is sent in its order under its own keys, and the page is shown anew", { skip }, async (t) => {
  const page = await openWaiting(t, { answers: [{}] });
  assert.deepEqual(page.sent, [
    ["/film/q1", "q1", ""],
    ["/film/q2", "q2", ""],
  ]);
  assert.deepEqual([page.left(), page.visited], [[], ["reload"]]);
});

for (const [what, answers, sent, left, reloads] of [
  ["nothing waits", [{}], 0, [], 0],
  ["there is no connection", [null], 1, ["q1", "q2"], 0],
  ["there is too much at once", [{ status: 429 }], 1, ["q1", "q2"], 0],
  ["the connection ends", [{}, null], 2, ["q2"], 1],
  ["one is refused", [{ status: 400 }, {}], 2, ["q1"], 1],
  ["the answer says nothing", [{ status: 500, html: "" }], 2, ["q1", "q2"], 0],
])
  test(`where ${what}, ${left.length} of the texts stay`, { skip }, async (t) => {
    const keys = what === "nothing waits" ? [] : undefined;
    const page = await openWaiting(t, { answers: [...answers], keys });
    assert.deepEqual([page.sent.length, page.left(), page.visited.length], [sent, left, reloads]);
    await page.pass(4999);
    assert.equal(page.sent.length, sent);
    await page.pass(1);
    const isTried = ["there is no connection", "there is too much at once"].includes(what);
    assert.equal(page.sent.length, sent + Number(isTried), "what was not tried is tried again");
  });

test("without a connection nothing is tried until it is there", { skip }, async (t) => {
  const page = await openWaiting(t, { answers: [{}], online: false });
  await page.online(false);
  assert.deepEqual(page.sent, []);
  await page.online();
  assert.deepEqual([page.sent.length, page.left()], [2, []]);
});

test(
  "a connection that comes back during an attempt is tried once more, and not twice at once",
  { skip },
  async (t) => {
    let fail;
    const page = await openWaiting(t, { answers: [new Promise((done) => (fail = done)), {}] });
    await page.online();
    assert.equal(page.sent.length, 1);
    fail(null);
    await settled();
    assert.deepEqual([page.sent.length, page.left(), page.visited], [3, [], ["reload"]]);
  },
);

test("an attempt that was begun ends the one that waited for its time", { skip }, async (t) => {
  const page = await openWaiting(t, { answers: [null, { status: 400 }] });
  await page.online();
  assert.equal(page.sent.length, 3);
  await page.pass(5000);
  assert.equal(page.sent.length, 3);
});
