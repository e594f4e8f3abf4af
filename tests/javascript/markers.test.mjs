import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const markerOf = ([
  t,
  state = "open",
  id = t,
]) => `<li><a class="marker is-${state}" href="#c-${id}" data-t="${t}" id="m-${id}">
  <svg><use href="/icons.svg#s-${state}"></use></svg><span class="marker__gist" hidden>Gist ${id}</span></a></li>`;
const PAGE = (markers) => `<div data-player data-length="100"><p data-no-picture></p></div>
  <div data-timeline id="area"><ol id="markers" class="markers">${markers.map(markerOf).join("")}</ol>
  <div class="marker-peek" data-peek hidden></div><input id="bar"></div><button id="away"></button>`;
const WORDS = { draft: "{time}, draft", group: "{n} from {from} to {to}, {open} open" };

/** A timeline 1000 pixels wide of a film of 100 seconds: ten pixels are a second. */
async function openTimeline(
  markers = [[10], [50, "resolved"], [90]],
  { coarse = false, width = 1000, drafts, ...options } = {},
) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = await openRoom(PAGE(markers), {
    words: WORDS,
    matchMedia: () => ({ matches: coarse, addEventListener() {} }),
    ...options,
  });
  const list = page.one("#markers");
  Object.defineProperty(list, "clientWidth", { value: width });
  const script = await load("review_portal/markers.js");
  if (drafts) script.showDrafts(drafts.map((time) => ({ time })));
  else script.layout();
  const links = () => page.all("#markers > li:not([hidden]) > .marker");
  const nameOf = (link) =>
    "draft" in link.dataset ? `draft ${link.dataset.t}` : link.members ? `group ${link.dataset.t}` : link.id.slice(2);
  return Object.assign(page, script, {
    ...{ list, links, peek: page.one("[data-peek]") },
    shown: () => links().map(nameOf),
    stops: () =>
      links()
        .filter((link) => link.tabIndex === 0)
        .map(nameOf),
    current: () => page.all("[aria-current=true]").map(nameOf),
    rows: () => page.all("[data-peek] a").map((row) => row.textContent),
    focused: () => nameOf(page.document.activeElement),
    over: (target, pointerType = "mouse") =>
      page.one(target).dispatchEvent(Object.assign(new Event("pointerover", { bubbles: true }), { pointerType })),
  });
}

for (const [what, markers, shown, options] of [
  ["that have room stand alone", [[10], [13.2], [90]], ["10", "13.2", "90"]],
  ["that are closer than a fingertip join", [[10], [13.1], [90]], ["group 10", "90"]],
  ["need more room under a finger", [[10], [14.5], [90]], ["group 10", "90"], { coarse: true }],
  ["with that room stand alone", [[10], [14.6]], ["10", "14.6"], { coarse: true }],
  ["near a group need more room", [[10], [11], [13.9]], ["group 10"]],
  ["beside a group stand alone", [[10], [11], [14]], ["group 10", "14"]],
  ["are measured from where a group begins", [[10], [13], [14.1]], ["group 10", "14.1"]],
  ["at the ends stand where the lane has room", [[0], [3.9], [100], [96.1]], ["group 0", "group 100"]],
  ["at the beginning stand alone with that room", [[0], [4]], ["0", "4"]],
  ["beyond the film stand at its end", [[50], [130]], ["50", "130"]],
])
  test(`markers ${what}`, { skip }, async () => {
    const page = await openTimeline(markers, options);
    assert.deepEqual(page.shown(), shown);
  });

test("a marker stands at its moment, and one beyond the film at its end", { skip }, async () => {
  const page = await openTimeline([[10], [130]]);
  assert.deepEqual(
    page.links().map((link) => link.style.getPropertyValue("--at")),
    ["10%", "100%"],
  );
});

