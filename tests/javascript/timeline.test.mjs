import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const PAGE = `<div data-unknown-length><div class="bar-lane"><svg><g data-buffered></g><g data-seen></g><rect data-played></rect></svg>
    <span data-hover hidden></span><input type="range" min="0" max="60" value="0" data-seek></div></div>
  <div data-watched hidden><b data-watched-part></b><progress max="100"></progress>
    <span data-watched-rest hidden><a data-watched-next></a></span></div><button id="away"></button>`;

async function openBar({ body = PAGE, ...options } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  const page = await openRoom(body, { words: { position: "{now} of {length}" }, ...options });
  await load("review_portal/timeline.js");
  const slider = page.one("[data-seek]");
  if (slider) slider.getBoundingClientRect = () => ({ left: 100, width: 600 });
  return Object.assign(page, {
    ...{ slider, hover: page.one("[data-hover]") },
    rects: (name) =>
      page
        .all(`[${name}] rect`)
        .map((rect) => ["class", "x", "width", "height"].map((key) => rect.getAttribute(key)).join(" ")),
    played: () => page.one("[data-played]").getAttribute("width"),
    point: (type, clientX, pointerType = "mouse") =>
      page
        .one(".bar-lane svg")
        .dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { clientX, pointerType })),
    watched: () => [
      page.one("[data-watched]").hidden || page.one("[data-watched-part]").textContent,
      page.one("progress").value,
      !page.one("[data-watched-rest]").hidden && page.one("[data-watched-next]").getAttribute("href"),
    ],
  });
}

test("the bar shows where the film is, and says it", { skip }, async () => {
  const page = await openBar({ film: { time: 15.5 } });
  assert.deepEqual([page.slider.value, page.slider.getAttribute("aria-valuetext")], ["15", "0:15 of 1:00"]);
  page.film.at(30.3);
  assert.deepEqual([page.played(), page.slider.value], ["505", "30"]);
  page.film.at(30.6);
  assert.deepEqual([page.played(), page.slider.value], ["510", "30"]);
  page.film.at(70);
  assert.deepEqual([page.played(), page.slider.getAttribute("aria-valuetext")], ["1000", "1:00 of 1:00"]);
});

test("the bar takes the film to another place", { skip }, async () => {
  const page = await openBar();
  page.slider.value = "42";
  page.fire(page.slider, "input");
  assert.deepEqual(page.film.took(), [42]);
});

test("who holds the bar keeps it, while the film goes elsewhere", { skip }, async () => {
  const page = await openBar();
  page.slider.focus();
  page.film.at(20);
  assert.equal(page.slider.value, "20");
  page.slider.value = "20";
  page.one("#away").focus();
  page.slider.value = "5";
  page.film.at(21);
  assert.equal(page.slider.value, "21");
});

test("what is loaded and what was watched stands on the bar, as far as the film goes", { skip }, async () => {
  const page = await openBar({
    film: {
      ranges: [
        [0, 15],
        [30, 90],
      ],
    },
    kept: {
      watched: [
        [0, 6],
        [12, 15],
      ],
    },
  });
  assert.deepEqual(page.rects("data-buffered"), ["bar-lane__buffered 0 250 8", "bar-lane__buffered 500 500 8"]);
  assert.deepEqual(page.rects("data-seen"), ["bar-lane__seen 0 100 8", "bar-lane__seen 200 50 8"]);
  page.film.ranges = [[70, 80]];
  page.film.dispatchEvent(new Event("buffer"));
  assert.deepEqual(page.rects("data-buffered"), [`bar-lane__buffered ${(70 / 60) * 1000} 0 8`]);
});

for (const [what, watched, expected] of [
  ["nothing", [], [true, 0, false]],
  ["a little", [[0, 6]], ["10%", 10, "?t=6"]],
  ["not quite a part", [[0, 1]], ["1%", 1, "?t=1"]],
  ["the end", [[30, 60]], ["50%", 50, "?t=0"]],
  ["all", [[0, 60]], ["100%", 100, false]],
])
  test(`who watched ${what} is told so, and where to go on`, { skip }, async () => {
    const page = await openBar({ kept: { watched } });
    const [part, value, next] = page.watched();
    assert.deepEqual([part, value], expected.slice(0, 2));
    if (part !== true) assert.equal(next, expected[2]);
  });

for (const [what, x, text, at] of [
  ["in the middle", 400, "0:30", "50%"],
  ["before it", 50, "0:00", "0%"],
  ["after it", 900, "1:00", "100%"],
])
  test(`a pointer ${what} of the bar shows the time there`, { skip }, async () => {
    const page = await openBar();
    page.point("pointermove", x);
    assert.deepEqual(
      [page.hover.hidden, page.hover.textContent, page.hover.style.getPropertyValue("--at")],
      [false, text, at],
    );
    page.fire(".bar-lane", "pointerleave");
    assert.equal(page.hover.hidden, true);
    page.point("pointermove", x, "touch");
    assert.equal(page.hover.hidden, true, "a finger covers it");
  });

test("a film whose length is not known has an empty bar, until it is", { skip }, async () => {
  const page = await openBar({ film: { length: 0, time: 15, ranges: [[0, 5]] } });
  page.point("pointermove", 400);
  page.film.dispatchEvent(new Event("buffer"));
  assert.deepEqual([page.played(), page.hover.hidden, page.rects("data-buffered")], [null, true, []]);
  page.film.length = 90;
  page.film.dispatchEvent(new Event("length"));
  assert.deepEqual([page.slider.max, page.slider.value, page.one("[data-unknown-length]")], ["90", "15", null]);
});

test("a page without the note of what was watched, or without a bar, goes without", { skip }, async () => {
  const page = await openBar({ body: PAGE.replace(/<div data-watched hidden>.*/s, "") });
  page.film.at(5);
  assert.equal(page.slider.value, "5");
  assert.equal((await openBar({ body: "" })).slider, null);
});
