import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { idOf, liveOf, openReview, problemOf, replyOf, threadOf } from "./review.mjs";

const SKETCH = '{"size":[16,9],"shapes":[]}';
const STILL = `<div class="comment__body"><p>With a drawing</p><i class="still" data-sketch='${SKETCH}'></i></div>`;
const same = (n) => `<li data-same="c-${idOf(n)}"></li>`;
const THREADS =
  threadOf(1, { replies: replyOf(8) }) + threadOf(3, { folded: true, more: 'data-at="30.5"' }) + threadOf(2);
const answerOf = (list, more = "") => `${liveOf(6, { after: 5, more: "" })}<ol id="threads">${list}</ol>${more}`;
const DONE = answerOf(same(1) + same(3) + same(2));

async function openBoxes(t, options = {}) {
  const page = openReview(t, { threads: THREADS, live: liveOf(5, { more: "" }), answers: [DONE], ...options });
  if (options.online === false) globalThis.navigator.onLine = false;
  const { player } = await load("review_portal/player.js");
  const boxes = await load("review_portal/boxes.js");
  boxes.start();
  await settled();
  const in_ = (n, selector) => page.thread(n).querySelector(selector);
  return Object.assign(page, {
    player,
    in: in_,
    form: (kind, n) => page.one(`[data-draft="${kind}-${idOf(n)}"]`),
    draft: (kind, n) => page.keeps(`draft:${kind}-${idOf(n)}`),
    open(kind, n) {
      page.click(in_(n, `:scope > .comment__actions [data-${kind}]`));
      return page.one(`[data-draft="${kind}-${idOf(n)}"]`);
    },
    async undo() {
      page.click("#toasts button");
      await settled();
    },
    async status(n, value) {
      const button = in_(n, `[value="${value}"]`);
      button.focus();
      button.click();
      await settled();
    },
    focused: () => page.document.activeElement.id || page.document.activeElement.tagName,
  });
}

test("a reply has its box below the comment, with the comment's writer and the focus", { skip }, async (t) => {
  const page = await openBoxes(t);
  const form = page.open("reply", 3);
  assert.deepEqual([form.elements.reply_to.value, form.elements.key.value.length, form.id], [idOf(3), 36, ""]);
  assert.deepEqual([form.querySelector("[data-to]").textContent, form.elements.text.value], ["Reply to Ann3", ""]);
  assert.equal(form.previousElementSibling.className, "comment__actions");
  assert.ok(page.hasFocus(form.elements.text));
  assert.ok(page.thread(3).open);
  page.type(form.elements.text, "Yes");
  assert.equal(page.open("reply", 3), form, "it is opened once");
  assert.equal(form.elements.text.value, "Yes");
});

test("an answer to a reply is one to its thread that names its writer once", { skip }, async (t) => {
  const page = await openBoxes(t);
  const press = () => page.click("#c-88888888 [data-reply]");
  press();
  const form = page.form("reply", 1);
  assert.deepEqual([form.elements.text.value, form.querySelector("[data-to]").textContent], ["@Bo8 ", "Reply to Ann1"]);
  assert.equal(form.parentElement.id, `c-${idOf(1)}`);
  form.elements.text.value = "@Bo8 Yes";
  press();
  assert.equal(form.elements.text.value, "@Bo8 Yes");
});

test("an edit has the words and the time of its comment, that of a reply has no time", { skip }, async (t) => {
  const page = await openBoxes(t);
  const form = page.open("edit", 3);
  const { text, time, opened_text: opened, drawing, key } = form.elements;
  assert.deepEqual([text.value, opened.value, time.value, key.value.length], ["Text 3", "Text 3", "0:30", 36]);
  assert.deepEqual(
    [new URL(form.action, "https://x").pathname, drawing.value, drawing.disabled],
    [`/film/comments/${idOf(3)}`, "", true],
  );
  assert.ok(page.hasFocus(text));
  page.click("#c-88888888 [data-edit]");
  const other = page.form("edit", 8);
  assert.deepEqual([other.elements.text.value, other.querySelectorAll("[data-timed]").length], ["Reply 8", 0]);
  assert.equal(other.elements.time, undefined);
});

