import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const TOKEN = `{"X-CSRFToken": "token-1"}`;
const HTML = "<b>Pasted</b>";

async function openText(value, { at = value.length, to = at, answer = {}, html = HTML, plain = "Pasted" } = {}) {
  const page = openDashboard(`<textarea data-markdown data-paste="/paste/"></textarea>`);
  page.document.body.setAttribute("hx-headers", TOKEN);
  page.document.execCommand = () => false;
  const field = page.one("textarea");
  const asked = [];
  let come;
  globalThis.fetch = async (address, options) => {
    asked.push([address, options]);
    await new Promise((done) => (come = done));
    const { ok = true, type = "text/plain; charset=utf-8", text = "**Pasted**\n", fails = false } = answer;
    if (fails) throw new Error("no network");
    return { ok, headers: { get: (name) => (name === "Content-Type" ? type : null) }, text: async () => text };
  };
  await load("ai_content/paste.js");
  field.value = value;
  field.setSelectionRange(at, to);
  const event = new page.window.Event("paste", { bubbles: true, cancelable: true });
  const data = { "text/html": html, "text/plain": plain };
  event.clipboardData = { getData: (kind) => data[kind] ?? "" };
  field.dispatchEvent(event);
  const isTaken = event.defaultPrevented;
  return Object.assign(page, {
    field,
    asked,
    isTaken,
    async comes() {
      come();
      await settled();
      return field.value;
    },
    caret: () => [field.selectionStart, field.selectionEnd],
  });
}

test("formatted text is there at once as it is, and then as Markdown", { skip }, async () => {
  const page = await openText("Old text", { at: 4, to: 8, plain: "Pas\r\nt\red" });
  assert.deepEqual([page.isTaken, page.field.value, page.caret()], [true, "Old Pas\nt\ned", [12, 12]]);
  const [[address, { method, body, headers }]] = page.asked;
  assert.deepEqual([address, method, body.get("html")], ["/paste/", "POST", HTML]);
  assert.deepEqual(headers, { "X-CSRFToken": "token-1", "HX-Request": "true" });
  let told = 0;
  page.field.addEventListener("input", () => (told += 1));
  assert.equal(await page.comes(), "Old **Pasted**");
  assert.deepEqual([page.caret(), told], [[14, 14], 1]);
});

for (const [what, html] of [
  ...["h1", "h6", "strong", "i", "em", "s", "del", "ul", "ol", "table", "a", "blockquote", "pre", "code"].map((tag) => [
    tag,
    `<${tag} class="x">Pasted</${tag}>`,
  ]),
  ["a bold style", '<span style="FONT-WEIGHT:700">'],
  ["an italic style", '<span style="font-style:italic">'],
  ["a list of Word", '<p style="mso-list:l0">'],
])
  test(`${what} is a format`, { skip }, async () => {
    const page = await openText("", { html });
    assert.deepEqual([page.isTaken, page.asked.length], [true, 1]);
  });

for (const [what, options] of [
  ["text without a format", { html: "<p>Pasted</p><img><section><h7>" }],
  ["text that is plain only", { html: "" }],
  ["a picture", { plain: "" }],
  ["more than two million letters", { html: HTML.padEnd(2_000_001) }],
])
  test(`${what} is pasted by the browser`, { skip }, async () => {
    const page = await openText("Old", options);
    assert.deepEqual([page.isTaken, page.field.value, page.asked], [false, "Old", []]);
  });

test("two million letters are formatted still", { skip }, async () => {
  assert.ok((await openText("", { html: HTML.padEnd(2_000_000) })).isTaken);
});

for (const [what, answer] of [
  ["fails", { fails: true }],
  ["refuses", { ok: false }],
  ["shows a page to sign in", { type: "text/html" }],
  ["says nothing of its kind", { type: null }],
  ["finds nothing", { text: "\n" }],
  ["finds the same", { text: "Pasted\n" }],
])
  test(`the plain text stays where the server ${what}`, { skip }, async () => {
    const page = await openText("Old ", { answer });
    page.field.setSelectionRange(2, 3);
    assert.equal(await page.comes(), "Old Pasted");
    assert.deepEqual(page.caret(), [2, 3]);
  });

test("what was changed meanwhile is not replaced", { skip }, async () => {
  const page = await openText("Old ");
  page.field.value = "Old Pested";
  assert.equal(await page.comes(), "Old Pested");
});

for (const [before, after, text, expected] of [
  ["", "", "# H", "# H"],
  ["a", "b", "# H", "a\n\n# H\n\nb"],
  ["a\n", "\nb", "- x", "a\n\n- x\nb"],
  ["a\n\n", "b", "1. x", "a\n\n1. x\n\nb"],
  ["a", "", "> x", "a\n\n> x"],
  ["a", "", "| x", "a\n\n| x"],
  ["a", "", "```", "a\n\n```"],
  ["a", "", "x\ny", "a\n\nx\ny"],
  ["a", "b", "x", "axb"],
  ["a", "b", "10 x", "a10 xb"],
])
  test(`${JSON.stringify(text)} between ${JSON.stringify(before)} and ${JSON.stringify(after)}`, { skip }, async () => {
    const page = await openText(before + after, { at: before.length, answer: { text } });
    assert.equal(await page.comes(), expected);
  });

for (const [where, selection, expected] of [
  ["before it", [1, 2], [1, 2]],
  ["behind it", [9, 11], [13, 15]],
  ["at its end", [8, 8], [12, 12]],
  ["in it", [3, 4], [3, 4]],
])
  test(`who went on writing ${where} stays there`, { skip }, async () => {
    const page = await openText("Ab cde", { at: 2 });
    assert.equal(page.field.value, "AbPasted cde");
    page.field.setSelectionRange(...selection);
    assert.equal(await page.comes(), "Ab**Pasted** cde");
    assert.deepEqual(page.caret(), expected);
  });

test("who stands in a text that gets shorter stands at its end", { skip }, async () => {
  const page = await openText("", { answer: { text: "P" } });
  page.field.setSelectionRange(5, 5);
  assert.equal(await page.comes(), "P");
  assert.deepEqual(page.caret(), [1, 1]);
});

test(
  "without a text on the page nothing is pasted, and without a token it is asked for without",
  { skip },
  async () => {
    openDashboard("<p></p>");
    await load("ai_content/paste.js");
    const page = await openText("");
    page.document.body.removeAttribute("hx-headers");
    assert.equal(await page.comes(), "**Pasted**");
  },
);
