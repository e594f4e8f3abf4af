import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { idOf, liveOf, openReview, threadOf } from "./review.mjs";

const LIVE = liveOf("7.1");
const CHIP =
  '<a data-show="open" href="?show=open"></a><a data-new-chip hidden href="#"><b class="chip__count"></b></a>';
const NOTHING = { status: 204, html: "" };

async function openLive(t, { start = true, ...options } = {}) {
  const page = openReview(t, { live: LIVE, answers: [NOTHING], more: CHIP, ...options });
  const { player } = await load("review_portal/player.js");
  const live = await load("review_portal/live.js");
  const applied = [];
  if (start) live.start(async () => ({ apply: (part, given) => void applied.push([part.textContent.trim(), given]) }));
  await settled();
  return Object.assign(page, live, {
    player,
    applied,
    asked: () => page.requests.splice(0).map(([address]) => address),
    hidden(on) {
      page.hide(on);
      page.fire(page.document, "visibilitychange");
      return settled();
    },
  });
}

test("what others write is asked for at once, and then every three seconds", { skip }, async (t) => {
  const page = await openLive(t);
  assert.deepEqual(page.asked(), ["/film/poll?v=7.1&after=7"]);
  await page.pass(2999);
  assert.deepEqual(page.asked(), []);
  await page.pass(1);
  assert.equal(page.asked().length, 1);
});

test("what an answer brings is put in place, and nothing else", { skip }, async (t) => {
  const page = await openLive(t, {
    answers: [
      { html: `${LIVE}First`, headers: { "Reelroom-Here": "[1]" } },
      { status: 400, html: `${LIVE}No` },
      NOTHING,
      null,
    ],
  });
  for (let turn = 0; turn < 4; turn += 1) await page.pass(3000);
  assert.deepEqual(page.applied, [["First", undefined]]);
  assert.deepEqual(page.heard("room:reach"), [true, true, true, false, false]);
  assert.deepEqual(page.heard("room:here"), ["[1]", null, null, null, null]);
});

for (const sign of ["pointerdown", "keydown"])
  test(`${sign} keeps the page quick`, { skip }, async (t) => {
    const page = await openLive(t);
    await page.pass(119_000);
    page.fire("#elsewhere", sign);
    await page.pass(100_000);
    page.asked();
    await page.pass(3000);
    assert.equal(page.asked().length, 1);
  });

test("after two minutes without a sign of anybody it is asked less often", { skip }, async (t) => {
  const page = await openLive(t);
  await page.pass(120_000);
  await page.pass(3000);
  page.asked();
  await page.pass(4499);
  assert.equal(page.asked().length, 0);
  await page.pass(1);
  assert.equal(page.asked().length, 1);
  page.fire("#elsewhere", "pointerdown");
  await settled();
  assert.equal(page.asked().length, 1, "who comes back sees at once what there is");
  page.fire("#elsewhere", "keydown");
  await settled();
  assert.equal(page.asked().length, 0, "once");
  await page.pass(3000);
  assert.equal(page.asked().length, 1);
});

for (const [what, act, quick] of [
  ["who watches is there", (page) => page.player.inner.dispatchEvent(new page.window.Event("time")), true],
  ["a film that rests is no sign", (page) => page.player.seek(3), false],
  ["a comment that comes in is a sign", (page, answers) => answers.splice(0, 1, `${LIVE}New`), true],
])
  test(what, { skip }, async (t) => {
    const answers = [NOTHING];
    const page = await openLive(t, { answers });
    page.player.inner.paused = !quick;
    await page.pass(120_000);
    act(page, answers);
    await page.pass(3000);
    answers.splice(0, 1, NOTHING);
    page.asked();
    await page.pass(3000);
    assert.equal(page.asked().length, quick ? 1 : 0);
  });

test("a hidden page asks twice a minute, and at once when it is seen again", { skip }, async (t) => {
  const page = await openLive(t);
  page.asked();
  await page.hidden(true);
  assert.equal(page.asked().length, 0);
  await page.pass(3000);
  assert.equal(page.asked().length, 1);
  await page.pass(29_999);
  assert.equal(page.asked().length, 0);
  await page.pass(1);
  assert.equal(page.asked().length, 1);
  await page.hidden(false);
  assert.equal(page.asked().length, 1);
  await page.pass(3000);
  assert.equal(page.asked().length, 1);
  page.window.dispatchEvent(new page.window.Event("online"));
  await settled();
  assert.equal(page.asked().length, 1);
});