test(
  "a group says how many comments it has, from when to when, and is open while one of them is",
  { skip },
  async () => {
    const page = await openTimeline([
      [10, "resolved"],
      [11, "open"],
      [12, "open"],
      [50, "resolved"],
      [51, "resolved"],
    ]);
    const [open, done] = page.links();
    assert.deepEqual(
      [open.textContent, done.textContent],
      ["3 3 from 0:10 to 0:12, 2 open", "2 2 from 0:50 to 0:51, 0 open"],
    );
    assert.deepEqual(
      [open.className, done.className],
      ["marker marker--group is-open", "marker marker--group is-resolved"],
    );
    assert.deepEqual(
      page.all(".marker--group use").map((use) => use.getAttribute("href")),
      ["/icons.svg#s-open", "/icons.svg#s-resolved"],
    );
    assert.deepEqual([open.style.getPropertyValue("--at"), open.getAttribute("aria-expanded")], ["10%", "false"]);
    page.layout();
    assert.equal(page.all(".marker--group").length, 2, "once, however often it is laid out");
  },
);

for (const [what, drafts, shown] of [
  ["has a marker between the others", [30.7], ["10", "draft 30", "50", "90"]],
  ["after all has one at the end", [95], ["10", "50", "90", "draft 95"]],
  ["is one for its second", [30.7, 30.2], ["10", "draft 30", "50", "90"]],
  ["gives way to a comment beside it", [51], ["10", "50", "90"]],
  ["gives way to one after it", [9], ["10", "50", "90"]],
  ["beside another draft stays", [30, 31], ["10", "draft 30", "draft 31", "50", "90"]],
])
  test(`a draft ${what}`, { skip }, async () => {
    const page = await openTimeline(undefined, { drafts });
    assert.deepEqual(page.shown(), shown);
    page.showDrafts([]);
    assert.deepEqual(page.shown(), ["10", "50", "90"]);
  });

test("a draft leads to the box, says its time, and has a hollow marker", { skip }, async () => {
  const page = await openTimeline([], { drafts: [75] });
  const [draft] = page.links();
  assert.deepEqual(
    [draft.hash, draft.textContent, draft.className],
    ["#composer", "1:15, draft", "marker marker--draft is-draft"],
  );
  page.over("#markers a");
  assert.equal(page.peek.hidden, true, "there is nothing to preview");
});

test("markers have one stop of Tab, and arrows go between them", { skip }, async () => {
  const page = await openTimeline();
  assert.deepEqual(page.stops(), ["10"]);
  page.links()[0].focus();
  for (const [key, id] of [
    ["ArrowRight", "50"],
    ["ArrowRight", "90"],
    ["ArrowRight", "90"],
    ["Home", "10"],
    ["ArrowLeft", "10"],
    ["End", "90"],
    ["ArrowLeft", "50"],
  ]) {
    assert.ok(page.press(page.document.activeElement, key));
    assert.deepEqual([page.focused(), page.stops()], [id, [id]], key);
  }
  assert.equal(page.press(page.document.activeElement, "x"), false);
  page.one("#bar").focus();
  assert.equal(page.press("#bar", "ArrowRight"), false);
});

for (const [second, markers, current] of [
  [9, [[10], [50]], []],
  [10, [[10], [50]], ["10"]],
  [13, [[10], [50]], ["10"]],
  [14, [[10], [50]], []],
  [50, [[10], [50]], ["50"]],
  [15, [[10], [12]], ["group 10"]],
  [16, [[10], [12]], []],
])
  test(`at ${second} of ${markers} the current marker is ${current}`, { skip }, async () => {
    const page = await openTimeline(markers);
    page.film.at(second);
    assert.deepEqual(page.current(), current);
    page.layout();
    assert.deepEqual(page.current(), current);
    if (current.length) assert.deepEqual(page.stops(), current, "and the stop of Tab");
    page.film.at(80);
    assert.deepEqual(page.current(), []);
  });

test("the focus stays in its place when markers are laid out anew", { skip }, async () => {
  const page = await openTimeline();
  page.one("#m-50").focus();
  page.one("#m-50").closest("li").remove();
  page.one("#away").focus();
  page.layout();
  assert.ok(page.hasFocus("#away"));
  const joined = await openTimeline([[10], [50], [51]]);
  joined.links()[1].focus();
  joined.layout();
  assert.equal(joined.focused(), "group 50", "also where the group is another one");
  joined.all("#markers > li:not([data-made])").at(-1).remove();
  joined.all("#markers > li:not([data-made])").at(-1).remove();
  joined.layout();
  assert.equal(joined.focused(), "10");
});

