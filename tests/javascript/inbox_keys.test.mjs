import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { answerOf, openInbox, threadOf } from "./inbox.mjs";

const VIDEO = '<div data-film="v" data-start="0"><video><source src="/v.mp4" type="video/mp4"></video></div>';

async function openKeys(options = {}) {
  const page = openInbox({ thread: threadOf(options.open ?? "a", answerOf() + VIDEO), ...options });
  await load("inbox/keys.js");
  const video = page.one("video");
  page.played = [];
  if (video)
    for (const name of ["play", "pause"]) {
      video[name] = () => {
        page.played.push(name);
        Object.defineProperty(video, "paused", { value: name === "pause", configurable: true });
      };
    }
  page.did = async (...presses) => {
    const taken = presses.map(([target, key, more]) => page.press(target, key, more));
    await settled();
    return taken;
  };
  page.tick = (id) => page.row(id).querySelector("input").click();
  return page;
}

for (const [key, acts, opened] of [
  ["j", [], ["b"]],
  ["e", [["resolve", "a"]], ["c"]],
  ["u", [["unread", "a"]], []],
  ["о", [], ["b"]],
])
  test(`${key} acts on the open row`, { skip }, async () => {
    const page = await openKeys();
    assert.deepEqual(await page.did(["#text", key, { code: key === "о" ? "KeyJ" : "" }]), [true]);
    assert.deepEqual([page.acts(), page.opened()], [acts, opened]);
  });

test("K goes back, and X selects the row", { skip }, async () => {
  const page = await openKeys({ open: "c" });
  await page.did(["#text", "k"], ["#text", "x"]);
  assert.deepEqual([page.opened(), page.all("[name=pick]:checked").map((box) => box.value)], [["b"], ["b"]]);
});

for (const [key, act] of [
  ["e", "resolve"],
  ["u", "unread"],
])
  test(`${key} acts on all rows that are selected`, { skip }, async () => {
    const page = await openKeys();
    page.tick("b");
    page.tick("c");
    await page.did(["#text", key]);
    assert.deepEqual([page.acts(), page.opened()], [[[act, "b", "c"]], []]);
  });

test("without a row, keys of a row do nothing", { skip }, async () => {
  const page = await openKeys({ open: "elsewhere" });
  await page.did(["#text", "e"], ["#text", "u"], ["#text", "x"]);
  assert.deepEqual([page.acts(), page.all("[name=pick]:checked").length], [[], 0]);
});

test("R opens the row in focus, and the box of the open one", { skip }, async () => {
  const page = await openKeys();
  page.link("c").focus();
  await page.did([page.link("c"), "r"]);
  assert.deepEqual([page.opened(), page.hasFocus(page.link("c"))], [["c"], true]);
  await page.did(["#text", "r"]);
  assert.ok(page.hasFocus("#answer-text"));
  const none = await openKeys({ open: "elsewhere" });
  await none.did(["#text", "r"]);
  assert.ok(none.hasFocus("#answer-text"));
});

const UNDO = `
  <div id="inbox-done"><button>Undo</button></div>
  <div id="inbox-undo">${["first", "last"].map((id) => `<form id="${id}" method="post"><button></button></form>`).join("")}</div>`;

test("Z undoes the last action first, and a second press the one before", { skip }, async () => {
  const page = await openKeys({ more: UNDO });
  const sent = () => page.submitted.map(([form]) => form.id);
  await page.did(["#text", "z"]);
  assert.deepEqual([sent(), page.one("#last").getAttribute("aria-busy")], [["last"], "true"]);
  await page.did(["#text", "z"]);
  assert.deepEqual(sent(), ["last", "first"]);
  page.fire("#first", "htmx:afterRequest", { detail: { successful: true } });
  page.fire("#last", "htmx:afterRequest", { detail: { successful: false } });
  page.fire("#last", "htmx:afterRequest", { detail: { successful: true } });
  assert.deepEqual([page.one("#first"), page.one("#last").hasAttribute("aria-busy")], [null, false]);
  await page.did(["#text", "z"]);
  assert.deepEqual(sent(), ["last", "first", "last"]);
});

