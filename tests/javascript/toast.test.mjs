import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

async function openToasts(t, body = `<div id="toasts"><div id="one"></div></div><form id="form"></form>`) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(body);
  globalThis.DOMParser = page.window.DOMParser;
  await load("toast.js");
  return Object.assign(page, {
    passes: (time) => t.mock.timers.tick(time),
    there: () => [...(page.one("#toasts")?.children ?? [])].map((toast) => toast.id),
    fails: (status, responseText, verb = "post") =>
      page.fire("#form", "htmx:responseError", { detail: { xhr: { status, responseText }, requestConfig: { verb } } }),
  });
}

test("a toast leaves after eight seconds, one that comes later as well", { skip }, async (t) => {
  const page = await openToasts(t);
  page.passes(7999);
  page.one("#toasts").append("words");
  page.one("#toasts").insertAdjacentHTML("beforeend", '<p id="two"></p>');
  await settled();
  assert.deepEqual(page.there(), ["one", "two"]);
  page.passes(1);
  assert.deepEqual(page.there(), ["two"]);
  page.passes(7998);
  assert.deepEqual(page.there(), ["two"]);
  page.passes(1);
  assert.deepEqual(page.there(), []);
});

for (const [comes, goes] of [
  ["pointerenter", "pointerleave"],
  ["focusin", "focusout"],
])
  test(`a toast stays from ${comes} until eight seconds after ${goes}`, { skip }, async (t) => {
    const page = await openToasts(t);
    page.passes(7000);
    page.fire("#one", comes);
    page.passes(60_000);
    page.fire("#one", goes);
    page.passes(7999);
    assert.deepEqual(page.there(), ["one"]);
    page.passes(1);
    assert.deepEqual(page.there(), []);
  });

const NOTICE = '<div class="toast" id="why">Not now</div><p></p>';
for (const [what, parts, expected] of [
  ["the server's notice of a form that was not kept", [503, NOTICE], ["one", "why"]],
  ["another error", [500, NOTICE], ["one"]],
  ["a part that was only asked for", [503, NOTICE, "get"], ["one"]],
  ["a page", [503, "<main></main>"], ["one"]],
  ["nothing", [503, ""], ["one"]],
])
  test(`${what} ${expected.length > 1 ? "is said" : "is no notice"}`, { skip }, async (t) => {
    const page = await openToasts(t);
    page.fails(...parts);
    assert.deepEqual(page.there(), expected);
  });

test("a page without toasts has nothing to say", { skip }, async (t) => {
  const page = await openToasts(t, `<form id="form"></form>`);
  page.fails(503, NOTICE);
  assert.deepEqual(page.there(), []);
});
