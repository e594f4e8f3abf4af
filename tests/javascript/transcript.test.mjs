import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";
import { rowsOf } from "./transcript_page.mjs";

const hits = (
  n,
) => `<span class="button-row"><a href="?find=logo&hit=${n}&tab=transcript" data-hit="before"><b>↑</b></a>
  <a href="?find=logo&hit=${n + 2}&tab=transcript" data-hit="after"><b>↓</b></a></span>`;
/** What the server has of the words: with the form to search in, unless there are no words. */
const wordsOf = ({ state = "ready", rows = rowsOf(0, 4), count = "", buttons = "", form = true } = {}) => `
  <div id="transcript" data-state="${state}" data-total="4"><h2 id="transcript-title"></h2>
    ${form ? `<form data-words-find><input type="hidden" name="tab" value="transcript"><input id="find" name="find"><span class="find-row__count">${count}</span>${buttons}<select name="track"><option>en</option><option>de</option></select></form>` : ""}
    <div data-words-list>${
      rows
        ? `<a data-more="earlier" href="/film?words=de"></a><ol class="sentences" data-remove="Remove">${rows}</ol>
          <a data-more="later" href="/film?words=de"></a><template data-badge><a></a></template>
          <div data-follow hidden><button><b>Back</b></button></div>`
        : `<p data-state="${state}"><a href="?tab=transcript" data-retry>Again</a></p>`
    }</div></div>`;
const PAGE = (words) => `<main data-room="film"></main><div class="watch__pinned"></div><div class="talk__foot"></div>
  <div class="talk" data-tab aria-labelledby="talk-title"><h2 id="talk-title"></h2><nav class="tabs"><a href="/film" data-panel="comments" aria-current="page">Comments</a>
    <a href="/film?tab=transcript" data-panel="transcript" data-style="/words.css">Words</a></nav>${words}
    <ol id="threads"></ol><input name="q" id="other"></div><a id="outside" href="/elsewhere"></a>`;

/** The room with its tabs; `words` is what its page has of them already, `answers` what the server says of them. */
async function openWords(
  t,
  { words = "", answers = [wordsOf()], online = true, search = "", hash = "", style = "" } = {},
) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const page = openDashboard(PAGE(words), { url: `https://reelroom.example/film${search}` });
  page.document.head.innerHTML = style;
  Object.assign(globalThis.location, { hash });
  globalThis.navigator.onLine = online;
  globalThis.KeyboardEvent = page.window.KeyboardEvent;
  page.window.HTMLElement.prototype.scrollBy = () => {};
  Object.defineProperty(page.document, "scrollingElement", { value: page.document.documentElement });
  const [asked, done, toasts, reached] = [[], [], [], []];
  const player = Object.assign(new page.window.EventTarget(), {
    ...{ time: 4.5, second: 4, length: 8, paused: true },
    seek: (seconds) => done.push(seconds),
    play: () => done.push("play"),
  });
  page.document.addEventListener("room:reach", ({ detail }) => reached.push(detail));
  const { start, show } = await load("review_portal/transcript.js");
  start({
    ...{ player, opensTab: (event) => event.ctrlKey, toast: (text) => toasts.push(text), say: (name) => name },
    ...{ setting: () => false, fill: (text) => text, format: String, table: () => [], put() {} },
    async ask(address) {
      asked.push(address);
      const answer = await (answers.length > 1 ? answers.shift() : answers[0]);
      const status = answer.length > 10 ? 200 : answer;
      const part = page.document.createElement("div");
      part.innerHTML = status === 200 ? answer : "";
      return { status, part };
    },
  });
  const at = () => page.window.location.href.replace("https://reelroom.example", "");
  return Object.assign(page, {
    ...{ start, asked: () => asked.splice(0), done, toasts, reached, player, at },
    async show(name, more) {
      const shown = show(name, more);
      await settled();
      page.one("link[rel=stylesheet]")?.dispatchEvent(new page.window.Event("load"));
      await shown;
    },
    tabs: () => [
      page.one("[data-tab]").dataset.tab,
      page.one("[data-tab]").getAttribute("aria-labelledby"),
      page
        .all("[data-panel][aria-current=page]")
        .map((link) => link.dataset.panel)
        .join(),
    ],
    async pass(milliseconds) {
      t.mock.timers.tick(milliseconds);
      await settled();
    },
    async press(target, more) {
      const taken = page.click(target, more);
      await settled();
      return taken;
    },
    offer: () => !page.one("[data-follow]").hidden,
  });
}
const COMMENTS = ["", "talk-title", "comments"];
const WORDS = ["transcript", "transcript-title", "transcript"];

