import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

async function openFilm({ measured, frame } = {}) {
  openPage("", { url: "https://reelroom.example/12345678/reel" });
  document.cookie = "film_rates=; max-age=0";
  document.cookie = "zone=UTC";
  if (measured) document.cookie = `film_rates=92345678:60|12345678:${measured}`;
  const { enter } = await load("review_portal/drawing_room.js");
  enter({ player: { inner: frame === undefined ? {} : { frames: { length: frame } } } });
  return load("review_portal/timecode.js");
}

test("a measured rate that is named short is the exact one", { skip }, async () => {
  for (const [named, exact] of [
    ["23.976", 24000 / 1001],
    ["29.97", 30000 / 1001],
    ["59.94", 60000 / 1001],
    ["25", 25],
    ["12.5", 12.5],
  ])
    assert.equal((await openFilm({ measured: named })).rate(), exact, named);
});

test("without a measured rate it is what stepping found, and none where nobody stepped", { skip }, async () => {
  assert.equal((await openFilm({ frame: 0.0417 })).rate(), 24);
  assert.equal((await openFilm({ frame: 0 })).rate(), 0);
  assert.equal((await openFilm()).rate(), 0);
  document.cookie = "my_film_rates=12345678:50";
  assert.equal((await load("review_portal/timecode.js")).rate(), 0, "another cookie says nothing");
});

test("a timecode counts the frames of its second, and milliseconds where no rate is known", { skip }, async () => {
  const { timecode } = await openFilm({ measured: "25" });
  assert.equal(timecode(0), "00:00:00:00");
  assert.equal(timecode(42_440_000), "00:00:42:11");
  assert.equal(timecode(42_439_960), "00:00:42:11", "a rounded beginning is that frame's");
  assert.equal(timecode(42_439_000), "00:00:42:10");
  assert.equal(timecode(45_296_960_000), "12:34:56:24");
  const plain = await openFilm();
  assert.equal(plain.timecode(3_661_007_900), "01:01:01.007");
  assert.equal(plain.timecode(59_999_999), "00:00:59.999");
});
