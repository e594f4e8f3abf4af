import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const TOOLS = ["heading", "bold", "italic", "list", "numbers", "quote", "link"];
const PAGE = `
  <div data-markdown-tools hidden><i id="gap"></i>
    ${TOOLS.map((name, at) => `<button id="${name}" data-md="${name}" ${at ? 'tabindex="-1"' : ""}><b></b></button>`).join("")}
  </div>
  <textarea data-markdown></textarea><button id="line-0" data-line="0"></button><button data-line="2"><b></b></button>
  <input id="title" data-cover="title"><input id="other"><p data-cover-shown="title">Old</p>`;

/** A text in which "|" stands at both ends of what is chosen. */
async function openText(marked = "|", { hasUndo = false, body = PAGE } = {}) {
  const page = openDashboard(body);
  const field = page.one("textarea");
  const told = [];
  page.document.execCommand = (name, shown, text) => {
    told.push([name, text]);
    if (hasUndo) field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    return hasUndo;
  };
  const script = await load("ai_content/markdown.js");
  const at = marked.indexOf("|");
  const to = marked.lastIndexOf("|");
  if (field) {
    field.value = marked.replaceAll("|", "");
    field.setSelectionRange(at, to > at ? to - 1 : at);
  }
  let inputs = 0;
  field?.addEventListener("input", () => (inputs += 1));
  const shown = () => {
    const { value, selectionStart: from, selectionEnd: end } = field;
    return from === end
      ? `${value.slice(0, from)}|${value.slice(from)}`
      : `${value.slice(0, from)}|${value.slice(from, end)}|${value.slice(end)}`;
  };
  return Object.assign(page, { ...script, field, told, shown, inputs: () => inputs });
}

for (const [tool, before, after] of [
  ["bold", "a |b| c", "a **|b|** c"],
  ["bold", "a |**b**| c", "a |b| c"],
  ["bold", "|****|", "|"],
  ["bold", "|***|", "**|***|**"],
  ["bold", "|**b|", "**|**b|**"],
  ["bold", "|b**|", "**|b**|**"],
  ["italic", "a|c", "a*|*c"],
  ["italic", "|*b*|", "|b|"],
  ["heading", "a\nb|c\nd", "a\n|## bc|\nd"],
  ["heading", "|## b|", "|b|"],
  ["list", "a\nb|b\nc|c", "a\n|- bb\n- cc|"],
  ["list", "|- a\n- b|", "|a\nb|"],
  ["list", "|- a\nb|", "|- a\n- b|"],
  ["numbers", "|# a\n- b\n12. c\n> d|\ne", "|1. a\n1. b\n1. c\n1. d|\ne"],
  ["list", "a\n|b", "a\n|- b|"],
  ["quote", "|", "|> |"],
  ["link", "see |this| one", "see [this](https://|) one"],
  ["link", "|", "[](https://|)"],
  ["", "a|", "a|"],
])
  test(`${tool || "an unknown tool"} on ${JSON.stringify(before)}`, { skip }, async () => {
    const page = await openText(before);
    if (!tool) page.one("#bold").dataset.md = "unknown";
    page.click(`#${tool || "bold"} b`);
    assert.equal(page.shown(), after);
    assert.equal(page.inputs(), tool ? 1 : 0);
    if (tool) assert.ok(page.hasFocus(page.field));
  });

test("where the browser keeps an undo, the text comes from it, once", { skip }, async () => {
  const page = await openText("a |b|", { hasUndo: true });
  page.click("#bold");
  assert.deepEqual([page.shown(), page.told], ["a **|b|**", [["insertText", "**b**"]]]);
});

