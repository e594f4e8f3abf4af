import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

openBarePage();
const { format, parse } = await load("review_portal/clock.js");

test("format writes whole seconds, never beyond the moment", () => {
  assert.equal(format(0), "0:00");
  assert.equal(format(59.99), "0:59");
  assert.equal(format(60), "1:00");
  assert.equal(format(3599), "59:59");
  assert.equal(format(3600), "1:00:00");
  assert.equal(format(36_061), "10:01:01");
});

test("format writes 0:00 for what is no time", () => {
  for (const value of [NaN, undefined, null, -3]) assert.equal(format(value), "0:00");
});

test("parse reads times as people type them", () => {
  const seconds = {
    "1:15": 75,
    "0:75": 75,
    "1:02:03": 3723,
    " 75 ": 75,
    "75s": 75,
    "1m15s": 75,
    "1m 15": 75,
    "1h 0m 2s": 3602,
    "00:01:15:12": 75,
    "00:01:15;12": 75,
    "1:15.9": 75,
    "1:15,9": 75,
  };
  for (const [typed, expected] of Object.entries(seconds)) assert.equal(parse(typed), expected, typed);
});

test("parse reads hours and minutes without seconds", () => {
  assert.equal(parse("1h"), 3600);
  assert.equal(parse("2m"), 120);
  assert.equal(parse("1h2m"), 3720);
});

test("parse refuses what is no time", () => {
  for (const typed of ["", "soon", "1:2:3:4", "1:-2", ":30", "1:", "-5", "1::2", "12345678"]) {
    assert.ok(Number.isNaN(parse(typed)), typed);
  }
});

test("parse reads what format wrote", () => {
  for (const seconds of [0, 1, 59, 60, 61, 599, 3599, 3600, 86_399]) assert.equal(parse(format(seconds)), seconds);
});
