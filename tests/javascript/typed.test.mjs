import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `<form id="comment"></form><form id="kept" data-keep="1"></form><div id="pulse"></div>`;
const SIGN_IN = "/sign-in/?next=/dashboard/&form=1";

async function answer({ from = "#comment", to = SIGN_IN, headers = { "X-CSRFToken": "of-htmx" }, fields = [] } = {}) {
  const page = openDashboard(PAGE);
  const sent = [];
  page.window.HTMLFormElement.prototype.submit = function submit() {
    sent.push([
      this.method,
      this.getAttribute("action"),
      this.hidden,
      this.isConnected,
      Object.fromEntries([...this.elements].map(({ name, value }) => [name, value])),
    ]);
  };
  await load("typed.js");
  const formData = new Map([["text", "half\na sentence"], ["csrfmiddlewaretoken", "of-form"], ...fields]);
  const xhr = { getResponseHeader: (name) => (name === "HX-Redirect" ? to : null) };
  const event = page.fire(from, "htmx:beforeOnLoad", { detail: { xhr, requestConfig: { formData, headers } } });
  return { isTaken: event.defaultPrevented, sent };
}

test("a form answered with sign-in goes there as a page, with all that was typed", { skip }, async () => {
  const file = new Blob(["picture"]);
  const { isTaken, sent } = await answer({ fields: [["file", file]] });
  const fields = { text: "half\na sentence", csrfmiddlewaretoken: "of-htmx" };
  assert.deepEqual([isTaken, sent], [true, [["post", SIGN_IN, true, true, fields]]]);
});

test("without a token of htmx the one of the form goes along", { skip }, async () => {
  const { sent } = await answer({ headers: {} });
  assert.equal(sent[0][4].csrfmiddlewaretoken, "of-form");
});

for (const [why, options] of [
  ["an answer that leads nowhere", { to: null }],
  ["an answer that leads to another page", { to: "/dashboard/?form=1" }],
  ["a sign-in that carries no form", { to: "/sign-in/?next=/dashboard/" }],
  ["a form that keeps what is typed itself", { from: "#kept" }],
  ["the pulse of a page", { from: "#pulse" }],
])
  test(`${why} is left to htmx`, { skip }, async () => {
    assert.deepEqual(await answer(options), { isTaken: false, sent: [] });
  });
