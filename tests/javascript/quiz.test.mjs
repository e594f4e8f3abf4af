import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeHtmx, load, openDashboard, settled, skip } from "./dashboard.mjs";

const IDS = ["a", "b", "c"];
const rowOf = (id) =>
  `<li class="quiz-row" id="row-${id}" data-handle="${id}"><a class="quiz-row__link" id="${id}" href="/quiz/${id}/"><b></b></a></li>`;
const answerOf = (at) => `
  <li data-answer><input type="checkbox" id="tick-${at}"><textarea id="answer-${at}" data-answer-text></textarea>
    <button name="do" value="up:${at}" ${at ? "" : "disabled"}></button>
    <button name="do" value="down:${at}" ${at < 2 ? "" : "disabled"}></button></li>`;
const PAGE = `
  <ol data-quiz-rows id="questions"><i id="gap"></i>${IDS.map(rowOf).join("")}</ol>
  <section data-question="b"><a data-next href="/quiz/c/"></a>
    <form data-question-form method="post"><textarea id="question" data-question-text></textarea>
      <ol>${[0, 1, 2].map(answerOf).join("")}</ol><button name="do" value="add:0" data-add-answer></button></form>
  </section><input id="elsewhere">`;

async function openQuiz({ body = PAGE, canGrow = true } = {}) {
  const page = openDashboard(body, { CSS: { supports: () => canGrow } });
  page.document.querySelector("#gap")?.remove();
  const htmx = fakeHtmx(page);
  globalThis.addEventListener = page.window.addEventListener.bind(page.window);
  const boxes = new Map(IDS.map((id, at) => [id, { top: 100 * at, height: 100 }]));
  for (const [id, box] of boxes) if (page.one(`#row-${id}`)) page.one(`#row-${id}`).getBoundingClientRect = () => box;
  page.document.elementFromPoint = (x, y) => (x < 0 ? null : page.one(`#row-${IDS[Math.floor(y / 100)]}`));
  await load("ai_content/quiz.js");
  const pointer = (type, y, { x = 0, ...more } = {}) => {
    const target =
      type === "pointerdown" ? page.document.elementFromPoint(0, y).querySelector("b") : page.document.body;
    const event = new page.window.MouseEvent(type, {
      bubbles: true,
      cancelable: true,
      clientX: x,
      clientY: y,
      ...more,
    });
    target.dispatchEvent(Object.assign(event, { pointerType: more.kind ?? "mouse" }));
  };
  return Object.assign(page, {
    htmx,
    pointer,
    stops: () =>
      page
        .all(".quiz-row__link")
        .filter((link) => link.tabIndex === 0)
        .map((link) => link.id),
    marked: () => page.all("[aria-current=true]").map((link) => link.id),
    moves: () =>
      htmx.asked.splice(0).map(([verb, address, { swap, values }]) => [verb, address, swap, values.to].join(" ")),
    done: () => page.submitted.splice(0).map(([, button]) => button.value),
    drag(from, to, { x } = {}) {
      pointer("pointerdown", from);
      pointer("pointermove", to, { x });
      pointer("pointerup", to);
    },
    looks: () => page.all("[class*='quiz-row--']").map((row) => `${row.id} ${row.className.replace("quiz-row ", "")}`),
  });
}

test("the open question is marked, and the one stop of Tab", { skip }, async () => {
  const page = await openQuiz();
  assert.deepEqual([page.marked(), page.stops()], [["b"], ["b"]]);
  page.one("[data-question]").dataset.question = "c";
  page.fire(page.document, "htmx:afterSettle", { detail: {} });
  assert.deepEqual([page.marked(), page.stops()], [["c"], ["c"]]);
  page.one("[data-question]").remove();
  page.fire(page.document, "htmx:afterSettle", { detail: {} });
  assert.deepEqual([page.marked(), page.stops()], [[], ["a"]]);
});

