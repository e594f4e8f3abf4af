import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const ORIGIN = "https://video.example";
const PAGE = `<iframe id="film" src="${ORIGIN}/embed/1?lang=en"></iframe><iframe id="other" src="${ORIGIN}/2"></iframe>`;

/** The platform's player in its frame; `told` is what was said to it, `took` what it said to the page. */
async function openFrame() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(PAGE);
  const frame = page.one("#film");
  const { Embedded } = await load("review_portal/embedded.js");
  const film = new Embedded(frame);
  const told = [];
  frame.contentWindow.postMessage = ({ type, parameter }, origin) => told.push([type, parameter, origin]);
  const events = [];
  for (const name of ["time", "state", "length", "sound", "mute", "heard"])
    film.addEventListener(name, () => events.push(name));
  const hear = (data, { source = frame.contentWindow, origin = ORIGIN } = {}) =>
    page.window.dispatchEvent(new page.window.MessageEvent("message", { data, source, origin }));
  return Object.assign(page, {
    ...{ film, frame, hear },
    say: (name, more) => hear({ message: `player_${name}`, ...more }),
    took: () => events.splice(0),
    told: () => told.splice(0).map(([type, parameter, origin]) => (origin === ORIGIN ? [type, parameter] : origin)),
    waits: (milliseconds) => mock.timers.tick(milliseconds),
  });
}

for (const [what, data, more, expected] of [
  ["of its frame", { message: "any_name_timeupdate", currentTime: 5 }, {}, null],
  ["whose word is last", { message: "player_timeupdate", currentTime: 5 }, {}, 5],
  ["in capitals", { message: "PLAYER_TIMEUPDATE", currentTime: 5 }, {}, 5],
  ["with a type", { type: "player_timeupdate", currentTime: 5 }, {}, 5],
  ["as text", '{"message": "player_timeupdate", "currentTime": 5}', {}, 5],
  ["of another origin", { message: "player_timeupdate", currentTime: 5 }, { origin: "https://other.example" }, 0],
  ["of another frame", { message: "player_timeupdate", currentTime: 5 }, { source: "other" }, 0],
  ["without a number", { message: "player_timeupdate", currentTime: "5" }, {}, 0],
  ["about something else", { message: "player_volumechange", currentTime: 5 }, {}, 0],
  ["of one word", { message: "timeupdate", currentTime: 5 }, {}, 0],
  ["that is no JSON", "hello", {}, 0],
  ["that is nothing", null, {}, 0],
  ["without a name", { currentTime: 5 }, {}, 0],
])
  test(`a message ${what} ${expected ? "says where the film is" : "says no time"}`, { skip }, async () => {
    const page = await openFrame();
    if (more.source) more.source = page.one("#other").contentWindow;
    page.hear(data, more);
    assert.equal(page.film.time, expected ?? 0);
  });

for (const [name, more, events, state] of [
  ["timeupdate", { currentTime: 5 }, ["time"], { time: 5 }],
  ["seeking", { currentTime: 5 }, ["time"], { time: 5 }],
  ["seeked", { currentTime: 5 }, ["time"], { time: 5 }],
  ["pause", { currentTime: 5 }, ["state"], { time: 5, paused: true }],
  ["ended", { currentTime: 60 }, ["state"], { time: 60, paused: true }],
  ["play", { currentTime: 0 }, ["state"], { time: 0, paused: false }],
  ["ready", { playerData: { duration: 75.5 } }, ["length", "state"], { length: 75.5 }],
  ["durationchange", { duration: 80 }, ["length", "state"], { length: 80 }],
  ["durationchange", { duration: 0 }, ["state"], { length: 0, ready: false }],
  ["durationchange", { duration: Infinity }, ["state"], { length: 0, ready: false }],
  ["state", { playerData: { paused: false } }, ["state"], { paused: false }],
  ["state", { playerData: {} }, ["state"], { paused: true }],
  ["canplay", {}, ["state"], { ready: true }],
  ["buffering", {}, ["state"], { ready: false }],
])
  test(`"${name}" with ${JSON.stringify(more)} tells ${JSON.stringify(state)}`, { skip }, async () => {
    const page = await openFrame();
    page.say(name, more);
    assert.deepEqual(page.took(), events);
    for (const [key, value] of Object.entries(state)) assert.equal(page.film[key], value, key);
  });