test("Z presses the button of the notice where no other action is left", { skip }, async () => {
  const page = await openKeys({ more: UNDO });
  let pressed = 0;
  page.one("#inbox-done button").addEventListener("click", () => (pressed += 1));
  await page.did(["#text", "z"], ["#text", "z"]);
  assert.equal(pressed, 0);
  await page.did(["#text", "z"]);
  assert.equal(pressed, 1);
  const none = await openKeys();
  assert.deepEqual(await none.did(["#text", "z"]), [true]);
});

test("Space plays and pauses, except on what Space presses", { skip }, async () => {
  const page = await openKeys();
  const pick = page.row("a").querySelector("input");
  const taken = await page.did(
    ["#text", " "],
    ["#text", " "],
    ["#thread button", " "],
    ["summary", " "],
    [pick, " "],
    [".inbox__bar a", " "],
  );
  assert.deepEqual(
    [taken, page.played],
    [
      [true, true, false, false, false, false],
      ["play", "pause"],
    ],
  );
});

test("a key that is held walks on, and acts once", { skip }, async () => {
  const page = await openKeys();
  await page.did(["#text", "j", { repeat: true }], ["#text", "u", { repeat: true }]);
  assert.deepEqual([page.opened(), page.acts()], [["b"], []]);
});

for (const [why, target, more] of [
  ["in a field", "#field", {}],
  ["in the video", "video", {}],
  ["on a radio button", "#radio", {}],
  ["with Ctrl", "#text", { ctrlKey: true }],
  ["while a word is composed", "#text", { isComposing: true }],
])
  test(`no single key acts ${why}`, { skip }, async () => {
    const page = await openKeys({ more: '<input type="radio" id="radio">' });
    assert.deepEqual([await page.did([target, "u", more]), page.acts()], [[false], []]);
  });

test("no single key acts in dialogs, with the switch off, or where it means nothing", { skip }, async () => {
  const page = await openKeys({ more: "<dialog></dialog>" });
  assert.deepEqual(await page.did(["#text", "q"]), [false]);
  page.one("dialog").showModal();
  assert.deepEqual(await page.did(["#text", "u"]), [false]);
  page.one("dialog").close();
  page.one("[data-single-keys]").checked = false;
  assert.deepEqual([await page.did(["#text", "u"]), page.acts()], [[false], []]);
});

for (const [what, more, buttons, expected] of [
  ["Ctrl and Enter sends", { ctrlKey: true }, ["resolve", ""], [true, [""]]],
  ["Cmd and Enter sends", { metaKey: true }, ["resolve", ""], [true, [""]]],
  ["Shift, Ctrl and Enter sends and resolves", { ctrlKey: true, shiftKey: true }, ["resolve", ""], [true, ["resolve"]]],
  ["Shift, Ctrl and Enter sends where nothing resolves", { ctrlKey: true, shiftKey: true }, [""], [true, [""]]],
  ["Enter alone writes a line", {}, ["resolve", ""], [false, []]],
  ["Ctrl and Enter waits for the end of a word", { ctrlKey: true, isComposing: true }, [""], [false, []]],
])
  test(`in the box of the reply ${what}`, { skip }, async () => {
    const page = await openKeys();
    const pressed = [];
    for (const button of page.all("[data-then]")) {
      if (!buttons.includes(button.dataset.then)) button.remove();
      button.addEventListener("click", () => pressed.push(button.dataset.then));
    }
    assert.deepEqual([...(await page.did(["#answer-text", "Enter", more])), pressed], expected);
  });

test("Esc goes from the reply to its row", { skip }, async () => {
  const page = await openKeys();
  page.one("#answer-text").focus();
  assert.deepEqual(await page.did(["#answer-text", "e"], ["#answer-text", "Escape"]), [false, true]);
  assert.deepEqual([page.hasFocus(page.link("a")), page.acts()], [true, []]);
  const other = await openKeys({ open: "elsewhere" });
  assert.deepEqual(await other.did(["#answer-text", "Escape"]), [false]);
});

test("comma and full stop step through the frames of a video that stands", { skip }, async () => {
  const page = await openKeys();
  const video = page.one("video");
  Object.defineProperty(video, "duration", { value: 60 });
  video.currentTime = 10;
  await page.did(["#text", "."]);
  const after = video.currentTime;
  assert.ok(after > 10);
  await page.did(["#text", ","]);
  assert.ok(video.currentTime < after);
  Object.defineProperty(video, "paused", { value: false, configurable: true });
  const now = video.currentTime;
  await page.did(["#text", "."]);
  assert.equal(video.currentTime, now);
});
