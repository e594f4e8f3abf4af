import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const SHAPE = { kind: "rect", colour: "red", points: [0, 0, 5000, 5000] };
const drawn = (colour = "red") => JSON.stringify({ size: [16, 9], shapes: [{ ...SHAPE, colour }] });
const thread = (id, more) =>
  `<li><article class="thread" ${more}><div class="still"><svg id="${id}"></svg></div></article></li>`;
const formOf = (drawing, frame = "", time = "") =>
  `<form><input name="drawing" value='${drawing}'><input name="frame" value="${frame}"><input name="time" value="${time}"></form>`;

/** A room whose film stands at `time`; `on` are the drawings over it. */
async function openOverlay(body, { film, cookie = "film_rates=12345678:25", stage = "" } = {}) {
  const page = await openRoom(
    `<i data-drawings="/draw.css"></i><div data-player data-length="60"><p data-no-picture></p>${stage}</div>
     <div id="threads">${body}</div>`,
    { film: { time: 10, ...film } },
  );
  page.document.cookie = cookie;
  page.document.head.innerHTML = '<link rel="stylesheet" href="/draw.css">';
  const { parse } = await load("review_portal/clock.js");
  const script = await load("review_portal/overlay.js");
  script.enter({ player: page.player, parse });
  script.show();
  const stageOf = page.one("[data-player]");
  return Object.assign(page, {
    show: script.show,
    stage: stageOf,
    on: () =>
      [...stageOf.querySelectorAll(":scope > svg")].map(
        (svg) => svg.id || svg.querySelector("g").getAttribute("class"),
      ),
  });
}

for (const [what, time, more, expected, film] of [
  ["is on while its frame stands", 10, "data-at='10' data-rate='25'", true],
  ["is on at the edge of its frame", 10.019, "data-at='10' data-rate='25'", true],
  ["is on just before", 9.981, "data-at='10' data-rate='25'", true],
  ["is not on the next frame", 10.021, "data-at='10' data-rate='25'", false],
  ["is not on the frame before", 9.979, "data-at='10' data-rate='25'", false],
  ["goes by its own rate", 10.04, "data-at='10' data-rate='10'", true],
  ["without a rate is on from its beginning", 10.07, "data-t='10'", true],
  ["without a rate is on a little before", 9.98, "data-t='10'", true],
  ["without a rate is over soon", 10.09, "data-t='10'", false],
  ["without a rate comes no earlier", 9.97, "data-t='10'", false],
  ["is on at its frame, not at the beginning of its second", 10.5, "data-t='10' data-at='10.5' data-rate='25'", true],
  ["of a playing film stays for a second", 10.99, "data-at='10' data-rate='25'", true, { paused: false }],
  ["of a playing film is over then", 11, "data-at='10' data-rate='25'", false, { paused: false }],
  ["of a playing film comes with its frame", 9.97, "data-at='10' data-rate='25'", true, { paused: false }],
  ["of a playing film comes no earlier", 9.95, "data-at='10' data-rate='25'", false, { paused: false }],
  ["is not over the platform's player", 10, "data-at='10' data-rate='25'", false, { kind: "embedded" }],
])
  test(`a drawing at 10 ${what}`, { skip }, async () => {
    const page = await openOverlay(thread("one", more), { film: { time, ...film } });
    assert.deepEqual(page.on(), expected ? ["one"] : []);
  });

test("without any rate a film counts as one of 25 frames a second", { skip }, async () => {
  const page = await openOverlay(thread("one", "data-t='10'"), { film: { time: 9.973 }, cookie: "other=1" });
  assert.deepEqual(page.on(), ["one"]);
  page.film.at(9.971);
  assert.deepEqual(page.on(), []);
});

for (const [what, form, expected] of [
  ["is over its frame", formOf(drawn(), "10000000"), ["stroke is-red"]],
  ["is over its time where it has no frame", formOf(drawn(), "", "0:10"), ["stroke is-red"]],
  ["is not over another", formOf(drawn(), "20000000", "0:10"), []],
  ["that is empty is over none", formOf("", "10000000"), []],
  ["has no place without either", `<form><input name="drawing" value='${drawn()}'></form>`, []],
  ["has no place at a time that is none", formOf(drawn(), "", "soon"), []],
  ["of an answer in a thread is that thread's", `<div class="thread">${formOf(drawn(), "10000000")}</div>`, []],
])
  test(`a drawing that waits in the box ${what}`, { skip }, async () => {
    const page = await openOverlay(form);
    assert.deepEqual(page.on(), expected);
  });

test("drawings come and go with the film, and one that stays is the same one", { skip }, async () => {
  const page = await openOverlay(
    thread("one", "data-at='10' data-rate='25'") +
      thread("two", "data-at='10.5' data-rate='25'") +
      formOf(drawn(), "10500000"),
    { film: { paused: false } },
  );
  const [first] = page.stage.querySelectorAll("svg");
  page.film.at(10.5);
  assert.deepEqual(page.on(), ["one", "two", "stroke is-red"]);
  assert.ok(page.stage.querySelector("svg") === first);
  page.film.at(11.2);
  assert.deepEqual(page.on(), ["two", "stroke is-red"]);
  page.one("[name=drawing]").value = drawn("blue");
  page.show();
  assert.deepEqual(page.on(), ["two", "stroke is-blue"]);
  page.film.pause();
  assert.deepEqual(page.on(), []);
  assert.equal(page.all("#threads svg").length, 2, "those of the comments stay there");
});

test("while somebody draws nothing else is over the film", { skip }, async () => {
  const page = await openOverlay(thread("one", "data-at='10' data-rate='25'"), {
    stage: '<b class="drawing--open"></b>',
  });
  assert.deepEqual(page.on(), []);
  page.one(".drawing--open").remove();
  page.player.dispatchEvent(new Event("changed"));
  assert.deepEqual(page.on(), ["one"]);
});

test("the style of drawings comes with the first one", { skip }, async () => {
  const page = await openOverlay("");
  page.document.head.innerHTML = "";
  page.show();
  page.show();
  assert.deepEqual(
    page.all("link").map((link) => link.getAttribute("href")),
    ["/draw.css"],
  );
});

test("the rate that was measured goes for drawings that know none", { skip }, async () => {
  const page = await openOverlay(formOf(drawn(), "10000000"), {
    film: { time: 10.15 },
    cookie: "film_rates=12345678:5",
  });
  assert.deepEqual(page.on(), ["stroke is-red"]);
});

test("a drawing takes the poster away, which is another picture", { skip }, async () => {
  const poster = '<video poster="/p.jpg"></video>';
  const page = await openOverlay(thread("one", "data-at='20' data-rate='25'"));
  page.stage.insertAdjacentHTML("afterbegin", poster);
  page.show();
  assert.ok(page.one("video[poster]"), "not before it is on");
  page.film.took();
  page.film.at(20);
  assert.equal(page.one("video[poster]"), null);
  assert.deepEqual(page.film.took(), [20]);
});
