import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

test("a button does what its name says, by a press or by a key, and an unknown name nothing", { skip }, async () => {
  const page = openDashboard('<button data-do="play"><b></b></button><button data-do="none"></button><i></i>');
  const { act, register } = await load("review_portal/actions.js");
  const done = [];
  register({ play: () => done.push("old"), stop: () => done.push("stop") });
  register({ play: () => done.push("play") });
  for (const target of ["b", "[data-do=none]", "i"]) page.click(target);
  act("stop");
  act("none");
  assert.deepEqual(done, ["play", "stop"]);
});

test("a click with Ctrl, Cmd or Shift asks for a tab or window", { skip }, async () => {
  openDashboard("");
  const { opensTab } = await load("review_portal/actions.js");
  for (const name of ["ctrlKey", "metaKey", "shiftKey"]) assert.ok(opensTab({ [name]: true }), name);
  assert.ok(!opensTab({ altKey: true }));
});
