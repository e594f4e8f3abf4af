import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const ADDRESS = '<meta name="htmx-script" content="/htmx.js">';

/** A page of these elements, on which htmx is not yet; `observed` has what is waited for to come near. */
async function openPage(body, { head = ADDRESS, htmx } = {}) {
  const observed = [];
  class Observer {
    constructor(act, options) {
      observed.push({ act, options, parts: [], gone: false });
    }
    observe(part) {
      observed.at(-1).parts.push(part.id);
    }
    disconnect() {
      observed.at(-1).gone = true;
    }
  }
  const page = openDashboard(body, { IntersectionObserver: Observer });
  page.document.head.innerHTML = head;
  if (htmx) page.window.htmx = htmx;
  const script = await load("htmx.js");
  return Object.assign(page, script, {
    observed,
    scripts: () => page.all("head script").map((one) => one.getAttribute("src")),
    arrives: async (type = "load") => {
      page.fire(page.all("head script").at(-1), type, { bubbles: false });
      await settled();
    },
  });
}

for (const [what, body, isLoaded] of [
  ["loads something", '<div hx-get="/part/"></div>', true],
  ["sends something", '<form hx-post="/save/"></form>', true],
  ["has nothing of it", "<form action='/save/'></form>", false],
  ["has it in its palette alone", '<div data-palette><input hx-get="/find/"></div>', false],
  ["has it in its bell alone", '<div class="bell"><a hx-get="/news/"></a></div>', false],
  ["loads something on sight alone", '<div id="a" hx-get="/part/" hx-trigger="revealed"></div>', false],
])
  test(`htmx is ${isLoaded ? "" : "not "}loaded at once on a page that ${what}`, { skip }, async () => {
    const page = await openPage(body);
    assert.deepEqual(page.scripts(), isLoaded ? ["/htmx.js"] : []);
  });

test("a page that says no address of htmx, or has it, loads none", { skip }, async () => {
  for (const options of [{ head: "" }, { htmx: {} }]) {
    const page = await openPage('<div hx-get="/part/"></div>', options);
    await page.load();
    assert.deepEqual([page.scripts(), page.observed], [[], []]);
  }
});

test(
  "what loads on sight brings htmx when one of them comes near, and then nobody looks any more",
  { skip },
  async () => {
    const part = (id) => `<div id="${id}" hx-get="/part/" hx-trigger="revealed"></div>`;
    const page = await openPage(part("a") + part("b"));
    const [{ parts, options, act }] = page.observed;
    assert.deepEqual([parts, options], [["a", "b"], { rootMargin: "300px" }]);
    act([{ isIntersecting: false }]);
    assert.deepEqual(page.scripts(), []);
    act([{ isIntersecting: false }, { isIntersecting: true }]);
    assert.deepEqual([page.scripts(), page.observed[0].gone], [["/htmx.js"], false]);
    await page.arrives("error");
    assert.equal(page.observed[0].gone, false, "it did not come: the next one that comes near tries again");
    act([{ isIntersecting: true }]);
    await page.arrives();
    assert.deepEqual([page.scripts().length, page.observed[0].gone], [2, true]);
  },
);

test("who asks for htmx gets it once, also while it is on its way", { skip }, async () => {
  const page = await openPage("");
  let come = 0;
  for (let turn = 0; turn < 2; turn += 1) page.load().then(() => (come += 1));
  assert.deepEqual(page.scripts(), ["/htmx.js"]);
  await settled();
  assert.equal(come, 0);
  await page.arrives();
  assert.equal(come, 2);
  await page.load();
  assert.equal(page.scripts().length, 1);
});

test("who asks hears that it did not come, and the next one tries again", { skip }, async () => {
  const page = await openPage("");
  const refused = assert.rejects(page.load());
  await page.arrives("error");
  await refused;
  page.load();
  assert.equal(page.scripts().length, 2);
});

for (const [when, state, isParsed, told] of [
  ["after the page's elements are there and before it is complete", "interactive", true, 1],
  ["before the page's elements are there", "interactive", false, 0],
  ["when the page is complete", "complete", true, 0],
])
  test(`htmx that comes ${when} is ${told ? "" : "not "}told to begin`, { skip }, async () => {
    const page = await openPage("");
    if (isParsed) page.fire(page.document, "DOMContentLoaded");
    Object.defineProperty(page.document, "readyState", { value: state });
    let heard = 0;
    page.document.addEventListener("DOMContentLoaded", () => (heard += 1));
    page.load();
    await page.arrives();
    assert.equal(heard, told);
  });
