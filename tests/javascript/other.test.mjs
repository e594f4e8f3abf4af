import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const radios = ["week", "own"].map(
  (value) => `<input type="radio" id="${value}" name="span" value="${value}" ${value === "week" ? "checked" : ""}>`,
);
const PAGE = `
  <form>${radios.join("")}<select name="kind"><option>all</option><option>one</option></select><input type="checkbox" name="span" id="box">
    <input id="from" name="from" value="2026-01-01" data-chooses="span=own"><input id="which" data-chooses="kind=one" value="x">
    <input id="plain"></form>
  <input id="alone" data-chooses="span=own">`;

async function openForm() {
  const page = openDashboard(PAGE);
  await load("other.js");
  return Object.assign(page, {
    state: () => [
      page.one("[name=span]:checked").value,
      page.one("select").value,
      page.one("#from").value,
      page.one("#which").value,
    ],
    choose(target, value) {
      const choice = page.one(target);
      if (value) choice.value = value;
      else choice.checked = true;
      page.fire(choice, "change");
    },
  });
}

test("typing in a field makes the choice with which it counts", { skip }, async () => {
  const page = await openForm();
  page.type("#plain", "x");
  page.type("#alone", "x");
  page.type("#from", "");
  assert.deepEqual(page.state(), ["week", "all", "", "x"]);
  page.type("#from", "2026-02-02");
  page.type("#which", "film");
  assert.deepEqual(page.state(), ["own", "one", "2026-02-02", "film"]);
  page.type("#which", "films");
  assert.equal(page.one("select").value, "one");
});

test("another choice empties what the page brought, and nothing that was typed", { skip }, async () => {
  const page = await openForm();
  page.choose("#own");
  assert.equal(page.one("#from").value, "2026-01-01", "with its own choice it counts");
  page.choose("#week");
  assert.deepEqual(page.state(), ["week", "all", "", "x"]);
  page.type("#from", "2026-02-02");
  page.choose("#week");
  assert.deepEqual(page.state(), ["week", "all", "2026-02-02", "x"]);
  page.choose("select", "one");
  assert.equal(page.one("#which").value, "x");
  page.choose("select", "all");
  assert.equal(page.one("#which").value, "");
});

test("a box, and a choice outside of a form, empty nothing", { skip }, async () => {
  const page = await openForm();
  page.choose("#box");
  page.fire(page.document, "change");
  page.document.body.append(page.one("#own"));
  page.choose("#own");
  assert.equal(page.one("#from").value, "2026-01-01");
});
