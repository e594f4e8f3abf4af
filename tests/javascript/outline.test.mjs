import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeHtmx, load, openDashboard, skip } from "./dashboard.mjs";

const NODES = ["", "0", "0.0", "1", "10"];
const BUTTONS = ["add_below", "add_inside", "outdent", "indent", "up", "down", "delete"];
const nameOf = (path) => `n${path.replace(".", "-")}`;
const nodeOf = (path) => `
  <li data-node="${path}" id="row-${nameOf(path)}">
    ${["", "0"].includes(path) ? `<input type="checkbox" name="closed" value="${path}" data-fold>` : ""}
    <input type="radio" name="node" value="${path}" ${path === "1" ? "checked" : ""}>
    <input id="${nameOf(path)}" name="label:${path}" value="Topic ${path}" data-label>
    <input id="time-${nameOf(path)}" data-time><a data-seek="12.5" href="/video/"><b></b>${path === "0" ? "<i data-wrong></i>" : ""}</a>
  </li>`;
const FORM = `<form id="map" data-keep="mindmap" data-outline method="post">
  ${BUTTONS.map((name) => `<button name="do" value="${name}"></button>`).join("")}
  <ul>${NODES.map(nodeOf).join("")}</ul></form>`;

async function openOutline({ more = "", change } = {}) {
  const page = openDashboard(`${FORM}<input id="elsewhere">${more}`);
  fakeHtmx(page);
  change?.(page);
  await load("ai_content/outline.js");
  return Object.assign(page, {
    tabStops: () =>
      page
        .all("[data-label]")
        .filter((label) => label.tabIndex === 0)
        .map((label) => label.id),
    chosen: () => page.one("[name=node]:checked").value,
    done: () => page.submitted.splice(0).map(([, button]) => button?.value),
    shown: () =>
      page
        .all("[data-node]")
        .filter((row) => !row.hidden)
        .map((row) => row.dataset.node),
    fold(path, isClosed = true) {
      const box = page.one(`#row-${nameOf(path)} [data-fold]`);
      box.checked = isClosed;
      page.fire(box, "change");
    },
  });
}

test("the chosen topic is the one stop of Tab, with its time and moment", { skip }, async () => {
  const page = await openOutline();
  const near = () =>
    page
      .all("[data-time], [data-seek]")
      .filter((own) => own.tabIndex === 0)
      .map((own) => own.closest("li").id);
  assert.deepEqual([page.tabStops(), near(), page.chosen()], [["n1"], ["row-n1", "row-n1"], "1"]);
  assert.ok(page.all("[name=node], [name=closed]").every((extra) => extra.tabIndex === -1));
  page.one("#n0").focus();
  assert.deepEqual([page.tabStops(), near(), page.chosen()], [["n0"], ["row-n0", "row-n0"], "0"]);
  page.one("#elsewhere").focus();
  assert.deepEqual([page.tabStops(), page.chosen()], [["n0"], "0"]);
  assert.deepEqual(
    page.all("[aria-invalid=true]").map((time) => time.id),
    ["time-n0"],
  );
});

test("where none is chosen the first topic is, also in what the server brings", { skip }, async () => {
  const page = await openOutline({ change: ({ one }) => (one("[name=node]:checked").checked = false) });
  assert.deepEqual([page.tabStops(), page.chosen()], [["n"], ""]);
  page.one("#map").outerHTML = FORM;
  page.fire("#map", "htmx:afterSettle", { detail: {} });
  assert.deepEqual(page.tabStops(), ["n1"]);
  page.one("#map").remove();
  page.fire(page.document, "htmx:afterSettle", { detail: {} });
});

for (const [key, more, expected] of [
  ["ArrowLeft", { altKey: true }, "outdent"],
  ["ArrowRight", { altKey: true }, "indent"],
  ["ArrowUp", { altKey: true }, "up"],
  ["ArrowDown", { altKey: true }, "down"],
  ["Enter", {}, "add_below"],
  ["Enter", { ctrlKey: true }, "add_inside"],
  ["Enter", { metaKey: true }, "add_inside"],
  ["Backspace", { ctrlKey: true }, "delete"],
  ["Backspace", { metaKey: true }, "delete"],
  ["Backspace", {}, null],
  ["ArrowLeft", {}, null],
  ["a", { altKey: true }, null],
  ["Enter", { isComposing: true }, null],
  ["ArrowUp", { altKey: true, isComposing: true }, null],
])
  test(`${[...Object.keys(more), key].join(" ")} in a topic: ${expected ?? "nothing"}`, { skip }, async () => {
    const page = await openOutline();
    page.one("#time-n0").focus();
    assert.equal(page.press("#n0", key, more), expected !== null);
    assert.deepEqual(page.done(), expected ? [expected] : []);
    if (expected) assert.equal(page.chosen(), "0", "it is done to this topic");
    assert.equal(page.press("#n0", "x"), expected !== null, "what is typed meanwhile waits for the new topic");
    for (const place of ["#elsewhere", "#time-n0"]) {
      page.press(place, key, more);
      assert.deepEqual(page.done(), [], place);
    }
  });

test("Backspace in an empty topic takes it away, but never the first one", { skip }, async () => {
  const page = await openOutline();
  page.one("#n0").value = "";
  page.one("#n").value = "";
  assert.deepEqual([page.press("#n", "Backspace"), page.done()], [false, []]);
  assert.deepEqual([page.press("#n0", "Backspace"), page.done()], [true, ["delete"]]);
});

