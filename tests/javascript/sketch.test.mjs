import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openBarePage } from "./page.mjs";

openBarePage();
const { boundsOf, centred, CHARACTERS_MOST, fits, GRID, moved, resized, shapeOf, SHAPES_MOST, Sketch, thin } =
  await load("review_portal/sketch.js");
const { heightOf, pathOf, wordsOf } = await load("review_portal/shapes.js");

const arrow = { kind: "arrow", colour: "yellow", points: [5000, 5000, 5000, 8000] };
const SHAPES = [
  { kind: "rect", colour: "yellow", points: [2200, 4700, 7600, 6300] },
  arrow,
  { kind: "ellipse", colour: "white", points: [6000, 1000, 8000, 4000] },
  { kind: "pen", colour: "red", points: [5500, 4900, 6300, 5300, 8000, 5700] },
  { kind: "number", colour: "blue", points: [2200, 4700] },
];

test("a stroke from here to there becomes the shape of its tool, and one that is too small none", () => {
  const trace = [1000, 2000, 3000, 2500, 6000, 4000];
  assert.deepEqual(shapeOf("arrow", "red", trace).points, [1000, 2000, 6000, 4000]);
  assert.deepEqual(shapeOf("rect", "red", trace).points, [1000, 2000, 6000, 4000]);
  assert.deepEqual(shapeOf("number", "red", trace).points, [6000, 4000]);
  for (const kind of ["pen", "arrow", "rect", "ellipse"]) {
    assert.equal(shapeOf(kind, "red", [1000, 1000, 1030, 1040]), null);
    assert.notEqual(shapeOf(kind, "red", [1000, 1000, 1060, 1000]), null);
  }
  assert.deepEqual(shapeOf("number", "red", [1000, 1000]).points, [1000, 1000]);
});

test("a pen line keeps its corners, loses what lies between them, and never has more points than can be sent", () => {
  const straight = Array.from({ length: 101 }, (_, n) => [n * 10, n * 20]).flat();
  assert.deepEqual(thin(straight), [0, 0, 1000, 2000]);
  assert.deepEqual(thin([0, 0, 5, 0, 1000, 0, 1000, 5, 1000, 1000]), [0, 0, 1000, 0, 1000, 1000]);
  const wild = Array.from({ length: 5000 }, (_, n) => (n % 2 ? (n * 7919) % GRID : (n * 104_729) % GRID));
  assert.ok(thin(wild).length <= 800);
  assert.deepEqual(thin([0, 0, 4000, 0, 0, 0]), [0, 0, 4000, 0, 0, 0], "there and back");
});

test("shapes move within the picture and keep their size at its edge", () => {
  assert.deepEqual(moved(arrow, 100, -100).points, [5100, 4900, 5100, 7900]);
  assert.deepEqual(moved(arrow, -9000, 9000).points, [0, 7000, 0, 10000]);
  for (const shape of SHAPES) {
    const { left, right, top, bottom } = boundsOf(moved(shape, 99_999, -99_999).points);
    assert.equal(right, GRID);
    assert.equal(top, 0);
    const before = boundsOf(shape.points);
    assert.deepEqual([right - left, bottom - top], [before.right - before.left, before.bottom - before.top]);
  }
});

test("shapes are resized at their end, pen lines as a whole, numbers not at all", () => {
  assert.deepEqual(resized(arrow, 100, 0).points, [5000, 5000, 5100, 8000]);
  assert.deepEqual(resized(arrow, 0, 9000).points, [5000, 5000, 5000, 10000]);
  assert.deepEqual(resized({ ...arrow, points: [0, 0, 0, 100] }, 0, -100).points, [0, 0, 0, 100], "never to nothing");
  assert.deepEqual(
    resized(SHAPES[3], 2500, 0).points,
    [5500, 4900, 7100, 5300, 10000, 5700].with(2, 6940).with(4, 10000),
  );
  assert.deepEqual(resized(SHAPES[4], 100, 100), SHAPES[4]);
});

test("undo and redo walk through what was done, and a new step forgets what was undone", () => {
  const sketch = new Sketch();
  assert.ok(!sketch.undoes && !sketch.redoes);
  sketch.add(SHAPES[0]);
  sketch.add(SHAPES[1]);
  assert.deepEqual([sketch.shapes.length, sketch.chosen], [2, 1]);
  sketch.undo();
  assert.deepEqual(sketch.shapes, [SHAPES[0]]);
  sketch.redo();
  assert.deepEqual(sketch.shapes, SHAPES.slice(0, 2));
  sketch.undo();
  sketch.add(SHAPES[2]);
  assert.ok(!sketch.redoes);
  sketch.undo();
  sketch.undo();
  sketch.undo();
  assert.deepEqual(sketch.shapes, []);
});

