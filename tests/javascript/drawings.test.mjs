import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openRoom, settled, skip, until } from "./room.mjs";

const TOOLS = `<div id="drawing-tools"><template data-bar></template></div>`;
const formOf = (
  drawing = "",
) => `<form><input name="drawing" value='${drawing}'><input name="frame"><input name="time" value="0:00">
  <textarea name="text"></textarea><button type="button" data-draw><b></b></button></form>`;
const DRAWN = JSON.stringify({ size: [16, 9], shapes: [{ kind: "rect", colour: "red", points: [0, 0, 9, 9] }] });
const STILL = `<ol id="threads"><li><article class="thread" data-t="0"><div class="still"><svg id="one"></svg></div></article></li></ol>`;

/** A room whose drawings come when they are wanted; the tools do not come, which is how a test sees that they were asked for. */
async function openDrawings(body, { film, ...options } = {}) {
  const asked = [];
  const errors = [];
  const page = await openRoom(
    `<i data-drawings="/draw.css"></i><div data-player data-length="60"><p data-no-picture></p></div>${body}
     <div id="toasts"></div>`,
    {
      words: { noTools: "No tools" },
      film: { ...film },
      fetch: async (address) => {
        asked.push(address);
        return { ok: false, status: 503, text: async () => TOOLS };
      },
      reportError: (error) => errors.push(error.message),
      ...options,
    },
  );
  page.document.head.innerHTML = '<link rel="stylesheet" href="/draw.css">';
  (await load("review_portal/drawings.js")).start();
  return Object.assign(page, {
    ...{ asked, errors },
    toast: () => page.one(".toast")?.textContent,
    overlaid: () => page.all("[data-player] > svg").length,
  });
}

for (const [what, act] of [
  ["a press on its button", (page) => page.click("[data-draw] b")],
  ["its key", (page) => page.act("draw")],
])
  test(`drawing begins with ${what}, and tools that do not come are told of`, { skip }, async () => {
    const page = await openDrawings(formOf(), { film: { paused: false } });
    await settled();
    assert.deepEqual(page.asked, [], "nothing is loaded before");
    act(page);
    await until(() => page.toast());
    assert.deepEqual([page.asked.length, page.film.paused, page.toast()], [1, true, "No tools"]);
    assert.equal(page.errors.length, 1, "and reported");
  });

test("without a connection tools that do not come are no error", { skip }, async () => {
  const page = await openDrawings(formOf(), { navigator: { onLine: false } });
  page.act("draw");
  await until(() => page.toast());
  assert.deepEqual([page.toast(), page.errors], ["No tools", []]);
});

test("a room without a box has nothing to draw in", { skip }, async () => {
  const page = await openDrawings("<p></p>");
  page.act("draw");
  page.click("p");
  await settled();
  assert.deepEqual([page.asked, page.toast()], [[], undefined]);
});

for (const [what, body, tools, over] of [
  ["in a form", formOf(DRAWN), 1, 1],
  ["of a comment", STILL, 0, 1],
  ["that a form shows still", `${formOf()}<div class="attached"></div>`, 1, 0],
])
  test(`a drawing ${what} is brought when the room opens`, { skip }, async () => {
    const page = await openDrawings(body);
    await until(() => page.asked.length === tools && page.overlaid() === over && (!tools || page.toast()));
    assert.deepEqual([page.asked.length, page.overlaid()], [tools, over]);
  });

for (const sign of ["room:live", "room:drawing"])
  test(`a drawing that comes later is shown at "${sign}"`, { skip }, async () => {
    const page = await openDrawings("<p></p>");
    page.one("p").outerHTML = STILL;
    page.fire(page.document, sign);
    await until(() => page.overlaid());
    assert.equal(page.overlaid(), 1);
  });
