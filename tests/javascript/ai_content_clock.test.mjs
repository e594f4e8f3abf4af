import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

test("how long a save has been on its way is shown at once, and each second", { skip }, async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.parse("2026-11-28T12:00:00Z") });
  const page = openDashboard(`<time data-clock datetime="2026-11-28T11:59:01Z"></time>
    <time data-clock datetime="2026-11-28T12:00:05Z"></time><time datetime="2026-11-28T12:00:00Z">now</time>`);
  await load("ai_content/clock.js");
  const shown = () => page.all("time").map(({ textContent }) => textContent);
  assert.deepEqual(shown(), ["0:59", "0:00", "now"], "a clock that goes before ours has not begun");
  t.mock.timers.tick(1000);
  assert.deepEqual(shown(), ["1:00", "0:00", "now"]);
  t.mock.timers.tick(65_000);
  assert.deepEqual(shown(), ["2:05", "1:01", "now"]);
});
