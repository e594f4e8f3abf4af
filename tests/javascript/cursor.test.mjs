import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const rowsOf = (count, places = []) =>
  Array.from(
    { length: count },
    (_, day) =>
      `<tr ${day in places ? `data-at="${places[day]}"` : ""}><td> Day ${day} </td><td></td><td>${day * 10}</td></tr>`,
  );
const pageOf = (count, places) => `
  <figure data-cursor="table" tabindex="0"><div class="chart__plot"><i></i></div><output></output><b data-cursor-line hidden></b></figure>
  <table id="table"><tbody>${rowsOf(count, places).join("")}</tbody></table><button></button>`;

async function openChart(count = 11, places) {
  const page = openDashboard(pageOf(count, places));
  page.one(".chart__plot").getBoundingClientRect = () => ({ left: 100, width: 200 });
  await load("cursor.js");
  const line = page.one("[data-cursor-line]");
  return Object.assign(page, {
    chart: page.one("figure"),
    said: () => page.one("output").textContent,
    line: () => (line.hidden ? null : line.style.getPropertyValue("inset-inline-start")),
    point: (x, target = "i") => page.fire(target, "pointermove", { kind: "MouseEvent", clientX: x }),
  });
}

for (const [keys, day] of [
  ["ArrowRight", 0],
  ["ArrowLeft", 10],
  ["End", 10],
  ["Home", 0],
  ["PageDown", 6],
  ["PageUp", 4],
  ["Home ArrowRight ArrowRight", 2],
  ["Home ArrowLeft", 0],
  ["End ArrowLeft", 9],
  ["End ArrowRight", 10],
  ["Home PageDown", 7],
  ["Home PageDown PageDown", 10],
  ["End PageUp", 3],
])
  test(`${keys} speaks day ${day}`, { skip }, async () => {
    const page = await openChart();
    for (const key of keys.split(" ")) assert.ok(page.press("figure", key));
    assert.deepEqual([page.said(), page.line()], [`Day ${day}, ${day * 10}`, `${day * 10}%`]);
  });

for (const [what, target, key, more] of [
  ["another key", "figure", "a", {}],
  ["a key with Ctrl", "figure", "End", { ctrlKey: true }],
  ["a key with Cmd", "figure", "End", { metaKey: true }],
  ["a key with Alt", "figure", "ArrowLeft", { altKey: true }],
  ["a key elsewhere", "button", "End", {}],
])
  test(`${what} is left alone`, { skip }, async () => {
    const page = await openChart();
    assert.deepEqual([page.press(target, key, more), page.said(), page.line()], [false, "", null]);
  });

test("the pointer speaks the nearest point, at its own place where it has one", { skip }, async () => {
  const page = await openChart();
  for (const [x, day] of [
    [100, 0],
    [189, 4],
    [191, 5],
    [500, 10],
  ]) {
    page.point(x);
    assert.equal(page.said(), `Day ${day}, ${day * 10}`);
  }
  page.press("figure", "ArrowLeft");
  assert.equal(page.said(), "Day 9, 90", "keys go on from there");
  const placed = await openChart(3, [0.1, 0.2, 0.9]);
  placed.point(150);
  assert.deepEqual([placed.said(), placed.line()], ["Day 1, 10", "20%"]);
  page.point(100, "output");
  assert.equal(page.said(), "Day 9, 90");
});

test("one point stands in the middle, and none says nothing", { skip }, async () => {
  const one = await openChart(1);
  one.point(100);
  assert.deepEqual([one.said(), one.line()], ["Day 0, 0", "50%"]);
  const none = await openChart(0);
  none.point(100);
  assert.ok(none.press("figure", "End"));
  none.one("table").remove();
  none.press("figure", "ArrowRight");
  assert.deepEqual([none.said(), none.line()], ["", null]);
});

for (const type of ["focusout", "pointerout"])
  test(`the line goes at ${type}, and what was spoken stays`, { skip }, async () => {
    const page = await openChart();
    page.press("figure", "End");
    page.fire("i", type, { kind: "MouseEvent", relatedTarget: page.one("output") });
    page.fire("button", type, { kind: "MouseEvent" });
    assert.equal(page.line(), "100%", "within the chart it stays");
    page.fire("i", type, { kind: "MouseEvent", relatedTarget: page.one("button") });
    assert.deepEqual([page.line(), page.said()], [null, "Day 10, 100"]);
  });

test("what is spoken already is not written again", { skip }, async () => {
  const page = await openChart();
  page.press("figure", "End");
  const text = page.one("output").firstChild;
  page.press("figure", "End");
  assert.ok(page.one("output").firstChild === text);
});
