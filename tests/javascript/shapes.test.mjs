import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const WIDE = [1920, 1080];
const PHRASES = {
  places: ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"],
  starts: ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"],
  directions: ["right", "lower right", "down", "lower left", "left", "upper left", "up", "upper right"],
  colours: { red: "Red", blue: "Blue" },
  arrow: "{colour} arrow from {start} to the {direction}",
  rect: "{colour} box {place}, {width}% by {height}%",
  pen: "{colour} line {place}",
  ellipse: "{colour} circle {place}, {unknown}",
  number: "{colour} {n} {place}",
};
const shape = (kind, ...points) => ({ kind, colour: "red", points });

async function openShapes() {
  openPage("");
  return load("review_portal/shapes.js");
}

test("a picture is drawn 1600 wide, as high as it is", { skip }, async () => {
  const { heightOf } = await openShapes();
  const sizes = [WIDE, [4, 3], [1080, 1920], [1600, 901], [9000, 1]];
  assert.deepEqual(sizes.map(heightOf), [900, 1200, 2844, 901, 1]);
});

for (const [what, drawn, path] of [
  ["a line goes through all its points", shape("pen", 0, 0, 5000, 2500, 10000, 10000), "M0 0L800 225L1600 900"],
  ["a box has its two corners", shape("rect", 1000, 2000, 5000, 6000), "M160 180H800V540H160Z"],
  [
    "a circle touches its box",
    shape("ellipse", 1000, 2000, 5000, 6000),
    "M160 360a320 180 0 1 0 640 0a320 180 0 1 0 -640 0Z",
  ],
  [
    "a circle drawn backwards is the same",
    shape("ellipse", 5000, 6000, 1000, 2000),
    "M160 360a320 180 0 1 0 640 0a320 180 0 1 0 -640 0Z",
  ],
  [
    "an arrow has its head at its end",
    shape("arrow", 1000, 5000, 5000, 5000),
    "M160 450L800 450M756 406L800 450L756 494",
  ],
  ["an arrow down does so too", shape("arrow", 5000, 1000, 5000, 9000), "M800 90L800 810M844 766L800 810L756 766"],
  [
    "the head of a short arrow is no longer than it",
    shape("arrow", 5000, 5000, 5100, 5000),
    "M800 450L816 450M805 439L816 450L805 461",
  ],
])
  test(what, { skip }, async () => {
    const { pathOf } = await openShapes();
    assert.equal(pathOf(drawn, 900), path);
  });

test("a drawing is a picture of its shapes, with their colours, and numbers that count", { skip }, async () => {
  const { svgOf } = await openShapes();
  const number = { kind: "number", colour: "blue", points: [5000, 5000] };
  const drawing = svgOf([number, shape("rect", 0, 0, 5000, 5000), number], WIDE);
  const dot = (n) =>
    `<g class="stroke is-blue"><circle class="stroke__dot" cx="800" cy="450" r="34"></circle>` +
    `<text class="stroke__number" x="800" y="465">${n}</text></g>`;
  const line = (name) => `<path class="stroke__${name}" d="M0 0H800V450H0Z"></path>`;
  assert.equal(
    drawing.outerHTML,
    `<svg class="drawing" viewBox="0 0 1600 900" aria-hidden="true">${dot(1)}` +
      `<g class="stroke is-red">${line("halo")}${line("line")}</g>${dot(2)}</svg>`,
  );
  assert.equal(drawing.namespaceURI, "http://www.w3.org/2000/svg");
});

for (const [what, drawn, [x, y, width, height]] of [
  ["shape", shape("rect", 5000, 6000, 1000, 2000), [144, 164, 672, 392]],
  ["number", shape("number", 5000, 5000), [758, 408, 84, 84]],
])
  test(`the frame around a chosen ${what} leaves room to it`, { skip }, async () => {
    const { chosenOf } = await openShapes();
    const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
    assert.equal(
      chosenOf(drawn, WIDE).innerHTML,
      `<rect class="stroke__outline" ${box}></rect><rect class="stroke__chosen" ${box}></rect>`,
    );
  });

for (const [drawn, words] of [
  [shape("number", 0, 0), "Red 1 p0"],
  [shape("number", 3333, 3333), "Red 1 p0"],
  [shape("number", 3334, 0), "Red 1 p1"],
  [shape("number", 6667, 3334), "Red 1 p5"],
  [shape("number", 10000, 10000), "Red 1 p8"],
  [shape("number", 0, 9999), "Red 1 p6"],
  [shape("rect", 1000, 2000, 4000, 4049), "Red box p0, 30% by 20%"],
  [shape("rect", 9000, 9000, 1000, 8950), "Red box p7, 80% by 1%"],
  [shape("ellipse", 4000, 4000, 6000, 6000), "Red circle p4, undefined"],
  [shape("pen", 0, 0, 10000, 5000, 0, 10000), "Red line p4"],
  [shape("arrow", 5000, 5000, 9000, 5000), "Red arrow from s4 to the right"],
  [shape("arrow", 5000, 5000, 1000, 5000), "Red arrow from s4 to the left"],
  [shape("arrow", 5000, 0, 5000, 9000), "Red arrow from s1 to the down"],
  [shape("arrow", 5000, 9000, 5000, 0), "Red arrow from s7 to the up"],
  [shape("arrow", 1000, 1000, 2000, 2778), "Red arrow from s0 to the lower right"],
  [shape("arrow", 9000, 1000, 8000, 2778), "Red arrow from s2 to the lower left"],
  [shape("arrow", 9000, 9000, 8000, 7222), "Red arrow from s8 to the upper left"],
  [shape("arrow", 1000, 9000, 2000, 7222), "Red arrow from s6 to the upper right"],
  [shape("arrow", 1000, 1000, 4000, 2500), "Red arrow from s0 to the right"],
])
  test(`${drawn.kind} ${drawn.points} is said as "${words}"`, { skip }, async () => {
    const { wordsOf } = await openShapes();
    assert.deepEqual(wordsOf([drawn], WIDE, PHRASES), [words]);
  });

test("numbers are said as they are drawn, and other shapes do not count", { skip }, async () => {
  const { wordsOf } = await openShapes();
  const number = shape("number", 0, 0);
  assert.deepEqual(wordsOf([number, shape("pen", 0, 0, 1, 1), number], WIDE, PHRASES), [
    "Red 1 p0",
    "Red line p0",
    "Red 2 p0",
  ]);
});