test("a pointer over a marker shows its comment, and hides it elsewhere", { skip }, async () => {
  const page = await openTimeline();
  page.over("#m-50", "touch");
  assert.equal(page.peek.hidden, true);
  page.over("#m-50");
  assert.deepEqual([page.peek.hidden, page.rows()], [false, ["0:50Gist 50"]]);
  const [row] = page.peek.children;
  assert.deepEqual([row.hash, row.className, row.tabIndex], ["#c-50", "marker-peek__link is-resolved", -1]);
  assert.equal(row.querySelector("use").getAttribute("href"), "/icons.svg#s-resolved");
  assert.deepEqual(
    ["--at", "--shift"].map((name) => page.peek.style.getPropertyValue(name)),
    ["50%", "-50%"],
  );
  page.over("#markers");
  page.over("[data-peek]");
  assert.equal(page.peek.hidden, false, "not on the way to it");
  page.over("#bar");
  assert.equal(page.peek.hidden, true);
  page.over("#m-10");
  page.fire("#area", "pointerleave");
  assert.equal(page.peek.hidden, true);
  assert.equal(page.all("[aria-expanded]").length, 0);
});

test("the focus on a marker shows its comment, until it leaves the timeline", { skip }, async () => {
  const page = await openTimeline();
  page.one("#m-10").focus();
  assert.deepEqual(page.rows(), ["0:10Gist 10"]);
  page.one("#m-90").focus();
  assert.deepEqual(page.rows(), ["1:30Gist 90"]);
  page.one("#bar").focus();
  assert.equal(page.peek.hidden, false);
  page.one("#away").focus();
  assert.equal(page.peek.hidden, true);
});

test("a group lists its comments, and one chooses with the arrows", { skip }, async () => {
  const page = await openTimeline([[10], [11, "resolved"], [12], [90]]);
  const [group] = page.links();
  page.click(group);
  assert.equal(group.getAttribute("aria-expanded"), "true");
  const at = () => [...page.peek.children].indexOf(page.document.activeElement);
  assert.deepEqual([page.rows(), at()], [["0:10Gist 10", "0:11Gist 11", "0:12Gist 12"], 0]);
  assert.deepEqual(
    [...page.peek.children].map((row) => row.tabIndex),
    [0, 0, 0],
  );
  for (const [key, place] of [
    ["ArrowDown", 1],
    ["ArrowDown", 2],
    ["ArrowDown", 0],
    ["ArrowUp", 2],
    ["ArrowUp", 1],
  ]) {
    assert.ok(page.press(page.document.activeElement, key));
    assert.equal(at(), place, key);
  }
  assert.equal(page.press(page.document.activeElement, "ArrowRight"), false);
  page.over("#bar");
  page.fire("#area", "pointerleave");
  assert.equal(page.peek.hidden, false, "it stays while one chooses");
  assert.ok(page.press(page.document.activeElement, "Escape"));
  assert.deepEqual(
    [page.peek.hidden, page.focused(), group.getAttribute("aria-expanded")],
    [true, "group 10", "false"],
  );
  page.over("#m-90");
  page.press("#bar", "Escape");
  assert.equal(page.peek.hidden, true);
});

test("a comment that is chosen closes its preview", { skip }, async () => {
  const page = await openTimeline([[10], [11], [90]]);
  page.click(page.links()[0]);
  page.click(page.peek.children[1]);
  assert.equal(page.peek.hidden, false);
  mock.timers.tick(0);
  assert.deepEqual([page.peek.hidden, page.followed], [true, ["#c-11"]]);
  page.one("#m-90").focus();
  page.click("#m-90");
  mock.timers.tick(1);
  assert.equal(page.peek.hidden, true);
});

test("a film whose length is not known yet has its markers laid out when it is", { skip }, async () => {
  const page = await openTimeline([[10], [11]]);
  page.player.known = 0;
  page.film.length = 0;
  page.one("#markers").innerHTML = markerOf([10]) + markerOf([11]);
  page.layout();
  assert.deepEqual(page.shown(), ["10", "11"]);
  page.film.length = 100;
  page.film.dispatchEvent(new Event("length"));
  assert.deepEqual(page.shown(), ["group 10"]);
});

test("a page without a timeline has no markers", { skip }, async () => {
  const page = await openRoom("");
  const { layout, follow, showDrafts } = await load("review_portal/markers.js");
  layout();
  follow(true);
  showDrafts([{ time: 3 }]);
  assert.equal(page.one(".marker"), null);
});
