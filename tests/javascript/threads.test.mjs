import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { idOf, liveOf, openReview, replyOf, threadOf } from "./review.mjs";

const THREADS = [
  threadOf(1, { more: 'data-at="10.5"', replies: replyOf(8) }),
  threadOf(3, { folded: true, more: 'data-to="60"' }),
  threadOf(2, { t: 20 }),
].join("");

async function openThreads(t, options) {
  const page = openReview(t, { threads: THREADS, live: liveOf(5, { more: "" }), ...options });
  const { player } = await load("review_portal/player.js");
  const threads = await load("review_portal/threads.js");
  const { act } = await load("review_portal/actions.js");
  const { range } = await load("review_portal/range.js");
  threads.start();
  await settled();
  const active = () => page.all(".thread--active").map(({ id }) => id[2]);
  return Object.assign(page, {
    open: threads.open,
    player,
    act,
    range,
    active,
    scroller: page.one("[data-scroller]"),
    play(second) {
      player.inner.paused = false;
      player.seek(second);
    },
    focused: () => page.document.activeElement.id.slice(0, 4),
  });
}

test("the comment of the moment is marked: four seconds long, or as long as its range", { skip }, async (t) => {
  const page = await openThreads(t);
  for (const [second, active] of [
    [9, []],
    [10, ["1"]],
    [13, ["1"]],
    [14, []],
    [20, ["2"]],
    [23, ["2"]],
    [30, ["3"]],
    [60, ["3"]],
    [61, []],
  ]) {
    page.play(second);
    assert.deepEqual(page.active(), active, String(second));
  }
});

test("of two comments at the moment the later one is marked", { skip }, async (t) => {
  const threads = threadOf(2, { t: 12 }) + threadOf(1, { t: 10 }) + threadOf(4, { t: 12 });
  const page = await openThreads(t, { threads });
  page.play(12);
  assert.deepEqual(page.active(), ["4"]);
});

test("the list goes along with the picture, but not just after somebody scrolled it", { skip }, async (t) => {
  const page = await openThreads(t);
  const scrolled = [];
  page.scroller.scrollBy = ({ top }) => scrolled.push(top);
  Object.defineProperty(page.scroller, "scrollHeight", { value: 500 });
  const places = { 1: { top: 10, bottom: 300 }, 2: { top: 400, bottom: 500 }, 3: { top: -1, bottom: 50 } };
  for (const [n, place] of Object.entries(places)) page.thread(n).getBoundingClientRect = () => place;
  page.scroller.getBoundingClientRect = () => ({ top: 0, bottom: 300 });
  page.play(10);
  assert.deepEqual(scrolled, [], "it is in sight");
  page.play(20);
  page.play(30);
  assert.deepEqual(scrolled, [340, -61]);
  for (const sign of ["wheel", "touchmove", "keydown"]) {
    page.play(99);
    await page.pass(6000);
    page.fire(page.scroller, sign);
    await page.pass(5000);
    page.play(20);
    assert.equal(scrolled.length, 2, sign);
  }
  page.play(99);
  await page.pass(1);
  page.play(20);
  assert.equal(scrolled.length, 3);
  page.play(99);
  Object.defineProperty(page.scroller, "clientHeight", { value: 500 });
  page.play(20);
  assert.equal(scrolled.length, 3, "a list that does not scroll stays");
});

test("a comment is opened unfolded, with the picture at its very frame and the focus", { skip }, async (t) => {
  const page = await openThreads(t);
  assert.equal(page.open(page.thread(3)), true);
  assert.deepEqual([page.thread(3).open, page.player.time, page.active(), page.focused()], [true, 30, ["3"], "c-33"]);
  page.open(page.one(`#c-88888888`), { focus: false });
  assert.deepEqual([page.player.time, page.active(), page.focused()], [10.5, ["1"], "c-33"]);
  page.open(page.thread(2), { seek: false });
  assert.deepEqual([page.player.time, page.focused(), page.heard("room:thread").length], [10.5, "c-22", 3]);
  assert.equal(page.open(page.one("#elsewhere")), false);
});

