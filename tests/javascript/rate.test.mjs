import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

openBarePage();
globalThis.location = { pathname: "/12345678", protocol: "https:" };
globalThis.document = { cookie: "", querySelectorAll: () => [] };
const { isKnown, measure } = await load("review_portal/rate.js");

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