test("arrows go from topic to topic, past those that are folded", { skip }, async () => {
  const page = await openOutline();
  page.one("#n").focus();
  const walk = (key, more) => [page.press(page.document.activeElement, key, more), page.document.activeElement.id];
  assert.deepEqual(walk("ArrowUp"), [true, "n"]);
  assert.deepEqual(walk("ArrowDown"), [true, "n0"]);
  assert.deepEqual(walk("ArrowDown"), [true, "n0-0"]);
  page.fold("0");
  page.one("#n0").focus();
  assert.deepEqual(walk("ArrowDown"), [true, "n1"]);
  assert.deepEqual(walk("ArrowUp"), [true, "n0"]);
  for (const more of [{ shiftKey: true }, { ctrlKey: true }, { metaKey: true }])
    assert.deepEqual(walk("ArrowDown", more), [false, "n0"]);
});

test("a folded topic hides what is inside it alone", { skip }, async () => {
  const page = await openOutline();
  page.fold("0");
  assert.deepEqual(page.shown(), ["", "0", "1", "10"]);
  page.fold("");
  assert.deepEqual(page.shown(), [""]);
  page.fold("", false);
  page.one("#row-n1 input[name=node]").checked = true;
  page.fire("#row-n1 input[name=node]", "change");
  assert.deepEqual(page.shown(), ["", "0", "1", "10"]);
  page.fold("0", false);
  assert.deepEqual(page.shown(), NODES);
  const closed = await openOutline({ change: ({ one }) => (one("#row-n [data-fold]").checked = true) });
  assert.deepEqual(closed.shown(), [""], "as it was when the page came");
});

for (const [key, more, isFolded] of [
  [".", { ctrlKey: true }, true],
  [".", { metaKey: true }, true],
  ["ю", { ctrlKey: true, code: "Period" }, true],
  [".", {}, false],
  [",", { ctrlKey: true }, false],
])
  test(`${[...Object.keys(more), key].join(" ")} ${isFolded ? "folds" : "is typed"}`, { skip }, async () => {
    const page = await openOutline();
    assert.equal(page.press("#n0", key, more), isFolded);
    assert.equal(page.one("#row-n0 [data-fold]").checked, isFolded);
    if (isFolded) assert.ok(page.press("#n1", key, more), "and does no harm where nothing is inside");
  });

test("folding and choosing are no changes of the outline, words are", { skip }, async () => {
  const page = await openOutline();
  const heard = [];
  page.document.body.addEventListener("input", ({ target }) => heard.push(target.id || target.name));
  for (const target of ["#row-n0 [data-fold]", "#row-n0 [name=node]", "#n0", "#elsewhere"]) page.fire(target, "input");
  assert.deepEqual(heard, ["n0", "elsewhere"]);
});

async function openFilm() {
  const page = await openOutline({ more: "<video data-film></video>" });
  page.played = 0;
  page.one("video").play = () => (page.played += 1);
  return page;
}

test("a moment plays in the film of this page, and leads to another without one", { skip }, async () => {
  const page = await openFilm();
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }]) page.click("#row-n0 a b", more);
  page.click("#elsewhere");
  assert.deepEqual([page.followed.length, page.played], [3, 0]);
  page.click("#row-n0 a b");
  assert.deepEqual([page.followed.length, page.played, page.one("video").currentTime], [3, 1, 12.5]);
  const without = await openOutline();
  without.click("#row-n0 a b");
  assert.deepEqual(without.followed, ["/video/"]);
});

test("a topic plays from the diagram, too, where the film is on this page", { skip }, async () => {
  const drawing = `<svg class="drawing"><g data-seek="40"><text></text></g><g id="silent"></g></svg>`;
  const page = await openOutline({ more: `<video data-film></video>${drawing}` });
  page.one("video").play = () => {};
  page.click("#silent");
  assert.equal(page.one("video").currentTime, 0);
  page.click(".drawing text");
  assert.equal(page.one("video").currentTime, 40);
  const without = await openOutline({ more: drawing });
  assert.equal(without.click(".drawing text"), false);
});

test("the moment of the film becomes the time of the topic in hand, by a button and by a key", { skip }, async () => {
  const take = `<button type="button" data-take-time hidden></button>`;
  const change = ({ one }) => one("#map").insertAdjacentHTML("beforeend", take);
  const page = await openOutline({ change, more: "<video data-film></video>" });
  const heard = [];
  page.document.body.addEventListener("input", ({ target }) => heard.push([target.id, target.value]));
  page.one("video").currentTime = 3768.0754;
  assert.equal(page.one("[data-take-time]").hidden, false);
  page.click("[data-take-time]");
  page.one("#n0").focus();
  page.press("#n0", "t", { altKey: true });
  page.press("#time-n0", "е", { altKey: true, code: "KeyT" });
  page.one("#time-n1").focus();
  page.click("[data-take-time]");
  assert.deepEqual(heard, [
    ["time-n1", "01:02:48.075"],
    ["time-n0", "01:02:48.075"],
    ["time-n0", "01:02:48.075"],
    ["time-n1", "01:02:48.075"],
  ]);
  const without = await openOutline({ change });
  assert.equal(without.one("[data-take-time]").hidden, true);
  assert.equal(without.press("#n0", "t", { altKey: true }), false);
  assert.equal(without.one("#time-n0").value, "");
});

test("a key plays from the moment of the topic in hand", { skip }, async () => {
  const page = await openFilm();
  page.one("#n0").focus();
  assert.equal(page.press("#n0", "p", { altKey: true }), true);
  assert.deepEqual([page.played, page.one("video").currentTime], [1, 12.5]);
  assert.equal(page.press("#time-n0", "p", { altKey: true }), true);
  assert.equal(page.press("#n0", "p", { altKey: true, ctrlKey: true }), false, "AltGr writes");
  assert.equal(page.played, 2);
});
