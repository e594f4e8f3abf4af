import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const menuOf = (id) =>
  `<details class="menu" id="${id}"><summary></summary><div class="menu__list"><button></button></div></details>`;

async function openMenus(left = 100) {
  const page = openDashboard(
    `${menuOf("one")}${menuOf("two")}<details id="other" open><p></p></details><p id="text"></p>`,
  );
  for (const list of page.all(".menu__list")) list.getBoundingClientRect = () => ({ left });
  await load("menu.js");
  for (const id of ["one", "two"]) page.one(`#${id}`).open = true;
  return Object.assign(page, { shown: () => page.all("details[open]").map((menu) => menu.id) });
}

test("Escape closes the menu in use, and gives the focus back", { skip }, async () => {
  const page = await openMenus();
  page.one("#one button").focus();
  page.press("#one button", "a");
  page.press("#other p", "Escape");
  assert.deepEqual(page.shown(), ["one", "two", "other"]);
  page.press("#one button", "Escape");
  assert.deepEqual([page.shown(), page.hasFocus("#one summary")], [["two", "other"], true]);
});

test("a click closes every menu that it is not in", { skip }, async () => {
  const page = await openMenus();
  page.click("#one button");
  assert.deepEqual(page.shown(), ["one", "other"]);
  page.click("#text");
  assert.deepEqual(page.shown(), ["other"]);
});

for (const [left, shift] of [
  [100, "0px"],
  [8, "0px"],
  [3, "5px"],
  [-40, "48px"],
])
  test(`a list that would begin at ${left} is moved by ${shift}`, { skip }, async () => {
    const page = await openMenus(left);
    page.fire("#other", "toggle", { bubbles: false });
    page.fire("#one", "toggle", { bubbles: false });
    assert.equal(page.one("#one .menu__list").style.translate, shift);
    page.one("#two").open = false;
    page.fire("#two", "toggle", { bubbles: false });
    assert.ok(!page.one("#two .menu__list").style.translate);
  });
