import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `
  <form id="plain" method="post"><button type="submit">Send</button><button type="button">Other</button></form>
  <form id="search" method="get"><button type="submit">Search</button></form>
  <form id="again" method="post" data-again><button type="submit">Try again</button></form>`;

async function openForms() {
  const page = openDashboard(PAGE);
  await load("once.js");
  page.send = (id) => page.one(`#${id} [type=submit]`).click();
  page.isBusy = (id) => page.one(`#${id}`).getAttribute("aria-busy") === "true";
  page.left = () => page.submitted.map(([form]) => form.id);
  return page;
}

test("a form that writes leaves once, and its buttons say that they wait", { skip }, async () => {
  const page = await openForms();
  page.send("plain");
  assert.ok(page.isBusy("plain"));
  assert.deepEqual(
    page.all("#plain button").map((button) => button.getAttribute("aria-disabled")),
    ["true", null],
  );
  page.send("plain");
  assert.deepEqual(page.left(), ["plain"]);
});

test("a form that reads, and one that may be repeated, leave each time", { skip }, async () => {
  const page = await openForms();
  for (const id of ["search", "search", "again", "again"]) page.send(id);
  assert.deepEqual(page.left(), ["search", "search", "again", "again"]);
  assert.deepEqual(["search", "again"].filter(page.isBusy), []);
});

test("a form that something else stopped is ready to be sent", { skip }, async () => {
  const page = await openForms();
  page.one("#plain").addEventListener("submit", (event) => event.preventDefault(), { once: true });
  page.send("plain");
  assert.equal(page.isBusy("plain"), false);
});

for (const [what, answer] of [
  ["coming back to the page", (page) => page.fire(page.window, "pageshow")],
  ["the answer of htmx", (page) => page.fire("#plain button", "htmx:afterRequest")],
])
  test(`${what} makes a form ready again`, { skip }, async () => {
    const page = await openForms();
    page.send("plain");
    answer(page);
    assert.equal(page.isBusy("plain"), false);
    assert.equal(page.one("#plain button").hasAttribute("aria-disabled"), false);
    page.send("plain");
    assert.deepEqual(page.left(), ["plain", "plain"]);
  });