test("an arrow key that is held down is one step back, another shape or way another one", () => {
  const sketch = new Sketch([arrow]);
  sketch.choose(0);
  for (let press = 0; press < 5; press++) sketch.alter(moved, 100, 0);
  sketch.alter(resized, 0, 100);
  assert.deepEqual(sketch.shapes[0].points, [5500, 5000, 5500, 8100]);
  sketch.undo();
  assert.deepEqual(sketch.shapes[0].points, [5500, 5000, 5500, 8000]);
  sketch.undo();
  assert.deepEqual(sketch.shapes, [arrow]);
  assert.ok(!sketch.undoes);
});

test("shapes are chosen in turn, and past the last one nothing is", () => {
  const sketch = new Sketch(SHAPES);
  for (let place = 0; place < SHAPES.length; place++) assert.ok(sketch.choose(sketch.chosen + 1));
  assert.ok(!sketch.choose(sketch.chosen + 1));
  assert.equal(sketch.chosen, -1);
  sketch.remove();
  assert.equal(sketch.shapes.length, 5, "nothing was chosen");
});

test("a chosen shape is deleted, the next one is chosen, and undo brings it back", () => {
  const sketch = new Sketch(SHAPES);
  sketch.choose(4);
  sketch.remove();
  assert.deepEqual([sketch.shapes.length, sketch.chosen], [4, 3]);
  sketch.undo();
  assert.deepEqual(sketch.shapes, SHAPES);
});

test("a full drawing takes no more", () => {
  const sketch = new Sketch(Array(SHAPES_MOST).fill(arrow));
  sketch.add(arrow);
  assert.ok(sketch.full && sketch.shapes.length === SHAPES_MOST && !sketch.undoes);
});

test("every tool places a shape in the centre by a key", () => {
  for (const kind of ["pen", "arrow", "rect", "ellipse", "number"]) {
    const { points } = centred(kind, "red");
    assert.ok(points.every((value) => value > 0 && value < GRID));
  }
});

test("drawing fits as long as the server takes it", () => {
  const pen = { kind: "pen", colour: "green", points: Array(800).fill(10_000) };
  const rest = { kind: "number", colour: "red", points: [1, 1] };
  const shapes = [];
  while (fits([1920, 1080], [...shapes, pen])) shapes.push(pen);
  const length = JSON.stringify({ size: [1920, 1080], shapes: [...shapes, pen] }).length;
  assert.ok(shapes.length === 12 && length > CHARACTERS_MOST);
  assert.ok(fits([1920, 1080], [...shapes, rest]), "a small shape still does");
});

// The same figures as in tests/review_portal/test_drawings.py.
test("shapes are drawn as the server draws them", () => {
  assert.deepEqual([heightOf([1920, 1080]), heightOf([1080, 1920]), heightOf([20_000, 1])], [900, 2844, 1]);
  assert.equal(pathOf(SHAPES[0], 2844), "M352 1337H1216V1792H352Z");
  assert.equal(pathOf(arrow, 900), "M800 450L800 720M844 676L800 720L756 676");
  assert.equal(pathOf(SHAPES[2], 900), "M960 225a160 135 0 1 0 320 0a160 135 0 1 0 -320 0Z");
  assert.equal(pathOf(SHAPES[3], 900), "M880 441L1008 477L1280 513");
});

test("shapes are said as the server says them", () => {
  const phrases = {
    pen: "Pen {place} {colour}",
    arrow: "Arrow {start} {direction}",
    rect: "Box {place} {width}% {height}%",
    ellipse: "Round {place} {width}% {height}%",
    number: "Number {n} {place}",
    places: ["ul", "u", "ur", "l", "c", "r", "dl", "d", "dr"],
    starts: ["ul", "u", "ur", "l", "c", "r", "dl", "d", "dr"],
    directions: ["right", "down right", "down", "down left", "left", "up left", "up", "up right"],
    colours: { red: "rot" },
  };
  const said = ["Box c 54% 16%", "Arrow c down", "Round ur 20% 30%", "Pen r rot", "Number 1 l"];
  assert.deepEqual(wordsOf(SHAPES, [1920, 1080], phrases), said);
  const turned = (x, y) => wordsOf([{ ...arrow, points: [5000, 5000, x, y] }], [1920, 1080], phrases)[0].slice(8);
  assert.equal(turned(6000, 6800), "down right", "as people see it, not as the grid counts");
  assert.deepEqual([turned(9000, 5000), turned(1000, 5000), turned(5000, 1000)], ["right", "left", "up"]);
});
