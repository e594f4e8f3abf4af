import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeHtmx, load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `
  <div id="count" data-poll="2"></div><div id="part"></div><form></form>
  <a href="#"></a><button></button><label></label><p></p>`;

async function openPolling() {
  let clock = 1000;
  const page = openDashboard(PAGE, { performance: { now: () => clock } });
  await load("poll.js");
  return Object.assign(page, {
    pass: (milliseconds) => {
      clock += milliseconds;
    },
    asks: (from = "#count", cause = "every") =>
      !page.fire(from, "htmx:beforeRequest", {
        detail: { requestConfig: { triggeringEvent: cause && { type: cause } } },
      }).defaultPrevented,
    answers: (status, from = "#count") => page.fire(from, "htmx:afterRequest", { detail: { xhr: { status } } }),
  });
}

test("a hidden tab asks nothing by itself, and at once when it is seen again", { skip }, async () => {
  const page = await openPolling();
  const woken = [];
  page.document.body.addEventListener("wake", () => woken.push(page.asks("#count", "wake")));
  page.hide();
  page.fire(page.document, "visibilitychange");
  assert.deepEqual([page.asks(), page.asks("#count", null), page.asks("#part"), woken], [false, false, true, []]);
  page.hide(false);
  page.fire(page.document, "visibilitychange");
  assert.deepEqual([page.asks(), woken], [true, [true]]);
});

test("each answer without news makes the pause longer, up to half a minute", { skip }, async () => {
  const page = await openPolling();
  for (const pause of [2500, 3125, 3906.25]) {
    page.answers(204);
    page.pass(pause - 1);
    assert.equal(page.asks(), false);
    assert.ok(page.asks("#count", "wake"));
    page.pass(1);
    assert.ok(page.asks());
  }
  for (let times = 0; times < 20; times += 1) page.answers(204);
  page.pass(29_999);
  assert.equal(page.asks(), false);
  page.pass(1);
  assert.ok(page.asks());
});

test("an answer with news, and one to another element, makes no pause", { skip }, async () => {
  const page = await openPolling();
  page.answers(200);
  assert.ok(page.asks());
  page.one("#part").dataset.other = "";
  page.answers(204, "#part");
  page.one("#part").dataset.poll = "5";
  assert.ok(page.asks("#part"));
  page.fire(page.document, "htmx:afterRequest", { detail: {} });
});

test("news wait while a form is on its way or something is held down", { skip }, async () => {
  const page = await openPolling();
  const swaps = (elt = page.one("#count")) => {
    const detail = { shouldSwap: true, requestConfig: elt && { elt } };
    page.fire("#count", "htmx:beforeSwap", { detail });
    return detail.shouldSwap;
  };
  assert.ok(swaps());
  for (const [selector, name] of [
    ["a", "data-active"],
    ["button", "data-active"],
    ["label", "data-active"],
  ]) {
    page.one(selector).toggleAttribute(name);
    assert.deepEqual([swaps(), swaps(page.one("#part")), swaps(null)], [false, true, true], selector);
    page.one(selector).toggleAttribute(name);
  }
  page.one("p").toggleAttribute("data-active");
  assert.ok(swaps());
  page.one("form").className = "htmx-request";
  assert.equal(swaps(), false);
});

test("what a part asked ends when it is replaced", { skip }, async () => {
  const page = await openPolling();
  const htmx = fakeHtmx(page);
  for (const from of ["#part", "#count"]) page.fire(from, "htmx:beforeCleanupElement");
  page.fire(page.document, "htmx:beforeCleanupElement");
  assert.deepEqual(htmx.triggered, ["htmx:abort count"]);
});