test("a comment that was chosen stays marked while the picture rests there", { skip }, async (t) => {
  const threads = threadOf(1, { t: 10 }) + threadOf(2, { t: 10 });
  const page = await openThreads(t, { threads });
  page.open(page.thread(1));
  assert.deepEqual(page.active(), ["1"]);
  page.play(10);
  assert.deepEqual(page.active(), ["2"], "not while it plays");
  page.player.inner.paused = true;
  page.open(page.thread(1));
  page.player.seek(11);
  assert.deepEqual(page.active(), ["2"]);
});

for (const [hash, search, focus, time] of [
  [`#c-${idOf(3)}`, "", "3", 30],
  [`#c-${idOf(3)}`, "?t=5", "3", 0],
  [`#c-${idOf(8)}`, "", "1", 10.5],
  ["#c-88888888", "", "1", 10.5],
  [`#c-${idOf(9)}`, "", undefined, 0],
  ["#c-3333", "", undefined, 0],
  ["#threads", "", undefined, 0],
])
  test(`an address with ${search}${hash} shows its comment`, { skip }, async (t) => {
    const page = await openThreads(t, { hash, search });
    assert.deepEqual([page.active()[0], page.player.time, page.focused()], [focus, time, ""]);
    globalThis.location.hash = `#c-${idOf(2)}`;
    page.window.dispatchEvent(new page.window.Event("hashchange"));
    await settled();
    assert.deepEqual([page.active(), page.player.time, page.focused()], [["2"], 20, "c-22"]);
  });

test("an address of a reply that a first view leaves out brings it", { skip }, async (t) => {
  const rest = '<li data-from="0" data-rest="1" data-born="0"><a href="?thread=1">1 more</a></li>';
  const answers = [`<ol id="rest">${replyOf(8)}</ol>`];
  const page = await openThreads(t, { threads: threadOf(1, { replies: rest }), hash: `#c-${idOf(8)}`, answers });
  assert.deepEqual([page.requests.length, page.active(), page.player.time], [1, ["1"], 10]);
  assert.ok(page.one("#c-88888888"));
});

for (const [hash, rest] of [
  [`#c-${idOf(1)}`, "data-rest"],
  ["#threads", "data-rest"],
  [`#c-${idOf(9)}`, "data-none"],
])
  test(`nothing is asked for ${hash} with ${rest}`, { skip }, async (t) => {
    const page = await openThreads(t, { threads: threadOf(1, { replies: `<li ${rest}="1"></li>` }), hash });
    assert.deepEqual(page.requests, []);
  });

test("keys lead to the next comment and the one before, in the order of the film", { skip }, async (t) => {
  const page = await openThreads(t);
  const go = (name) => (page.act(name), page.active()[0]);
  assert.deepEqual(["next", "next", "next", "next"].map(go), ["1", "2", "3", "3"]);
  assert.deepEqual(["previous", "previous", "previous"].map(go), ["2", "1", "1"]);
});

test("without a marked comment keys lead to those around the moment, and not to hidden ones", { skip }, async (t) => {
  const page = await openThreads(t);
  const at = (second, name) => {
    page.play(99);
    page.player.inner.time = second;
    page.act(name);
    return page.active()[0];
  };
  assert.deepEqual(
    [at(20, "next"), at(20, "previous"), at(31, "previous"), at(5, "previous")],
    ["2", "1", "3", undefined],
  );
  page.thread(2).hidden = true;
  assert.equal(at(15, "next"), "3");
});