for (const [key, more, text] of [
  ["b", { ctrlKey: true }, "**|a|**"],
  ["b", { metaKey: true }, "**|a|**"],
  ["и", { ctrlKey: true, code: "KeyB" }, "**|a|**"],
  ["i", { ctrlKey: true }, "*|a|*"],
  ["ш", { metaKey: true, code: "KeyI" }, "*|a|*"],
  ["b", {}, "|a|"],
  ["i", {}, "|a|"],
  ["u", { ctrlKey: true }, "|a|"],
  ["b", { ctrlKey: true, altKey: true }, "|a|"],
  ["b", { ctrlKey: true, isComposing: true }, "|a|"],
])
  test(`${[...Object.keys(more), key].join(" ")} in the text gives ${text}`, { skip }, async () => {
    const page = await openText("|a|");
    assert.equal(page.press(page.field, key, more), text !== "|a|");
    assert.equal(page.shown(), text);
  });

for (const [before, after] of [
  ["- a|", "- a\n- |"],
  ["a\n  * b|\nc", "a\n  * b\n  * |\nc"],
  ["+ a|b", "+ a\n+ |b"],
  ["9. a|", "9. a\n10. |"],
  ["x\n- |\ny", "x\n|\ny"],
  ["a|", null],
  ["-a|", null],
  ["- a|b|", null],
  ["|- a", null],
])
  test(
    `Enter in ${JSON.stringify(before)} ${after === null ? "is the browser's" : "goes on with the list"}`,
    { skip },
    async () => {
      const page = await openText(before);
      assert.equal(page.press(page.field, "Enter"), after !== null);
      assert.equal(page.shown(), after ?? before);
    },
  );

for (const more of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { isComposing: true }])
  test(`Enter with ${Object.keys(more)[0]} is no new item`, { skip }, async () => {
    const page = await openText("- a|");
    assert.deepEqual([page.press(page.field, "Enter", more), page.shown()], [false, "- a|"]);
  });

test("arrows go around the tools, of which Tab reaches one", { skip }, async () => {
  const page = await openText();
  assert.equal(page.one("[data-markdown-tools]").hidden, false);
  page.one("#heading").focus();
  for (const [key, id] of [
    ["ArrowRight", "bold"],
    ["ArrowLeft", "heading"],
    ["ArrowLeft", "link"],
    ["ArrowRight", "heading"],
  ]) {
    assert.ok(page.press(page.document.activeElement, key));
    assert.ok(page.hasFocus(`#${id}`), id);
    assert.deepEqual(
      page.all("[data-md][tabindex='0'], [data-md]:not([tabindex])").map((button) => button.id),
      [id],
    );
    assert.equal(page.all("[data-md][tabindex='-1']").length, TOOLS.length - 1);
  }
  assert.equal(page.press("#heading", "ArrowDown"), false);
  page.field.focus();
  assert.equal(page.press("#bold", "ArrowRight"), false);
  page.click("#gap");
  assert.equal(page.inputs(), 0);
});

for (const [target, expected] of [
  ["#line-0", "|one\ntwo\nthree"],
  ["[data-line='2'] b", "one\ntwo\n|three"],
])
  test(`the heading ${target} leads to its line`, { skip }, async () => {
    const page = await openText("one\ntwo\nthree|");
    Object.defineProperty(page.field, "scrollHeight", { value: 300 });
    Object.defineProperty(page.field, "clientHeight", { value: 90 });
    page.click(target);
    assert.deepEqual([page.shown(), page.hasFocus(page.field)], [expected, true]);
    assert.equal(page.field.scrollTop, expected.startsWith("|") ? -30 : 170);
  });

test("the cover shows what is written for it", { skip }, async () => {
  const page = await openText();
  page.type("#other", "Elsewhere");
  assert.equal(page.one("p").textContent, "Old");
  page.type("#title", "New");
  assert.equal(page.one("p").textContent, "New");
  page.one("p").remove();
  page.type("#title", "Newer");
});

test("a page without tools or without a text has nothing to press", { skip }, async () => {
  const plain = await openText("a|", { body: "<textarea data-markdown></textarea>" });
  assert.equal(plain.press(plain.field, "b", { ctrlKey: true }), false);
  const none = await openText("", { body: `<div data-markdown-tools hidden></div><b data-line="1"></b>` });
  none.click("b");
  assert.ok(none.one("div").hidden);
});