test("a pause and an end stop a film that played, and the same length is told once", { skip }, async () => {
  for (const name of ["pause", "ended"]) {
    const page = await openFrame();
    page.say("play", { duration: 60 });
    page.took();
    page.say(name, { duration: 60 });
    assert.deepEqual([page.film.paused, page.took()], [true, ["state"]]);
  }
});

test(
  "what is asked before the film is known waits: the last place, and the sound where it is not full",
  { skip },
  async () => {
    const page = await openFrame();
    page.film.seek(5);
    page.film.seek(7);
    page.film.volume = 40;
    assert.deepEqual([page.told(), page.film.time, page.took()], [[], 7, ["time", "time"]]);
    page.say("canplay");
    page.say("canplay");
    assert.deepEqual(page.told(), [
      ["volume", 0.4],
      ["currentTime", 7],
    ]);
    const silent = await openFrame();
    silent.film.muted = true;
    silent.say("timeupdate", { currentTime: 0 });
    assert.deepEqual(silent.told(), [["volume", 0]]);
    const loud = await openFrame();
    loud.say("ready", { duration: 60 });
    assert.deepEqual(loud.told(), []);
  },
);

test("a film that is known is told at once", { skip }, async () => {
  const page = await openFrame();
  page.say("ready", { duration: 60 });
  page.took();
  page.film.play();
  page.film.pause();
  for (const seconds of [30, 70, -3]) page.film.seek(seconds);
  page.film.volume = 50;
  page.film.muted = true;
  page.film.muted = false;
  assert.deepEqual(page.told(), [
    ["play", undefined],
    ["pause", undefined],
    ["currentTime", 30],
    ["currentTime", 60],
    ["currentTime", 0],
    ["volume", 0.5],
    ["volume", 0],
    ["volume", 0.5],
  ]);
  assert.deepEqual([page.film.muted, page.took()], [false, ["time", "time", "time", "sound", "sound"]]);
});

test("a frame that is loaded and says nothing for six seconds is mute, until it speaks", { skip }, async () => {
  const page = await openFrame();
  page.waits(15000);
  page.fire(page.frame, "load");
  page.waits(5999);
  assert.deepEqual(page.took(), []);
  page.waits(1);
  assert.deepEqual(page.took(), ["mute"]);
  page.say("timeupdate", { currentTime: 5 });
  page.say("timeupdate", { currentTime: 6 });
  assert.deepEqual(page.took(), ["heard", "time", "time"]);
  page.waits(60000);
  assert.deepEqual(page.took(), []);
});

test("a frame that never loads is mute after twenty seconds", { skip }, async () => {
  const page = await openFrame();
  page.waits(19999);
  assert.deepEqual(page.took(), []);
  page.waits(1);
  assert.deepEqual(page.took(), ["mute"]);
});

test("one word is enough, and a frame that loads again later is not asked anew", { skip }, async () => {
  const page = await openFrame();
  page.say("ready");
  page.fire(page.frame, "load");
  page.waits(60000);
  assert.deepEqual(page.took(), ["state"]);
});

for (const [what, name, isMute] of [
  ["never says where", "volumechange", true],
  ["says where", "timeupdate", false],
  ["is paused", "pause", false],
  ["is over", "ended", false],
])
  test(`a film that plays and ${what} is ${isMute ? "mute: no clock" : "a clock"}`, { skip }, async () => {
    const page = await openFrame();
    page.say("ready");
    page.say("play");
    page.waits(5000);
    page.say(name, { currentTime: 5 });
    page.took();
    page.waits(999);
    assert.deepEqual(page.took(), []);
    page.waits(1);
    assert.deepEqual(page.took(), isMute ? ["mute"] : []);
  });

test("a mute frame is loaded anew at a second, with the rest of its address", { skip }, async () => {
  const { film, frame } = await openFrame();
  film.reload(42.9);
  film.reload(12.5);
  assert.equal(frame.src, `${ORIGIN}/embed/1?lang=en&startTime=12`);
});

test("what the platform's player cannot do is nothing", { skip }, async () => {
  const { film } = await openFrame();
  for (const act of ["step", "captions"]) film[act](1);
  assert.deepEqual([film.kind, film.speed, film.buffered(), film.languages()], ["embedded", 1, [], []]);
});
