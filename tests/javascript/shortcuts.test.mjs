import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `
  <p id="text"></p><input id="field"><input id="tick" type="checkbox">
  <div data-cursor><p></p></div><div data-atlas><p></p></div><div class="table-scroll"><p></p></div>
  <input type="checkbox" data-single-keys id="one"><input type="checkbox" data-single-keys id="two">
  <a data-key="n" href="/new/"></a><a data-key="/" href="/find/"></a><a data-key="shift+n" href="/many/"></a>
  <dialog data-all-keys><p></p></dialog><dialog data-palette></dialog><dialog id="other"></dialog>
  <button data-keys><b></b></button>`;

async function openKeys({ kept, ...given } = {}) {
  const page = openDashboard(PAGE, given);
  if (kept) page.window.localStorage.setItem("single-keys", kept);
  await load("shortcuts.js");
  page.sheet = page.one("[data-all-keys]");
  page.isOn = () => page.all("[data-single-keys]").map((box) => box.checked);
  return page;
}

test("a single key follows its link, by letter, sign or Shift", { skip }, async () => {
  const page = await openKeys();
  for (const [key, more] of [["n"], ["/"], ["N", { shiftKey: true }]]) assert.ok(page.press("#text", key, more));
  assert.equal(page.press("#text", "m"), false);
  assert.deepEqual(page.followed, ["/new/", "/find/", "/many/"]);
});

for (const target of ["#field", "#tick", "dialog p", "[data-cursor] p", "[data-atlas] p", ".table-scroll p"])
  test(`no single key acts in ${target}`, { skip }, async () => {
    const page = await openKeys();
    assert.deepEqual([page.press(target, "n"), page.followed], [false, []]);
  });

test("no single key acts with a modifier or while a word is composed", { skip }, async () => {
  const page = await openKeys();
  for (const name of ["ctrlKey", "altKey", "metaKey", "isComposing"])
    assert.equal(page.press("#text", "n", { [name]: true }), false, name);
});

test("the switch turns single keys off, everywhere on the page and on the next one", { skip }, async () => {
  const page = await openKeys();
  assert.deepEqual(page.isOn(), [true, true]);
  page.one("#two").click();
  assert.deepEqual([page.isOn(), page.window.localStorage.getItem("single-keys")], [[false, false], "off"]);
  assert.equal(page.press("#text", "n"), false);
  page.one("#one").click();
  assert.deepEqual([page.isOn(), page.window.localStorage.getItem("single-keys")], [[true, true], "on"]);
  assert.deepEqual((await openKeys({ kept: "off" })).isOn(), [false, false]);
  assert.deepEqual((await openKeys({ kept: "on" })).isOn(), [true, true]);
});

test("without storage the switch holds for this page", { skip }, async () => {
  const page = await openKeys({ localStorage: {} });
  assert.deepEqual(page.isOn(), [true, true]);
  page.one("#one").click();
  assert.deepEqual(page.isOn(), [false, false]);
});

test("a question mark shows every key, also where single keys are off", { skip }, async () => {
  const page = await openKeys({ kept: "off" });
  page.one("[data-palette]").showModal();
  assert.ok(page.press("#text", "?", { shiftKey: true }));
  assert.deepEqual([page.sheet.open, page.one("[data-palette]").open], [true, false]);
});

for (const [target, key, more] of [
  ["#field", "?", {}],
  ["#other", "?", {}],
  ["#text", "?", { ctrlKey: true }],
  ["#text", "!", {}],
])
  test(`${JSON.stringify(more)} ${key} in ${target} shows no keys`, { skip }, async () => {
    const page = await openKeys();
    assert.deepEqual([page.press(target, key, more), page.sheet.open], [false, false]);
  });

test("the button shows the keys, unless another dialog is open", { skip }, async () => {
  const page = await openKeys();
  page.click("#text");
  assert.equal(page.sheet.open, false);
  page.one("#other").showModal();
  page.click("[data-keys] b");
  assert.equal(page.sheet.open, false);
  page.one("#other").close();
  page.click("[data-keys] b");
  assert.ok(page.sheet.open);
});