for (const [from, key, more, to] of [
  ["b", "ArrowUp", {}, "a"],
  ["b", "ArrowDown", {}, "c"],
  ["c", "ArrowDown", {}, "c"],
  ["a", "ArrowUp", {}, "a"],
  ["b", "Home", {}, "a"],
  ["b", "End", {}, "c"],
  ["b", "ArrowDown", { ctrlKey: true }, null],
  ["b", "ArrowUp", { metaKey: true }, null],
  ["b", "x", {}, null],
])
  test(
    `${[...Object.keys(more), key].join(" ")} on ${from} goes ${to ? `to ${to}` : "nowhere"}`,
    { skip },
    async () => {
      const page = await openQuiz();
      page.one(`#${from}`).focus();
      assert.equal(page.press(`#${from}`, key, more), to !== null);
      assert.ok(page.hasFocus(`#${to ?? from}`));
      assert.deepEqual(page.moves(), []);
      if (key.startsWith("Arrow") && to && to !== from) assert.deepEqual(page.stops(), [to]);
      assert.equal(page.press("#questions", key, more), false);
    },
  );

for (const [key, to] of [
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
])
  test(`Alt and ${key} move the question ${to}, which keeps the focus`, { skip }, async () => {
    const page = await openQuiz();
    assert.ok(page.press("#b b", key, { altKey: true }));
    assert.deepEqual(page.moves(), [`POST /quiz/b/move/ none ${to}`]);
    page.one("#question").focus();
    await settled();
    assert.ok(page.hasFocus("#b"));
    page.press("#b", key, { altKey: true });
    page.one("#row-b").remove();
    await settled();
  });

for (const [from, to, expected] of [
  [50, 260, "c a 3"],
  [50, 240, "a 2"],
  [50, 140, "a 1"],
  [250, 40, "c 1"],
  [250, 60, "c 2"],
  [250, 160, "c 3"],
  [50, 20, null],
  [50, 57, null],
])
  test(`a question dragged from ${from} to ${to}`, { skip }, async () => {
    const page = await openQuiz();
    page.drag(from, to);
    const [id, place] = (expected ?? "").split(" ").slice(-2);
    assert.deepEqual(page.moves(), expected ? [`POST /quiz/${id}/move/ none ${place}`] : []);
    assert.deepEqual(page.looks(), []);
  });

test("while it is dragged it looks held, and its place is shown", { skip }, async () => {
  const page = await openQuiz();
  page.pointer("pointerdown", 50);
  page.pointer("pointermove", 57);
  assert.deepEqual(page.looks(), [], "a trembling hand drags nothing");
  page.pointer("pointermove", 58);
  assert.deepEqual(page.looks(), ["row-a quiz-row--held quiz-row--target-after"]);
  page.pointer("pointermove", 50);
  assert.deepEqual(page.looks(), ["row-a quiz-row--held quiz-row--target"]);
  page.pointer("pointermove", 110);
  assert.deepEqual(page.looks(), ["row-a quiz-row--held", "row-b quiz-row--target"]);
  page.pointer("pointermove", 110, { x: -1 });
  assert.deepEqual(page.looks(), ["row-a quiz-row--held"]);
  page.pointer("pointerup", 110);
  page.pointer("pointermove", 210);
  assert.deepEqual(page.looks(), []);
  assert.ok(page.fire("#a", "dragstart").defaultPrevented);
});

for (const [what, options] of [
  ["a finger", { kind: "touch" }],
  ["another button", { button: 2 }],
])
  test(`${what} drags nothing`, { skip }, async () => {
    const page = await openQuiz();
    page.pointer("pointerdown", 50, options);
    page.pointer("pointermove", 260, options);
    page.pointer("pointerup", 260, options);
    assert.deepEqual([page.moves(), page.looks()], [[], []]);
  });

