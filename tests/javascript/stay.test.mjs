import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = (
  inside,
) => `<p data-offline hidden id="page"></p><form data-stay>${inside ? "<p data-offline hidden></p>" : ""}<button></button></form>
  <form id="other"><button></button></form>`;

async function openForm({ onLine = false, inside = true } = {}) {
  const page = openDashboard(PAGE(inside), { navigator: { onLine } });
  await load("review_portal/stay.js");
  const heard = [];
  page.one("[data-stay]").addEventListener("submit", () => heard.push("form"));
  return Object.assign(page, {
    heard,
    send: (form) => page.fire(form, "submit").defaultPrevented,
    hidden: () => page.all("[data-offline]").map((notice) => notice.hasAttribute("hidden")),
  });
}

for (const [inside, hidden] of [
  [true, [true, false]],
  [false, [false]],
])
  test(
    `a form without a connection stays, and ${inside ? "it" : "the page"} says so until it is back`,
    { skip },
    async () => {
      const page = await openForm({ inside });
      page.send("[data-stay]");
      assert.deepEqual([page.submitted.length, page.heard, page.hidden()], [0, [], hidden]);
      page.window.dispatchEvent(new Event("online"));
      assert.deepEqual(
        page.hidden(),
        hidden.map(() => true),
      );
    },
  );

test("a form with a connection leaves, and so does one that may leave without", { skip }, async () => {
  const page = await openForm({ onLine: true });
  page.send("[data-stay]");
  assert.deepEqual([page.submitted.length, page.heard], [1, ["form"]]);
  const offline = await openForm();
  offline.send("#other");
  assert.deepEqual([offline.submitted.length, offline.hidden()], [1, [true, true]]);
});