test("the words come with their tab once, in their own style, and the address says so", { skip }, async (t) => {
  const page = await openWords(t);
  let isShown = false;
  const shown = page.show("transcript").then(() => (isShown = true));
  assert.deepEqual([page.asked(), isShown, page.one("#transcript")], [["/film/transcript?t=4"], false, null]);
  await shown;
  assert.deepEqual([page.tabs(), page.at()], [WORDS, "/film?tab=transcript"]);
  assert.deepEqual(
    [page.one("#transcript").previousElementSibling.className, page.one("link").getAttribute("href")],
    ["tabs", "/words.css"],
  );
  assert.equal(page.one("[aria-current=true]").dataset.n, "2", "the words that are said now");
  assert.equal(page.one("[data-quote]").tagName, "BUTTON");
  await page.show("comments");
  assert.deepEqual([page.tabs(), page.at()], [COMMENTS, "/film"]);
  await page.show("transcript", { push: false });
  assert.deepEqual([page.tabs(), page.at(), page.asked(), page.all("link").length], [WORDS, "/film", [], 1]);
});

test("a style sheet that the page has, or that does not come, keeps nobody waiting", { skip }, async (t) => {
  const page = await openWords(t, { style: '<link rel="icon" href="/words.css">' });
  await page.show("transcript");
  assert.deepEqual([page.tabs(), page.all("link").length], [WORDS, 1]);
  t.mock.timers.reset();
  const failed = await openWords(t);
  const shown = failed.show("transcript");
  failed.one("link").dispatchEvent(new failed.window.Event("error"));
  await shown;
  assert.deepEqual(failed.tabs(), WORDS);
});

for (const [what, online, visited, toasts] of [
  ["asks for the page of the words", true, ["https://reelroom.example/film?tab=transcript"], []],
  ["says that there is no connection", false, [], ["offline"]],
])
  test(`a tab whose words do not come ${what}`, { skip }, async (t) => {
    const page = await openWords(t, { answers: ["offline"], online });
    await page.show("transcript");
    assert.deepEqual([page.visited, page.toasts, page.tabs(), page.reached], [visited, toasts, COMMENTS, [false]]);
  });

test("what is typed is searched for when typing pauses, and the box keeps its place", { skip }, async (t) => {
  const answers = [wordsOf({ rows: rowsOf(1, 3), count: "1 of 3", buttons: hits(1) }), wordsOf({ count: "None" })];
  const page = await openWords(t, { words: wordsOf(), answers });
  const field = page.type("#find", "lo");
  let heard = 0;
  page.document.addEventListener("input", () => (heard += 1));
  await page.pass(200);
  page.type("#find", "logo");
  field.setSelectionRange(2, 2);
  await page.pass(299);
  assert.deepEqual(page.asked(), []);
  await page.pass(1);
  assert.deepEqual(
    [page.asked(), page.at()],
    [["/film/transcript?tab=transcript&find=logo&track=en"], "/film?tab=transcript&find=logo&track=en"],
  );
  assert.deepEqual(
    page.all(".sentence").map((row) => row.dataset.n),
    ["1", "2"],
  );
  assert.deepEqual([page.one(".find-row__count").textContent, page.all("[data-hit]").length], ["1 of 3", 2]);
  assert.ok(page.one("#find") === field && page.hasFocus("#find"));
  assert.deepEqual([field.selectionStart, field.value, heard], [2, "logo", 0]);
  page.type("#find", "x");
  await page.pass(300);
  assert.deepEqual([page.one(".find-row__count").textContent, page.all("[data-hit]").length], ["None", 0]);
});

