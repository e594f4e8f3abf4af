import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

async function openDrawing(body, head = "") {
  const page = openDashboard(`<ol data-drawings="/drawing.css"></ol><div data-player>${body}</div><video poster="/p">`);
  page.document.head.innerHTML = head;
  const sought = [];
  const room = await load("review_portal/drawing_room.js");
  room.enter({ player: { time: 12.5, seek: (seconds) => sought.push(seconds) } });
  return Object.assign(page, room, { sought, sheets: () => page.all("link[rel=stylesheet][href='/drawing.css']") });
}

test("a drawing takes the poster away from the film it is drawn on, at the same moment", { skip }, async () => {
  const page = await openDrawing('<video poster="/poster.jpg"></video>');
  page.uncover();
  assert.deepEqual([page.one("[data-player] video").hasAttribute("poster"), page.sought], [false, [12.5]]);
  page.uncover();
  assert.deepEqual([page.sought.length, page.all("video[poster]").length], [1, 1], "once, and no other film's");
});

test("a film without a poster, or in a frame, is left at its moment", { skip }, async () => {
  for (const film of ["<video></video>", "<iframe></iframe>"]) {
    const page = await openDrawing(film);
    page.uncover();
    assert.deepEqual(page.sought, []);
  }
});

for (const sign of ["load", "error"])
  test(`drawing waits for its style until there is a ${sign}, and asks for it once`, { skip }, async () => {
    const page = await openDrawing("");
    let dressed = 0;
    for (let turn = 0; turn < 2; turn += 1) page.dress().then(() => (dressed += 1));
    await settled();
    assert.deepEqual([page.sheets().length, dressed], [1, 0]);
    page.fire(page.sheets()[0], sign);
    await settled();
    assert.equal(dressed, 2);
  });

test("a page that has the style already keeps nobody waiting", { skip }, async () => {
  const page = await openDrawing("", '<link rel="stylesheet" href="/drawing.css">');
  let dressed = 0;
  page.dress().then(() => (dressed += 1));
  await settled();
  assert.deepEqual([dressed, page.sheets().length], [1, 1]);
});