test("the click that ends the dragging opens nothing, the next one does", { skip }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = await openQuiz();
  page.drag(50, 260);
  page.click("#c b");
  page.click("#c b");
  assert.deepEqual(page.followed, ["/quiz/c/"]);
  page.drag(50, 260);
  t.mock.timers.tick(1);
  page.click("#a b");
  assert.deepEqual(page.followed, ["/quiz/c/", "/quiz/a/"], "where the dragging ended outside there was no click");
  page.pointer("pointerdown", 50);
  page.pointer("pointerup", 50);
  page.click("#a b");
  assert.equal(page.followed.length, 3);
});

for (const [target, key, more, expected] of [
  ["#answer-0", "Enter", {}, "answer-1"],
  ["#answer-2", "Enter", {}, "do add:0"],
  ["#answer-1", "Enter", { shiftKey: true }, null],
  ["#answer-1", "Enter", { altKey: true }, null],
  ["#answer-1", "Enter", { isComposing: true }, null],
  ["#tick-1", "Enter", {}, null],
  ["#question", "Enter", {}, null],
  ["#elsewhere", "Enter", { ctrlKey: true }, null],
  ["#answer-1", "ArrowUp", { altKey: true }, "do up:1"],
  ["#answer-1", "ArrowDown", { altKey: true }, "do down:1"],
  ["#answer-0", "ArrowUp", { altKey: true }, ""],
  ["#answer-2", "ArrowDown", { altKey: true }, ""],
  ["#answer-1", "ArrowUp", {}, null],
  ["#answer-1", "ArrowLeft", { altKey: true }, null],
  ["#answer-1", "ArrowUp", { altKey: true, isComposing: true }, null],
])
  test(`${[...Object.keys(more), key].join(" ")} in ${target}: ${expected || "nothing"}`, { skip }, async () => {
    const page = await openQuiz();
    page.one(target).focus();
    assert.equal(page.press(target, key, more), expected !== null);
    const isDone = expected?.startsWith("do ") ?? false;
    assert.deepEqual(page.done(), isDone ? [expected.slice(3)] : []);
    if (!isDone) assert.ok(page.hasFocus(expected ? `#${expected}` : target));
    assert.equal(page.press(target, "x"), isDone, "what is typed meanwhile waits for the answer");
  });

for (const modifier of ["ctrlKey", "metaKey"])
  test(`Enter with ${modifier} opens the next question from every field`, { skip }, async () => {
    const page = await openQuiz();
    for (const target of ["#question", "#answer-0", "#tick-1"])
      assert.ok(page.press(target, "Enter", { [modifier]: true }));
    assert.deepEqual([page.followed, page.done()], [["/quiz/c/", "/quiz/c/", "/quiz/c/"], []]);
    page.one("[data-next]").remove();
    assert.ok(page.press("#question", "Enter", { [modifier]: true }));
  });

test("a question without its list has its keys still", { skip }, async () => {
  const page = await openQuiz({ body: PAGE.replace("data-quiz-rows", "") });
  assert.equal(page.press("#b", "ArrowDown"), false);
  assert.ok(page.press("#answer-2", "Enter"));
  assert.deepEqual(page.done(), ["add:0"]);
});

for (const canGrow of [true, false])
  test(`fields grow with their text ${canGrow ? "by themselves" : "by script"}`, { skip }, async () => {
    const page = await openQuiz({ canGrow });
    const height = (id) => page.one(id).style.height;
    assert.deepEqual(["#question", "#answer-1"].map(height), canGrow ? ["", ""] : ["2px", "2px"]);
    Object.defineProperty(page.one("#question"), "scrollHeight", { value: 40 });
    page.fire("#question", "input");
    page.fire("#elsewhere", "input");
    assert.deepEqual(["#question", "#elsewhere"].map(height), [canGrow ? "" : "42px", ""]);
    page.one("#answer-1").style.height = "";
    page.fire("#answer-1", "htmx:afterSettle", { detail: {} });
    assert.equal(height("#answer-1"), canGrow ? "" : "2px");
  });