test("keys press the buttons of the marked comment, and nothing without one", { skip }, async (t) => {
  const page = await openThreads(t);
  const pressed = [];
  page.document.addEventListener("click", ({ target }) => pressed.push(target.value || Object.keys(target.dataset)[0]));
  const names = ["reply", "edit", "resolve", "resolve-next"];
  names.forEach(page.act);
  assert.deepEqual(pressed, []);
  page.open(page.thread(1));
  names.forEach(page.act);
  assert.deepEqual(pressed, ["reply", "edit", "resolved", "resolved-next"]);
  page.thread(1).querySelector('[value="resolved"]').value = "open";
  page.act("resolve");
  assert.equal(pressed.at(-1), "open");
});

test("every reply gets its own button, those with one none, and nobody who cannot answer", { skip }, async (t) => {
  const replies = replyOf(7, { own: false }) + replyOf(8);
  const page = await openThreads(t, { threads: threadOf(1, { replies }) });
  page.one(".replies > li button").remove();
  page.fire(page.document, "room:live");
  const [seven, eight] = page.all(".replies > li");
  const button = seven.querySelector("header > button");
  assert.deepEqual(
    [button.type, button.className, button.textContent, button.dataset.reply],
    ["button", "action", "answer.", ""],
  );
  assert.deepEqual(
    [seven, eight].map((one) => one.querySelectorAll("[data-reply]").length),
    [1, 1],
  );
  for (const missing of ["#reply-form", "[data-reply]"]) {
    const other = await openThreads((t.mock.reset(), t), {
      threads: threadOf(1, { replies: replyOf(7, { own: false }) }),
      change: ({ all }) => all(missing).forEach((one) => one.remove()),
    });
    assert.equal(other.one(".replies button"), null, missing);
  }
});

test("a time in a comment takes the picture there, and leaves the focus", { skip }, async (t) => {
  const threads = threadOf(1, { text: '<a id="time" href="?show=open&t=42.5">0:42</a>' }) + threadOf(2);
  const page = await openThreads(t, { threads, more: '<a id="away" href="?t=7">0:07</a>' });
  assert.ok(page.click("#time"));
  assert.deepEqual([page.player.time, page.active(), page.focused()], [42.5, ["1"], ""]);
  page.player.seek(42.9);
  assert.deepEqual(page.active(), ["1"], "it is the one that was chosen");
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])
    assert.equal(page.click("#time", more), false, JSON.stringify(more));
  assert.equal(page.click("#away"), false, "not outside of the room");
  page.one("#away").remove();
  page.one(".watch").innerHTML = '<a id="time-2" href="?t=7">0:07</a><a id="other" href="?x=1">x</a>';
  assert.equal(page.click("#other"), false);
  assert.ok(page.click("#time-2"));
  assert.deepEqual([page.player.time, page.active()], [7, ["1"]]);
});

test("links to comments show them and stand in the address, other links go on", { skip }, async (t) => {
  const links = `<a id="there" class="marker" href="/film#c-${idOf(2)}"></a><a id="nowhere" href="#c-${idOf(9)}"></a>
    <a id="page" href="/other#c-${idOf(2)}"></a><a id="box" class="marker" href="#composer"></a>
    <a id="copy" href="#c-${idOf(1)}" data-copy></a><a id="plain" href="#composer"></a><i id="nothing"></i>`;
  const page = await openThreads(t, { more: links });
  const follows = ["nowhere", "page", "copy", "plain", "nothing"].filter((id) => page.click(`#${id}`));
  assert.deepEqual([follows, page.active()], [[], []]);
  assert.ok(page.click("#there"));
  assert.deepEqual([page.active(), page.focused(), page.window.location.hash], [["2"], "c-22", `#c-${idOf(2)}`]);
  assert.ok(page.click("#box"));
  assert.ok(page.hasFocus(page.box().elements.text));
});

test("a comment is looped with what surrounds it, and as long as it is", { skip }, async (t) => {
  const page = await openThreads(t);
  for (const [n, from, to] of [
    [1, 8, 13],
    [3, 28, 63],
  ]) {
    page.click(page.thread(n).querySelector("[data-loop]"));
    assert.deepEqual([page.range.from, page.range.to, page.range.loops, page.player.time], [from, to, true, from]);
  }
});
