import assert from "node:assert/strict";
import { test } from "node:test";

import { find, isCommand, isPlain, names } from "../../static/js/keyboard.js";

const press = (key, code, shiftKey = false, more = {}) => ({ key, code, shiftKey, ...more });
const ROOM = new Set([..."npcdgrexioumtfjkl0123456789,.<>/?", "shift+k", "shift+x", "shift+ArrowLeft", "Home"]);
/** What the room does for each of the presses. */
const does = (...presses) =>
  presses.map(([key, code, shift]) => find(press(key, code, shift), (name) => ROOM.has(name)));

test("on a US keyboard keys are what they give", () => {
  assert.deepEqual(
    does(["c", "KeyC"], ["C", "KeyC"], ["X", "KeyX", true], [",", "Comma"], ["<", "Comma", true], ["?", "Slash", true]),
    ["c", "c", "shift+x", ",", "<", "?"],
  );
  assert.deepEqual(does(["ArrowLeft", "ArrowLeft", true], ["Home", "Home"], ["5", "Digit5"], ["5", "Numpad5"]), [
    "shift+ArrowLeft",
    "Home",
    "5",
    "5",
  ]);
  assert.deepEqual(does(["@", "Digit2", true], ["-", "Minus"], [";", "Semicolon"], ["Tab", "Tab"]), Array(4).fill());
  assert.deepEqual(names(press(" ", "Space")), [" "]);
});

test("on a Russian keyboard letters go by their place, and signs by both", () => {
  assert.deepEqual(
    does(["с", "KeyC"], ["о", "KeyJ"], ["л", "KeyK"], ["д", "KeyL"], ["ч", "KeyX"], ["Ч", "KeyX", true]),
    ["c", "j", "k", "l", "x", "shift+x"],
  );
  assert.deepEqual(
    does(
      ["б", "Comma"],
      ["ю", "Period"],
      [".", "Slash"],
      [",", "Slash", true],
      ["Б", "Comma", true],
      ["Ю", "Period", true],
    ),
    [",", ".", ".", ",", "<", ">"],
  );
  assert.deepEqual(does(["?", "Digit7", true], ["/", "Backslash", true], ['"', "Digit2", true]), ["?", "/", undefined]);
});

test("on a Greek keyboard letters go by their place", () => {
  assert.deepEqual(
    does(
      ["ψ", "KeyC"],
      ["ξ", "KeyJ"],
      ["κ", "KeyK"],
      ["Κ", "KeyK", true],
      ["ς", "KeyW"],
      [".", "Period"],
      ["?", "Slash", true],
    ),
    ["c", "j", "k", "shift+k", undefined, ".", "?"],
  );
});

test("on a French keyboard signs are found with or without Shift, and digits without", () => {
  assert.deepEqual(
    does(
      [",", "KeyM"],
      [".", "Comma", true],
      [";", "Comma"],
      [":", "Period"],
      ["?", "KeyM", true],
      ["/", "Period", true],
    ),
    [",", ".", ",", ".", "?", "/"],
  );
  assert.deepEqual(does(["m", "Semicolon"], ["a", "KeyQ"], ["q", "KeyA"], ["w", "KeyZ"]), ["m", ...Array(3).fill()]);
  assert.deepEqual(does(["é", "Digit2"], ["&", "Digit1"], ["2", "Digit2", true], ["!", "Slash"]), [
    "2",
    "1",
    "2",
    undefined,
  ]);
  assert.deepEqual(does(["<", "IntlBackslash"], [">", "IntlBackslash", true]), ["<", ">"]);
  assert.deepEqual(names(press("Dead", "BracketLeft")), ["["]);
});

test("on a German keyboard Y and Z go by their letter", () => {
  assert.deepEqual(names(press("z", "KeyY")), ["z"]);
  assert.deepEqual(names(press("y", "KeyZ")), ["y"]);
  assert.deepEqual(does(["/", "Digit7", true], ["?", "Minus", true], ["-", "Slash"], [";", "Comma", true]), [
    "/",
    "?",
    undefined,
    undefined,
  ]);
  assert.deepEqual(names(press("ü", "BracketLeft")), ["ü", "["]);
});

test("on a Dvorak keyboard the letter counts, wherever it is", () => {
  assert.deepEqual(
    does(["c", "KeyI"], ["i", "KeyG"], ["j", "KeyC"], ["h", "KeyJ"], [",", "KeyW"], [".", "KeyE"], ["w", "Comma"]),
    ["c", "i", "j", undefined, ",", ".", undefined],
  );
});

test("on Arabic and Hebrew keyboards letters go by their place", () => {
  assert.deepEqual(
    does(
      ["ؤ", "KeyC"],
      ["لا", "KeyB"],
      ["ت", "KeyJ"],
      ["و", "Comma"],
      ["ز", "Period"],
      ["؟", "Slash", true],
      ["٣", "Digit3"],
    ),
    ["c", undefined, "j", ",", ".", "?", "3"],
  );
  assert.deepEqual(names(press("لا", "KeyB")).at(-1), "b");
  assert.deepEqual(
    does(
      ["ב", "KeyC"],
      ["ח", "KeyJ"],
      ["ת", "Comma"],
      ["ץ", "Period"],
      [",", "Quote"],
      [".", "Slash"],
      ["C", "KeyC", true],
    ),
    ["c", "j", ",", ".", ",", ".", undefined],
  );
  assert.deepEqual(names(press("'", "KeyW")), ["'", "w"]);
});

test("on a Turkish keyboard each I is an I", () => {
  assert.deepEqual(does(["ı", "KeyI"], ["i", "Quote"], ["ç", "Period"], [".", "Slash"]), ["i", "i", ".", "."]);
  assert.deepEqual(names(press("İ", "Quote", true)), ["shift+i"]);
  assert.deepEqual(names(press("ı", "KeyR")), ["i"], "the other Turkish layout has it on another place");
  assert.deepEqual(names(press("ğ", "KeyE")), ["ğ"], "a letter of a Latin keyboard does not stand for another one");
});

test("keys with Ctrl, Alt, Cmd or AltGr, and strokes of an input method, are none of ours", () => {
  const altGraph = { getModifierState: (name) => name === "AltGraph" };
  const busy = [
    { ctrlKey: true },
    { altKey: true },
    { metaKey: true },
    { isComposing: true },
    { keyCode: 229 },
    altGraph,
  ];
  for (const more of busy) assert.equal(isPlain(press("c", "KeyC", false, more)), false);
  assert.equal(isPlain(press("c", "KeyC", true)), true);
  assert.equal(isCommand(press("л", "KeyK", false, { ctrlKey: true })), true);
  for (const more of [{}, { ctrlKey: true, altKey: true }, { ctrlKey: true, ...altGraph }])
    assert.ok(!isCommand(press("z", "KeyZ", false, more)));
});

test("what fills in a form presses no key", () => {
  assert.deepEqual(names({ isTrusted: true }), []);
});
