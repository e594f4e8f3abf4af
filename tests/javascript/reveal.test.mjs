import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

test("a password is shown and hidden, and the button says which", { skip }, async () => {
  const page = openDashboard(
    '<input id="password" type="password"><button data-reveal="password" data-hide="Hide" hidden><span>Show</span></button>',
  );
  await load("reveal.js");
  const button = page.one("button");
  const state = () => [button.hidden, page.one("input").type, button.textContent, button.getAttribute("aria-pressed")];
  assert.deepEqual(state(), [false, "password", "Show", null]);
  page.click("button");
  assert.deepEqual(state(), [false, "text", "Hide", "true"]);
  page.click("span");
  assert.deepEqual(state(), [false, "password", "Show", "false"]);
});