test(
  "everything is asked for anew after ten minutes, but not while somebody writes or nobody looks",
  { skip },
  async (t) => {
    const answers = [NOTHING];
    const page = await openLive(t, { answers });
    await page.pass(600_000);
    page.thread(1).insertAdjacentHTML("beforeend", '<form class="reply-box"></form>');
    page.asked();
    await page.pass(4500);
    assert.deepEqual(page.asked(), ["/film/poll?v=7.1&after=7"]);
    page.one(".reply-box").remove();
    page.hide(true);
    await page.pass(4500);
    assert.deepEqual(page.asked(), ["/film/poll?v=7.1&after=7"]);
    page.hide(false);
    answers.splice(0, 1, `${LIVE}All`);
    await page.pass(30_000);
    assert.deepEqual([page.asked(), page.applied], [["/film/poll?v=&after=0"], [["All", { whole: true }]]]);
    answers.splice(0, 1, NOTHING);
    await page.pass(3000);
    await page.pass(4500);
    assert.deepEqual(page.asked().at(-1), "/film/poll?v=7.1&after=7", "once");
  },
);

test("a whole list is not taken where another one was chosen meanwhile", { skip }, async (t) => {
  let answer;
  const page = await openLive(t, { answers: [NOTHING, new Promise((done) => (answer = done))] });
  const asks = page.refresh();
  page.one("#live").dataset.poll = "/film/poll?show=open";
  answer(LIVE);
  await asks;
  assert.deepEqual(page.applied, []);
});

test("a link that was switched off meanwhile says so itself", { skip }, async (t) => {
  const page = await openLive(t, { answers: [{ status: 404, html: "<main data-closed></main>" }] });
  assert.deepEqual([page.visited, page.heard("room:reach")], [["reload"], []]);
  const other = await openLive((t.mock.reset(), t), { answers: [{ status: 500, html: "" }] });
  assert.deepEqual([other.visited, other.heard("room:reach")], [[], [false]]);
});

for (const [more, expected] of [
  ['data-poll="/film/poll?by=Ana"', "/film/poll?by=Ana&v=7.1&after=7"],
  ['data-poll="/film/poll" data-waits="9"', "/film/poll?v=9&after=7"],
  ["", undefined],
])
  test(`a list with ${more || "no address"} is asked for as ${expected}`, { skip }, async (t) => {
    const page = await openLive(t, { live: liveOf("7.1", { more }) });
    await page.refresh();
    await page.pass(3000);
    assert.equal(page.asked()[0], expected);
  });

test("where the reader is goes along", { skip }, async (t) => {
  const page = await openLive(t);
  page.tell(() => "&at=3");
  page.asked();
  page.now();
  await settled();
  assert.deepEqual(page.asked(), ["/film/poll?v=7.1&after=7&at=3"]);
});

test("a dot is at what came since the last visit, and a filter counts it", { skip }, async (t) => {
  const threads = [1, 2, 3, 4].map((n) => threadOf(n, { more: n === 4 ? "data-mine" : "" })).join("");
  const page = await openLive(t, { threads, stored: { seen: "2.1" } });
  const dots = () => page.all(".comment__new").map((dot) => [dot.closest(".thread").id[2], dot.hidden]);
  assert.deepEqual(dots(), [["3", false]]);
  const chip = page.one("[data-new-chip]");
  assert.deepEqual([chip.hidden, chip.getAttribute("href"), chip.textContent], [false, "/film?show=new&since=2", "1"]);
  page.one(".comment__new").hidden = true;
  page.thread(2).dataset.born = "5";
  page.fire(page.document, "room:live");
  assert.deepEqual(
    [dots(), chip.textContent],
    [
      [
        ["2", false],
        ["3", false],
      ],
      "2",
    ],
  );
  page.thread(2).remove();
  page.thread(3).remove();
  page.fire(page.document, "room:live");
  assert.equal(chip.hidden, true);
  page.window.dispatchEvent(new page.window.Event("pagehide"));
  assert.equal(page.keeps("seen"), "7.1");
});

test("a first visit has no dots, and a list of what is new no filter for it", { skip }, async (t) => {
  const first = await openLive(t);
  assert.deepEqual([first.all(".comment__new").length, first.one("[data-new-chip]").hidden], [0, true]);
  const more = CHIP.replace('"open"', '"new"');
  const page = await openLive((t.mock.reset(), t), { more, stored: { seen: "0" } });
  assert.deepEqual([page.all(".comment__new").length, page.one("[data-new-chip]").hidden], [2, true]);
});

test("a box is open where one stands in the list, or somebody types there", { skip }, async (t) => {
  const page = await openLive(t);
  assert.equal(Boolean(page.boxOpen()), false);
  page.thread(1).insertAdjacentHTML("beforeend", '<input id="in"><a id="link" href="#">x</a>');
  for (const [id, open] of [
    ["in", true],
    ["link", false],
    ["elsewhere", false],
  ]) {
    page.one(`#${id}`).focus();
    assert.equal(Boolean(page.boxOpen()), open, id);
  }
  page.thread(1).insertAdjacentHTML("beforeend", '<form class="reply-box"></form>');
  assert.equal(Boolean(page.boxOpen()), true);
  assert.deepEqual(
    page.comments(page.threads()).map(({ id }) => id),
    [1, 2].map((n) => `c-${idOf(n)}`),
  );
});

test("a page without a list asks nothing", { skip }, async (t) => {
  const page = await openLive(t, { live: "" });
  await page.pass(9000);
  assert.deepEqual(page.asked(), []);
});
