import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `
  <div id="live" data-v="7"></div>
  <form><input type="hidden" name="csrfmiddlewaretoken" value="token"></form>`;

async function sendFrom(url, values) {
  openPage(PAGE, { url });
  const bodies = [];
  globalThis.fetch = async (address, { body }) => {
    bodies.push(Object.fromEntries(body));
    return new Response('<div id="live"></div>');
  };
  const { send } = await load("review_portal/sending.js");
  await send("/film/comments/1", values);
  return bodies[0];
}

test("what the list was asked for goes along, so that the answer shows the same list", { skip }, async () => {
  const sent = await sendFrom("https://reelroom.example/film?show=open&q=logo&by=Ana", { text: "Lower it." });
  assert.deepEqual(sent, {
    text: "Lower it.",
    v: "7",
    show: "open",
    by: "Ana",
    q: "logo",
    csrfmiddlewaretoken: "token",
  });
});

test("an address that was made up adds nothing that a form did not say", { skip }, async () => {
  const url = "https://reelroom.example/film?withdraw=1&repeat=1&drawing=&status=resolved&text=Other&show=all";
  const sent = await sendFrom(url, { text: "Lower it." });
  assert.deepEqual(sent, { text: "Lower it.", v: "7", show: "all", csrfmiddlewaretoken: "token" });
});
