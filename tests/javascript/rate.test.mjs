import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage, openPage, skip } from "./page.mjs";

openBarePage();
globalThis.location = { pathname: "/12345678", protocol: "https:" };
globalThis.document = { cookie: "", querySelectorAll: () => [] };
const { isKnown, measure, rateOf } = await load("review_portal/rate.js");

// A film that shows the frames that a test gives; a browser calls back once for each request.
class FakeVideo {
  playbackRate = 1;
  calls = [];

  requestVideoFrameCallback(call) {
    this.calls.push(call);
  }
  show(times) {
    for (const mediaTime of times) for (const call of this.calls.splice(0)) call(0, { mediaTime });
  }
}

const play = (rate, from, seconds) =>
  Array.from({ length: Math.ceil(seconds * rate) + 2 }, (_, number) => from + number / rate);

test("a rate that could not be told is measured again, until it is known", () => {
  const video = new FakeVideo();
  measure(video);
  const uneven = Array.from({ length: 60 }, (_, number) => number / 12 + (number % 3) / 40);
  video.show(uneven);
  assert.equal(isKnown(), false);
  video.show(play(25, 10, 4));
  assert.match(document.cookie, /^film_rates=12345678:25;.*; secure$/);
  assert.equal(isKnown(), true);
  assert.equal(video.calls.length, 0, "nothing is measured any more");
});

test("what was played at another speed, or jumped over, is left out", () => {
  document.cookie = "";
  const video = new FakeVideo();
  measure(video);
  video.playbackRate = 2;
  video.show(play(30, 0, 6));
  video.playbackRate = 1;
  video.show([...play(30, 20, 3), ...play(30, 40, 3)]);
  assert.equal(isKnown(), false, "no four seconds in a row");
  video.show(play(30, 43.2, 2));
  assert.equal(isKnown(), true);
});

for (const rate of [12, 12.5, 15, 23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60])
  test(`${rate} frames a second are told from all others, also where some are left out`, () => {
    const exact = { 23.976: 24000 / 1001, 29.97: 30000 / 1001, 59.94: 60000 / 1001 }[rate] ?? rate;
    const times = play(exact, 7, 4);
    assert.equal(rateOf(times), rate);
    assert.equal(rateOf(times.filter((_time, place) => !place || (place % 7 && place % 11 && place % 12))), rate);
  });

for (const [what, times] of [
  ["a rate that no film has", play(27, 0, 4)],
  ["one that is nearly right", play(25 * 1.00045, 0, 4)],
  ["steps of any length", play(25, 0, 4).map((time, place) => time + (place % 9 === 4 ? 0.0105 : 0))],
])
  test(`${what} is no rate`, () => assert.equal(rateOf(times), null));

test("a step a little beside its place is still one", () => {
  assert.equal(rateOf(play(25, 0, 4).map((time, place) => time + (place % 9 === 4 ? 0.0095 : 0))), 25);
  assert.equal(rateOf(play(25 * 1.00035, 0, 4)), 25);
});

for (const [what, first, second, known] of [
  ["four seconds", play(25, 0, 4).slice(0, 101), [], true],
  ["less than four seconds", play(25, 0, 4).slice(0, 100), [], false],
  ["a rest of a quarter of a second", play(25, 0, 2), play(25, 2.04 + 0.25, 2.5), false],
  ["a shorter rest", play(25, 0, 2), play(25, 2.04 + 0.2, 2), true],
  ["a jump back", play(25, 10, 2), play(25, 9, 3.5), false],
  ["the same frame twice", play(25, 0, 2), play(25, 2.04, 2.5), false],
])
  test(`${what} ${known ? "tell" : "does not tell"} the rate`, () => {
    document.cookie = "";
    const video = new FakeVideo();
    measure(video);
    video.show([...first, ...second]);
    assert.equal(isKnown(), known);
  });

test("the last twenty films keep their rates, each once, for a year", () => {
  const others = Array.from({ length: 21 }, (_one, place) => `film-${String(place).padStart(3, "0")}:24`);
  document.cookie = `theme=dark; film_rates=${[...others.slice(0, 3), "12345678:24", ...others.slice(3)].join("|")}; other=1`;
  assert.equal(isKnown(), true);
  const video = new FakeVideo();
  measure(video);
  video.show(play(50, 0, 4));
  const kept = ["12345678:50", ...others.slice(0, 19)].join("|");
  assert.equal(document.cookie, `film_rates=${kept}; path=/; max-age=31536000; samesite=lax; secure`);
  location.protocol = "http:";
  measure(video);
  video.show(play(50, 10, 4));
  assert.match(document.cookie, /samesite=lax$/);
  document.cookie = "my_film_rates=12345678:24; film_rates=2345678:24";
  assert.equal(isKnown(), false);
});

for (const [rate, options, value] of [
  [25, ["24", "25*", "50"], "25"],
  [12.5, ["24*", "50", "25"], "25"],
  [15, ["24*", "60"], "60"],
  [12, ["25*", "48", "24"], "24"],
  [29.97, ["24*", "29.97df", "29.97"], "29.97"],
  [23.976, ["24*", "23.98"], "23.98"],
  [12, ["25*", "60"], "25"],
  [25, ["24*", "30", "25", "24!"], "24"],
])
  test(`a menu of ${options.join(" ")} begins with ${value} for ${rate} frames a second`, { skip }, async () => {
    const rows = options.map(
      (one) => `<option ${one.includes("*") ? "selected" : ""}>${one.replace(/[*!]/, "")}</option>`,
    );
    const { document: page } = openPage(
      `<label><select>${rows.join("")}</select><small data-film-rate="{rate} a second" hidden></small></label>`,
      { url: "https://reelroom.example/12345678/export" },
    );
    const select = page.querySelector("select");
    if (options.at(-1).endsWith("!")) select.selectedIndex = options.length - 1;
    const { measure: measured } = await load("review_portal/rate.js");
    const video = new FakeVideo();
    measured(video);
    video.show(play({ 23.976: 24000 / 1001, 29.97: 30000 / 1001 }[rate] ?? rate, 0, 4));
    const hint = page.querySelector("small");
    assert.deepEqual([select.value, hint.textContent, hint.hidden], [value, `${rate} a second`, false]);
  });
