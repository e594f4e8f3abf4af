import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const LINES = [1, 3, 3, 8];
const PAGE = `<div data-cues><video data-film></video><ol>${LINES.map((second, at) => `<li><button id="line-${at}" data-at-second="${second}"><b></b></button></li>`).join("")}</ol><p></p></div>
  <div data-cues><button data-at-second="1"></button></div>`;

async function openReader() {
  const page = openDashboard(PAGE);
  const film = page.one("video");
  let played = 0;
  film.play = () => (played += 1);
  const list = page.one("ol");
  Object.defineProperty(list, "offsetTop", { value: 50 });
  Object.defineProperty(list, "clientHeight", { value: 90 });
  for (const [at, row] of page.all("li").entries()) Object.defineProperty(row, "offsetTop", { value: 50 + 100 * at });
  await load("cues.js");
  return Object.assign(page, {
    list,
    played: () => played,
    at(time) {
      film.currentTime = time;
      page.fire(film, "timeupdate");
      return page
        .all("[aria-current=true]")
        .map((line) => line.id)
        .join();
    },
  });
}

test("the line that is said is marked, and comes into view", { skip }, async () => {
  const page = await openReader();
  for (const [time, line] of [
    [0, ""],
    [0.94, ""],
    [0.95, "line-0"],
    [2.9, "line-0"],
    [3, "line-1"],
    [90, "line-3"],
    [1, "line-0"],
  ])
    assert.equal(page.at(time), line);
  page.at(8);
  assert.equal(page.list.scrollTop, 270);
});

for (const how of ["hover", "focus"])
  test(`the list stays where it is while it is read (${how})`, { skip }, async () => {
    const page = await openReader();
    if (how === "hover") page.list.setAttribute("data-hover", "");
    else page.one("#line-0").focus();
    assert.deepEqual([page.at(8), page.list.scrollTop], ["line-3", 0]);
  });

test("a line leads to its moment", { skip }, async () => {
  const page = await openReader();
  page.click("p");
  assert.equal(page.played(), 0);
  page.click("#line-3 b");
  assert.deepEqual([page.one("video").currentTime, page.played()], [8, 1]);
  page.click("[data-cues]:last-of-type button");
  assert.equal(page.played(), 1, "without a film there is nothing to play");
});