test("a search that is sent, and another language, are asked for at once", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf() });
  page.type("#find", "logo");
  page.fire("[data-words-find]", "submit");
  await settled();
  assert.deepEqual([page.asked().length, page.submitted], [1, []]);
  await page.pass(1000);
  assert.deepEqual(page.asked(), [], "not once more when typing pauses");
  page.one("[name=track]").value = "de";
  page.fire("[name=track]", "input");
  await page.pass(0);
  assert.deepEqual(page.asked(), ["/film/transcript?tab=transcript&find=logo&track=de"]);
  assert.equal(page.hasFocus("#find"), true, "who was elsewhere stays there");
});

test("an empty search shows the words of this moment, and follows them", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf() });
  page.fire("[data-words-list]", "wheel");
  assert.equal(page.offer(), true);
  page.type("#find", "");
  page.document.activeElement.blur();
  await page.pass(300);
  assert.deepEqual(
    [page.asked(), page.at(), page.offer()],
    [["/film/transcript?tab=transcript&track=en&t=4"], "/film?tab=transcript&track=en", false],
  );
  assert.equal(page.hasFocus("#find"), false);
});

test("of two searches the later one is shown, whichever answer comes first", { skip }, async (t) => {
  let answer;
  const slow = new Promise((done) => (answer = done));
  const page = await openWords(t, { words: wordsOf(), answers: [slow, wordsOf({ count: "second" })] });
  page.type("#find", "a");
  await page.pass(300);
  page.type("#find", "ab");
  await page.pass(300);
  answer(wordsOf({ count: "first" }));
  await settled();
  assert.equal(page.one(".find-row__count").textContent, "second");
});

test("a search whose answer does not come opens its own page, and without a connection stays", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf(), answers: [500] });
  page.type("#find", "logo");
  await page.pass(300);
  assert.equal(globalThis.location.search, "?tab=transcript&tab=transcript&find=logo&track=en");
  assert.deepEqual(page.reached, []);
  t.mock.timers.reset();
  const away = await openWords(t, { words: wordsOf(), answers: ["offline"], online: false });
  away.type("#find", "logo");
  await away.pass(300);
  assert.deepEqual([globalThis.location.search, away.one("#find").value, away.reached], ["", "logo", [false]]);
});

test("from one result to the next the button that was pressed keeps the focus", { skip }, async (t) => {
  const rows = rowsOf(0, 2) + rowsOf(2, 4).replace("words 2", 'wo<mark class="hit--now">rds</mark> 2');
  const answers = [wordsOf({ rows, count: "3 of 5", buttons: hits(3) })];
  const page = await openWords(t, { words: wordsOf({ buttons: hits(1) }), answers });
  page.one("[data-hit=after]").focus();
  assert.equal(await page.press("[data-hit=after] b"), true);
  assert.deepEqual(
    [page.asked(), page.at()],
    [["/film/transcript?find=logo&hit=3&tab=transcript"], "/film?find=logo&hit=3&tab=transcript"],
  );
  assert.deepEqual(
    [page.document.activeElement.dataset.hit, page.document.activeElement.search],
    ["after", "?find=logo&hit=5&tab=transcript"],
  );
  assert.equal(page.offer(), true, "who looks at a result is not led away from it");
});

test(
  "a result that the page opens with is not followed away, nor words from a place of the address",
  { skip },
  async (t) => {
    const hit = rowsOf(0, 4).replace("words 1", '<mark class="hit--now">words</mark>');
    for (const [options, offers] of [
      [{ words: wordsOf() }, false],
      [{ words: wordsOf({ rows: hit }) }, true],
      [{ words: wordsOf(), search: "?tab=transcript&from=3" }, true],
    ]) {
      t.mock.timers.reset();
      assert.equal((await openWords(t, options)).offer(), offers);
    }
  },
);