test("an edit of a drawing shows it, and sends it only when it was changed", { skip }, async (t) => {
  let drawn = 0;
  const page = await openBoxes(t, {
    threads: threadOf(1, { body: STILL }).replace(/<p class="comment__text.*?p>/, ""),
  });
  page.document.addEventListener("room:drawing", () => (drawn += 1));
  const form = page.open("edit", 1);
  const { drawing, text } = form.elements;
  assert.deepEqual([drawing.value, drawing.disabled, text.value, drawn], [SKETCH, true, "With a drawing", 1]);
  page.type(text, "New");
  assert.equal("drawing" in page.draft("edit", 1), false);
  drawing.disabled = false;
  drawing.value = "";
  page.type(text, "Newer");
  assert.equal(page.draft("edit", 1).drawing, "");
  page.click(form.querySelector("[data-leave]"));
  const again = page.open("edit", 1);
  assert.deepEqual([again.elements.drawing.value, again.elements.drawing.disabled], ["", false]);
});

test(
  "what is typed in a box is kept with its moment, and stands there again when it is opened",
  { skip },
  async (t) => {
    const page = await openBoxes(t);
    const reply = page.open("reply", 1);
    page.type(reply.elements.text, "Yes");
    assert.deepEqual([page.draft("reply", 1).text, page.draft("reply", 1).time], ["Yes", 10]);
    page.type(reply.elements.user_name, "Ana");
    reply.elements.text.value = "More";
    page.type(reply.elements.user_name, "Ana");
    assert.equal(page.draft("reply", 1).text, "Yes", "a name is no text");
    const edit = page.open("edit", 3);
    edit.elements.text.value = "New";
    page.type(edit.elements.time, "0:42");
    assert.deepEqual(
      [page.draft("edit", 3).time, page.draft("edit", 3).opened, page.draft("edit", 3).text],
      [42, "Text 3", "New"],
    );
    page.type(edit.elements.time, "never");
    assert.deepEqual([page.draft("edit", 3).time, edit.querySelector('[data-error="time"]').hidden], [0, false]);
    page.type(edit.elements.time, "0:41");
    page.click(edit.querySelector("[data-leave]"));
    assert.deepEqual([page.form("edit", 3), page.heard("room:closed").length], [null, 1]);
    const again = page.open("edit", 3).elements;
    const { key } = page.draft("edit", 3);
    assert.deepEqual(
      [again.text.value, again.time.value, again.opened_text.value, again.key.value],
      ["New", "0:41", "Text 3", key],
    );
  },
);

test("boxes with a draft stand open again, without taking the focus", { skip }, async (t) => {
  const stored = {
    [`draft:reply-${idOf(1)}`]: { text: "Yes", time: 10, key: "k7" },
    [`draft:edit-${idOf(3)}`]: { text: "New", time: 33, key: "k8", opened: "Old" },
    [`draft:reply-${idOf(9)}`]: { text: "Gone", time: 10, key: "k9" },
    "draft:main": { text: "Main", time: 10, key: "k9" },
  };
  const page = await openBoxes(t, { stored });
  assert.equal(page.all(".reply-box").length, 2);
  const [reply, edit] = [page.form("reply", 1).elements, page.form("edit", 3).elements];
  assert.deepEqual([reply.text.value, reply.key.value], ["Yes", "k7"]);
  assert.deepEqual(
    [edit.text.value, edit.time.value, edit.opened_text.value, edit.key.value],
    ["New", "0:33", "Old", "k8"],
  );
  assert.equal(page.focused(), "BODY");
});

test("an edited comment is saved, says so, and can be put back", { skip }, async (t) => {
  const page = await openBoxes(t);
  const form = page.open("edit", 3);
  page.type(form.elements.text, "New");
  form.elements.time.value = "0:42";
  await page.submit(form);
  const address = `/film/comments/${idOf(3)}`;
  assert.deepEqual(page.sent("text", "time", "opened_text", "drawing"), [
    [address, "New", "0:42", "Text 3", undefined],
  ]);
  assert.deepEqual([page.form("edit", 3), page.draft("edit", 3)], [null, null]);
  assert.deepEqual([page.toast(), page.said(), page.focused()], ["saved.undo.", "saved.", `c-${idOf(3)}`]);
  await page.undo();
  const [, [, body]] = page.requests;
  assert.deepEqual([body.text, body.time, "drawing" in body, body.key.length], ["Text 3", "0:30", false, 36]);
  assert.deepEqual([page.said(), page.requests[1][0]], ["saved.", address]);
});

test("a changed drawing is put back with its words", { skip }, async (t) => {
  const page = await openBoxes(t, { threads: threadOf(1, { body: STILL }), answers: [answerOf(same(1))] });
  const form = page.open("edit", 1);
  form.elements.drawing.disabled = false;
  form.elements.drawing.value = "{}";
  await page.submit(form);
  await page.undo();
  assert.deepEqual(
    page
      .sent("drawing")
      .flat()
      .filter((text) => !text.startsWith("/")),
    ["{}", SKETCH],
  );
});

for (const [what, answer, toast] of [
  ["without an answer", { status: 500, html: "" }, "trouble."],
  [
    "with a refusal",
    { status: 409, html: answerOf(same(1) + same(3) + same(2), "<p data-refusal>Too late.</p>") },
    "Too late.",
  ],
])
  test(`what cannot be put back ${what} says so`, { skip }, async (t) => {
    const page = await openBoxes(t, { answers: [DONE, answer] });
    await page.submit(page.open("edit", 1));
    await page.undo();
    assert.equal(page.toast(), toast);
  });

test("words typed while an edit is saved stay, as its next change", { skip }, async (t) => {
  const page = await openBoxes(t);
  const form = page.open("edit", 1);
  const { text, key, opened_text: opened } = form.elements;
  const before = key.value;
  text.value = "New";
  form.requestSubmit();
  text.value = "Newer";
  await settled();
  assert.equal(page.form("edit", 1), form);
  assert.deepEqual([text.value, opened.value, page.draft("edit", 1).text], ["Newer", "New", "Newer"]);
  assert.notEqual(key.value, before);
  assert.equal(page.draft("edit", 1).key, key.value);
  assert.ok(page.hasFocus(text));
  text.value = "a\nb";
  await page.submit(form);
  assert.equal(page.form("edit", 1), null, "the ends of lines are the same");
});

test("a comment is withdrawn after a question, of which no draft is kept", { skip }, async (t) => {
  const page = await openBoxes(t, { answers: [answerOf(same(3) + same(2))] });
  const form = page.open("withdraw", 1);
  assert.ok(page.hasFocus(form.querySelector("[data-leave]")));
  page.fire(form.elements.key, "input");
  page.fire("#elsewhere", "input");
  assert.deepEqual(page.names("draft:"), []);
  await page.submit("#act", null);
  assert.deepEqual(page.requests, [], "nothing was pressed");
  await page.submit(form);
  assert.deepEqual(page.sent("withdraw"), [[`/film/comments/${idOf(1)}`, "1"]]);
  assert.equal(page.sent("key")[0][1].length, 36);
  assert.deepEqual([page.said(), page.toast(), page.thread(1)], ["withdrawn.", "", null]);
});

test("a change whose end is not known yet says so, with nothing to undo", { skip }, async (t) => {
  const page = await openBoxes(t, {
    answers: [answerOf(same(1) + same(3) + same(2), "<p data-refusal>Not sure.</p>")],
  });
  await page.submit(page.open("edit", 1));
  assert.deepEqual([page.toast(), page.said(), page.one("#toasts button")], ["Not sure.", "Not sure.", null]);
});

for (const [what, answer, { error = "", toast = "", open = true, fresh = false }] of [
  ["trouble", { status: 500, html: "" }, { toast: "trouble." }],
  ["a problem", { status: 400, html: problemOf("Too long.") }, { error: "Too long." }],
  [
    "a refusal",
    { status: 409, html: answerOf(same(1) + same(3) + same(2), "<p data-refusal>Too late.</p>") },
    { error: "Too late.", fresh: true },
  ],
  [
    "a refusal without words",
    { status: 409, html: answerOf(same(1) + same(3) + same(2)) },
    { error: "trouble.", fresh: true },
  ],
  [
    "a refusal of what is gone",
    { status: 409, html: answerOf(same(3) + same(2), "<p data-refusal>Gone.</p>") },
    { toast: "Gone.", open: false },
  ],
])
  test(`an edit that meets ${what} keeps its words`, { skip }, async (t) => {
    const page = await openBoxes(t, { answers: [answer] });
    const form = page.open("edit", 1);
    const before = form.elements.key.value;
    page.type(form.elements.text, "New");
    await page.submit(form);
    const slot = form.querySelector('[data-error=""]');
    assert.deepEqual([slot.textContent, page.toast(), page.form("edit", 1) === form], [error, toast, open]);
    assert.equal(page.draft("edit", 1).text, "New");
    if (error)
      assert.deepEqual(
        [slot.hidden, page.document.activeElement === (fresh ? slot : form.elements.text)],
        [false, true],
      );
    if (open) assert.equal(form.elements.key.value !== before, fresh);
    assert.equal(form.querySelector("[type=submit]").ariaDisabled, null);
    if (fresh) assert.equal(page.said(), error);
  });

test("who went elsewhere while an answer was on its way stays there", { skip }, async (t) => {
  let answer;
  const page = await openBoxes(t, { answers: [new Promise((done) => (answer = done)), DONE] });
  const form = page.open("edit", 1);
  form.requestSubmit();
  form.requestSubmit();
  page.one("#elsewhere").focus();
  answer(DONE);
  await settled();
  assert.deepEqual([page.requests.length, page.focused()], [1, "elsewhere"], "and it was sent once");
});

for (const [kind, label] of [
  ["edit", "“New”"],
  ["withdraw", "withdrawal."],
])
  test(`without a connection ${kind} waits and its box is closed`, { skip }, async (t) => {
    const page = await openBoxes(t, { online: false });
    const form = page.open(kind, 1);
    if (kind === "edit") page.type(form.elements.text, "New");
    const key = form.elements.key.value;
    await page.submit(form);
    const { action, label: shown, edits, fields } = page.keeps(`queue:${key}`);
    assert.deepEqual(
      [action, shown, fields.text ?? "none"],
      [`/film/comments/${idOf(1)}`, label, kind === "edit" ? "New" : "none"],
    );
    assert.equal(edits, kind === "edit" ? `edit-${idOf(1)}` : undefined);
    assert.deepEqual([page.form(kind, 1), page.draft(kind, 1), page.heard("room:closed").length], [null, null, 1]);
  });

test("a closed box gives the focus back to its comment, unless it is elsewhere", { skip }, async (t) => {
  const page = await openBoxes(t);
  page.click(page.open("reply", 1).querySelector("[data-leave]"));
  assert.ok(page.hasFocus(page.in(1, "[data-reply]")));
  const form = page.open("reply", 1);
  page.one("#elsewhere").focus();
  page.fire(form, "room:close");
  assert.equal(page.focused(), "elsewhere");
});

test("a comment is resolved with one press, stays in place, and can be opened again", { skip }, async (t) => {
  const page = await openBoxes(t);
  await page.status(2, "resolved");
  assert.deepEqual(page.sent("status"), [[`/film/comments/${idOf(2)}`, "resolved"]]);
  assert.deepEqual([page.toast(), page.said(), page.focused()], ["resolved.undo.", "resolved.", `c-${idOf(2)}`]);
  assert.equal(page.in(2, '[value="resolved"]').ariaDisabled, null);
  await page.undo();
  assert.deepEqual(page.sent("status").at(-1), [`/film/comments/${idOf(2)}`, "open"]);
  assert.notEqual(page.requests[0][1].key, page.requests[1][1].key);
  assert.equal(page.focused(), `c-${idOf(2)}`);
  await page.status(3, "resolved");
  assert.equal(page.focused(), "SUMMARY");
});

test("a reopened comment can be resolved again", { skip }, async (t) => {
  const page = await openBoxes(t);
  page.in(1, '[value="resolved"]').value = "open";
  await page.status(1, "open");
  assert.deepEqual([page.toast(), page.said()], ["reopened.undo.", "reopened."]);
  await page.undo();
  assert.deepEqual(
    page.sent("status").map(([, status]) => status),
    ["open", "resolved"],
  );
});

for (const [from, list, focus] of [
  [1, [1, 3, 2], 2],
  [2, [1, 3, 2], 1],
  [1, [1, 3], 1],
])
  test(`after comment ${from} of ${list} the next open one is ${focus}`, { skip }, async (t) => {
    const threads = list.map((n) => threadOf(n, { folded: n === 3, t: n * 10 })).join("");
    const page = await openBoxes(t, { threads, answers: [answerOf(list.map(same).join(""))] });
    await page.status(from, "resolved-next");
    assert.equal(page.focused(), `c-${idOf(focus)}`);
  });

test("a resolved comment that leaves the list leads to its title", { skip }, async (t) => {
  const page = await openBoxes(t, { answers: [answerOf(same(3) + same(2))] });
  await page.status(1, "resolved");
  assert.deepEqual([page.focused(), page.toast()], ["talk-title", "resolvedHidden.undo."]);
});

for (const [what, answer, toast] of [
  ["trouble", { status: 500, html: "" }, "trouble."],
  ["a problem", { status: 400, html: problemOf(" Closed. ") }, "Closed."],
  [
    "a refusal",
    { status: 409, html: answerOf(same(1) + same(3) + same(2), "<p data-refusal>Too late.</p>") },
    "Too late.",
  ],
  ["an end that is not known", answerOf(same(1) + same(3) + same(2), "<p data-refusal>Not sure.</p>"), "Not sure."],
])
  test(`resolving that meets ${what} says so and nothing else`, { skip }, async (t) => {
    const page = await openBoxes(t, { answers: [answer] });
    await page.status(1, "resolved");
    assert.deepEqual([page.toast(), page.one("#toasts button")], [toast, null]);
    if (toast === "Not sure.") assert.equal(page.said(), toast);
  });

test("without a connection resolving waits, under the name of its button and its comment", { skip }, async (t) => {
  const page = await openBoxes(t, { online: false });
  await page.status(1, "resolved");
  const [key] = page.names("queue:");
  const { label, fields } = page.keeps(`queue:${key}`);
  assert.deepEqual([label, fields.status, fields.key], ["Resolve: “Text 1”", "resolved", key]);
});

test(
  "resolving is sent once, however often it is pressed, and leaves who went elsewhere there",
  { skip },
  async (t) => {
    let answer;
    const page = await openBoxes(t, { answers: [new Promise((done) => (answer = done)), DONE] });
    await page.status(1, "resolved");
    await page.status(1, "resolved");
    page.one("#elsewhere").focus();
    answer(DONE);
    await settled();
    assert.deepEqual([page.requests.length, page.focused()], [1, "elsewhere"]);
  },
);

test("a link to a comment has its frame, and stands in a question where nothing can be copied", { skip }, async (t) => {
  const page = await openBoxes(t);
  const copied = [];
  page.window.prompt = (question, address) => copied.push(question, address);
  page.click(page.in(3, "[data-copy]"));
  await settled();
  globalThis.navigator.clipboard = { writeText: async (text) => copied.push(text) };
  page.click(page.in(1, "[data-copy]"));
  await settled();
  const address = (n, at) => `https://reelroom.example/film?t=${at}#c-${idOf(n)}`;
  assert.deepEqual([copied, page.toast()], [["copyHere.", address(3, "30.5"), address(1, "10")], "copied."]);
});

test("a press that asks for a new tab opens no box", { skip }, async (t) => {
  const page = await openBoxes(t);
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])
    page.click(page.in(1, "[data-reply]"), more);
  assert.deepEqual([page.all(".reply-box").length, page.followed.length], [0, 4]);
});

test("a text that comes back stands in its box above what is there", { skip }, async (t) => {
  const page = await openBoxes(t);
  const bring = (text, parent = idOf(1)) => page.fire(page.document, "room:reply", { detail: { parent, text } });
  bring("One");
  const form = page.form("reply", 1);
  assert.ok(page.hasFocus(form.elements.text));
  bring("Two");
  assert.equal(form.elements.text.value, "Two\nOne");
  form.elements.text.value = " ";
  page.one("#elsewhere").focus();
  bring("Three");
  assert.deepEqual([form.elements.text.value, page.focused()], ["Three", "elsewhere"]);
  bring("Nowhere", idOf(9));
  page.fire(page.document, "room:reopen");
});

test("another tab's draft is followed, but not under the hands of who types", { skip }, async (t) => {
  const page = await openBoxes(t);
  const form = page.open("reply", 1);
  const change = (draft, place = form.dataset.draft) =>
    page.fire(page.document, "room:draft", { detail: { place, draft } });
  change({ text: "There" });
  assert.equal(form.elements.text.value, "");
  page.one("#elsewhere").focus();
  change({ text: "There" });
  change(null);
  change({ text: "Other" }, "reply-9");
  assert.equal(form.elements.text.value, "There");
});
