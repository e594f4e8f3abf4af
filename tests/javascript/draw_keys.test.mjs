import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `<div id="stage" tabindex="0"><i></i></div><textarea></textarea><select></select><input id="name">
  <input id="tool" type="radio"><button></button><dialog></dialog>`;

/** A drawing that notes what it is told by the keys. */
async function openDrawing({ shapes = 0, single = true, more = true } = {}) {
  const page = openDashboard(PAGE);
  const told = [];
  const note =
    (name, answer) =>
    (...values) => {
      told.push([name, ...values.map((value) => value?.name ?? value)]);
      return answer;
    };
  const names = ["close", "alter", "place", "remove", "say", "undo", "redo"];
  const drawing = {
    ...Object.fromEntries(names.map((name) => [name, note(name)])),
    next: note("next", more),
    sketch: { shapes: Array(shapes) },
  };
  const { isPlain, names: namesOf } = await load("keyboard.js");
  const { enter } = await load("review_portal/drawing_room.js");
  enter({ isPlain, names: namesOf, setting: (name) => name === "keys" && single, player: { step: note("step") } });
  const { keysOf } = await load("review_portal/draw_keys.js");
  const heard = [];
  page.document.addEventListener("keydown", (event) => keysOf(drawing, event, page.one("#stage")), { capture: true });
  page.document.addEventListener("keydown", ({ key }) => heard.push(key));
  return Object.assign(page, {
    /** What a key told the drawing, whether it was taken, and whether the room heard it. */
    key(key, modifiers, target = "#stage") {
      const taken = page.press(target, key, modifiers);
      return [told.splice(0), taken, heard.splice(0).length > 0];
    },
  });
}

const TAKEN = (...told) => [told, true, false];
const LEFT = [[], false, true];
const KEPT = [[], false, false]; // not taken, and not heard by the room either
for (const [key, expected, modifiers, target, options] of [
  ["ArrowLeft", TAKEN(["alter", "moved", -100, 0])],
  ["ArrowRight", TAKEN(["alter", "moved", 100, 0])],
  ["ArrowUp", TAKEN(["alter", "moved", 0, -100])],
  ["ArrowDown", TAKEN(["alter", "moved", 0, 100])],
  ["ArrowDown", TAKEN(["alter", "resized", 0, 100]), { shiftKey: true }],
  ["ArrowDown", TAKEN(["alter", "moved", 0, 100]), {}, "body"],
  ["ArrowDown", LEFT, {}, "#tool"],
  ["Enter", TAKEN(["place"])],
  ["Enter", LEFT, {}, "button"],
  ["Tab", TAKEN(["next", 1])],
  ["Tab", TAKEN(["next", -1]), { shiftKey: true }],
  ["Tab", [[["next", 1]], false, true], {}, "#stage", { more: false }],
  ["Tab", LEFT, {}, "button"],
  ["Escape", TAKEN(["close"]), {}, "button"],
  ["Escape", LEFT, { ctrlKey: true }],
  ["Delete", TAKEN(["remove"]), {}, "button"],
  ["Backspace", TAKEN(["remove"])],
  [" ", TAKEN()],
  [" ", KEPT, {}, "button"],
  ["z", TAKEN(["undo"]), { ctrlKey: true }],
  ["z", TAKEN(["undo"]), { metaKey: true }, "button"],
  ["Z", TAKEN(["redo"]), { ctrlKey: true, shiftKey: true }],
  ["y", TAKEN(["redo"]), { ctrlKey: true }],
  ["z", LEFT, { ctrlKey: true, altKey: true }],
  ["c", LEFT, { ctrlKey: true }],
  ["p", TAKEN(["say", "draw-tool", "pen"])],
  ["a", TAKEN(["say", "draw-tool", "arrow"])],
  ["r", TAKEN(["say", "draw-tool", "rect"])],
  ["e", TAKEN(["say", "draw-tool", "ellipse"])],
  ["n", TAKEN(["say", "draw-tool", "number"]), {}, "button"],
  ["к", TAKEN(["say", "draw-tool", "rect"]), { code: "KeyR" }],
  ["1", TAKEN(["say", "draw-ink", "white"])],
  ["2", TAKEN(["say", "draw-ink", "yellow"])],
  ["3", TAKEN(["say", "draw-ink", "red"])],
  ["4", TAKEN(["say", "draw-ink", "green"])],
  ["5", TAKEN(["say", "draw-ink", "blue"])],
  ["6", KEPT],
  ["0", KEPT],
  ["d", TAKEN(["close"])],
  [",", TAKEN(["step", -1])],
  [".", TAKEN(["step", 1])],
  [",", KEPT, {}, "#stage", { shapes: 1 }],
  ["m", KEPT],
  ["m", LEFT, { altKey: true }],
  ["F5", LEFT],
  ["p", KEPT, {}, "#stage", { single: false }],
  ["Delete", TAKEN(["remove"]), {}, "#stage", { single: false }],
  ["p", LEFT, {}, "textarea"],
  ["Delete", LEFT, {}, "#name"],
  ["1", LEFT, {}, "select"],
  ["p", TAKEN(["say", "draw-tool", "pen"]), {}, "#tool"],
  ["p", LEFT, { isComposing: true }],
])
  test(
    `while one draws, ${[...Object.keys(modifiers ?? {}), key].join(" ")} on ${target ?? "the picture"} is ` +
      (expected[1] ? "taken" : "left") +
      (options ? ` with ${Object.entries(options)}` : ""),
    { skip },
    async () => {
      const page = await openDrawing(options);
      assert.deepEqual(page.key(key, modifiers, target), expected);
    },
  );

test("a dialog over the drawing has its keys for itself", { skip }, async () => {
  const page = await openDrawing();
  page.one("dialog").showModal();
  assert.deepEqual(page.key("Delete"), LEFT);
});