test(
  "words that are still on their way are asked for until they are there, twenty times at most",
  { skip },
  async (t) => {
    const loading = wordsOf({ state: "loading", rows: "", form: false });
    const page = await openWords(t, { words: loading, answers: [loading, wordsOf()] });
    await page.pass(1499);
    assert.deepEqual(page.asked(), []);
    await page.pass(1);
    assert.deepEqual(page.asked(), ["/film/transcript?t=4"]);
    await page.pass(1500);
    assert.equal(page.all(".sentence").length, 4);
    await page.pass(3000);
    assert.equal(page.asked().length, 1, "and then no more");
    t.mock.timers.reset();
    const never = await openWords(t, { words: loading, answers: [loading] });
    for (let turn = 0; turn < 25; turn += 1) await never.pass(1500);
    assert.equal(never.asked().length, 20);
  },
);

test("words on their way that fail leave the page where it is", { skip }, async (t) => {
  const loading = wordsOf({ state: "loading", rows: "", form: false });
  const page = await openWords(t, { words: loading, answers: [loading, 500] });
  await page.pass(1500);
  await page.pass(1500);
  assert.deepEqual([globalThis.location.search, page.one("#transcript").dataset.state], ["", "loading"]);
});

for (const state of ["failed", "loading"])
  test(`words that are ${state} are asked for with a press`, { skip }, async (t) => {
    const page = await openWords(t, { words: wordsOf({ state, rows: "", form: false }) });
    assert.equal(await page.press("[data-retry]"), true);
    assert.deepEqual(
      [page.asked(), page.all(".sentence").length, page.one("#find") !== null],
      [["/film/transcript?t=4"], 4, true],
    );
  });

test("a sentence that is pressed is played, and Back follows what is said", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf() });
  assert.equal(await page.press("[data-n='3'] .sentence__words"), true);
  assert.deepEqual(page.done, [6, "play"]);
  page.fire("[data-words-list]", "wheel");
  assert.equal(page.offer(), true);
  assert.equal(await page.press("[data-follow] b"), true);
  assert.equal(page.offer(), false);
});

test("presses for a new tab, with another button, or of anything else are left alone", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf() });
  for (const [target, more] of [
    [".sentence__link", { ctrlKey: true }],
    [".sentence__link", { button: 1 }],
    ["[data-more=later]", {}],
    ["#outside", {}],
    ["[data-words-list]", {}],
    ["[data-panel=comments]", {}],
  ])
    assert.equal(await page.press(target, more), false, target);
  page.one("#transcript").addEventListener("click", (event) => event.preventDefault(), { once: true });
  page.click(".sentence__link");
  page.fire("#other", "input");
  await page.pass(1000);
  page.fire("#threads", "submit");
  assert.deepEqual([page.done, page.asked(), page.submitted.length], [[], [], 1]);
});

test("a comment that is opened turns to the comments, and Back to what the address says", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf() });
  await page.show("transcript");
  page.fire(page.document, "room:thread");
  assert.deepEqual(page.tabs(), COMMENTS);
  for (const [search, tabs] of [
    ["?tab=transcript", WORDS],
    ["", COMMENTS],
  ]) {
    globalThis.location.search = search;
    page.fire(page.window, "popstate");
    await settled();
    assert.deepEqual([page.tabs(), page.at()], [tabs, "/film?tab=transcript"]);
  }
});

test("an address with a comment opens the comments, and what was started is not started twice", { skip }, async (t) => {
  const page = await openWords(t, { words: wordsOf(), hash: "#c-1" });
  assert.deepEqual(page.tabs(), COMMENTS);
  t.mock.timers.reset();
  const plain = await openWords(t, { words: wordsOf(), hash: "#main" });
  plain.one("[data-tab]").dataset.tab = "transcript";
  plain.start({});
  await plain.press("[data-n='3'] a");
  assert.deepEqual([plain.one("[data-tab]").dataset.tab, plain.done], ["transcript", [6, "play"]]);
});
