import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const pageOf = (count) => `
  <figure data-atlas tabindex="0"><svg class="world"><g data-land="/land.svg#land"></g>
    ${Array.from({ length: count }, (_, city) => `<g class="world__bubble" id="city-${city}"><title>City ${city}</title><circle></circle></g>`).join("")}
  </svg><output></output></figure><button></button><div id="more"></div>`;

async function openAtlas(count = 15) {
  const watched = [];
  const page = openDashboard(pageOf(count), {
    IntersectionObserver: class {
      constructor(seen, options) {
        watched.seen = seen;
        watched.options = options;
      }
      observe = (map) => watched.push(map);
      unobserve = (map) => watched.splice(watched.indexOf(map), 1);
    },
  });
  globalThis.addEventListener = page.window.addEventListener.bind(page.window);
  await load("atlas.js");
  return Object.assign(page, {
    watched,
    here: () => page.all(".world__bubble--here").map((bubble) => bubble.id),
    said: () => page.one("output").textContent,
    lands: () => page.all("use").map((use) => use.getAttribute("href")),
  });
}

for (const [keys, city] of [
  ["ArrowRight", 0],
  ["ArrowDown ArrowDown", 1],
  ["ArrowRight ArrowLeft", 0],
  ["ArrowUp", 0],
  ["End", 14],
  ["End ArrowRight", 14],
  ["End ArrowUp", 13],
  ["End Home", 0],
  ["PageDown", 9],
  ["Home PageDown", 10],
  ["End PageUp", 4],
  ["End PageUp PageUp", 0],
])
  test(`${keys} speaks city ${city}`, { skip }, async () => {
    const page = await openAtlas();
    for (const key of keys.split(" ")) assert.ok(page.press("figure", key));
    assert.deepEqual([page.here(), page.said()], [[`city-${city}`], `City ${city}`]);
  });

for (const [what, target, key, more] of [
  ["another key", "figure", "a", {}],
  ["a key with Ctrl", "figure", "End", { ctrlKey: true }],
  ["a key with Cmd", "figure", "End", { metaKey: true }],
  ["a key with Alt", "figure", "ArrowLeft", { altKey: true }],
  ["a key elsewhere", "button", "End", {}],
])
  test(`${what} is left alone`, { skip }, async () => {
    const page = await openAtlas();
    assert.deepEqual([page.press(target, key, more), page.here()], [false, []]);
  });

test("a map without cities takes no keys", { skip }, async () => {
  assert.equal((await openAtlas(0)).press("figure", "End"), false);
});

for (const type of ["pointerover", "click"])
  test(`${type} names the city that it is on`, { skip }, async () => {
    const page = await openAtlas();
    page.fire("#city-3 circle", type);
    page.fire("button", type);
    assert.deepEqual([page.here(), page.said()], [["city-3"], "City 3"]);
    const text = page.one("output").firstChild;
    page.fire("#city-3 circle", type);
    assert.ok(page.one("output").firstChild === text, "what is spoken already is not written again");
  });

test("the land comes when its map is near, once, and before the page is printed", { skip }, async () => {
  const page = await openAtlas();
  const [map] = page.watched;
  assert.deepEqual([page.watched.length, page.watched.options.rootMargin], [1, "300px"]);
  page.watched.seen([{ isIntersecting: false, target: map }]);
  assert.deepEqual(page.lands(), []);
  page.watched.seen([{ isIntersecting: true, target: map }]);
  page.watched.seen([{ isIntersecting: true, target: map }]);
  assert.deepEqual([page.lands(), page.watched.length], [["/land.svg#land"], 0]);
  page.one("#more").innerHTML = '<svg class="world"><g data-land="/other.svg"></g></svg>';
  page.fire("#more", "htmx:load", { detail: { elt: page.one("#more") } });
  assert.equal(page.watched.length, 1);
  page.fire(page.window, "beforeprint");
  assert.deepEqual(page.lands(), ["/land.svg#land", "/other.svg"]);
});
