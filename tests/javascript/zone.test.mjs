import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const MOMENT =
  '<time data-moment datetime="2026-06-01T12:30:00Z">old</time><time datetime="2026-06-01T12:30:00Z">old</time>';

async function openIn(t, zone, kept = "") {
  t.mock.method(Intl.DateTimeFormat.prototype, "resolvedOptions", () => ({ timeZone: zone }));
  const page = openDashboard(MOMENT);
  if (kept) page.document.cookie = `${kept}; path=/`;
  await load("zone.js");
  return { cookie: page.document.cookie, times: page.all("time").map((time) => time.textContent) };
}

test("the server is told the zone, and what matters is said in it", { skip }, async (t) => {
  const { cookie, times } = await openIn(t, "America/Sao_Paulo");
  assert.equal(cookie, "zone=America/Sao_Paulo");
  assert.match(times[0], /^Jun 1, 2026, \d\d:30 America\/Sao Paulo, 12:30 UTC$/);
  assert.equal(times[1], "old");
});

for (const [what, zone, kept, cookie] of [
  ["the server knows", "Europe/Madrid", "zone=Europe/Madrid", "zone=Europe/Madrid"],
  ["that is the server's own", "UTC", "", "zone=UTC"],
  ["nobody knows", "", "", ""],
])
  test(`a zone ${what} leaves the page as it is`, { skip }, async (t) => {
    assert.deepEqual(await openIn(t, zone, kept), { cookie, times: ["old", "old"] });
  });

test("another zone than before is told anew", { skip }, async (t) => {
  const { cookie, times } = await openIn(t, "Europe/Madrid", "zone=UTC");
  assert.equal(cookie, "zone=Europe/Madrid");
  assert.notEqual(times[0], "old");
});
