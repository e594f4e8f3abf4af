import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, settled, skip, until } from "./room.mjs";

const PAGE = `<div class="stage"><p id="text" tabindex="0"></p><input id="q"><button id="button"></button><a id="link" href="#"></a>
    <div class="markers"><a id="marker" href="#"></a></div><div class="marker-peek"><a id="row" href="#"></a></div>
    <input id="bar" type="range"><details class="menu" open><summary id="menu"></summary></details></div>
  <form data-composer><textarea id="box"></textarea></form><form><textarea id="other"></textarea></form>
  <div class="thread" tabindex="0" id="thread"><form data-composer><textarea id="reply"></textarea></form></div>
  <select id="select"></select><dialog id="keys"></dialog><dialog id="confirm"><p id="asked"></p></dialog><p data-announce></p>
  <input type="checkbox" data-setting="keys"><input type="checkbox" data-setting="pause">`;
const NAMES =
  "play slower faster frame-back frame-forward next previous comment draw transcript reply edit resolve in out clear mute " +
  "captions full normal-speed resolve-next back forward second-back second-forward start end";

async function openKeys({ settings } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const page = await openRoom(PAGE, { settings, words: { keysOn: "Keys on", keysOff: "Keys off" } });
  const { register } = await load("review_portal/actions.js");
  const acts = [];
  const tenths = Array.from({ length: 10 }, (_, tenth) => `tenth-${tenth}`);
  for (const name of [...NAMES.split(" "), ...tenths]) register({ [name]: () => acts.push(name) });
  page.window.KeyboardEvent.prototype.getModifierState = function getModifierState(name) {
    return Boolean(this.key === "þ" && name === "AltGraph");
  };
  (await load("review_portal/keys.js")).start();
  return Object.assign(page, { took: () => acts.splice(0) });
}

for (const [key, action, more] of [
  [" ", "play"],
  ["<", "slower", { shiftKey: true }],
  [">", "faster", { shiftKey: true }],
  [",", "frame-back"],
  [".", "frame-forward"],
  ["n", "next"],
  ["p", "previous"],
  ["c", "comment"],
  ["d", "draw"],
  ["g", "transcript"],
  ["r", "reply"],
  ["e", "edit"],
  ["x", "resolve"],
  ["i", "in"],
  ["o", "out"],
  ["u", "clear"],
  ["m", "mute"],
  ["t", "captions"],
  ["f", "full"],
  ["K", "normal-speed", { shiftKey: true }],
  ["X", "resolve-next", { shiftKey: true }],
  ["ArrowLeft", "back"],
  ["ArrowRight", "forward"],
  ["ArrowLeft", "second-back", { shiftKey: true }],
  ["ArrowRight", "second-forward", { shiftKey: true }],
  ["Home", "start"],
  ["End", "end"],
  ["0", "tenth-0"],
  ["9", "tenth-9"],
  ["с", "comment", { code: "KeyC" }],
  ["C", "", { shiftKey: true }],
  ["q", ""],
  ["ArrowUp", ""],
  ["c", "", { ctrlKey: true }],
  ["c", "", { metaKey: true }],
  ["c", "", { altKey: true }],
  ["c", "", { isComposing: true }],
  ["c", "", { keyCode: 229 }],
])
  test(`${[...Object.keys(more ?? {}), key].join(" ")} is ${action || "nobody's"}`, { skip }, async () => {
    const page = await openKeys();
    assert.equal(page.press("#text", key, more), action !== "");
    assert.deepEqual(page.took(), action ? [action] : []);
    const off = await openKeys({ settings: { keys: false } });
    assert.equal(off.press("#text", key, more), false, "nor is any where they are switched off");
    assert.deepEqual(off.took(), []);
  });

for (const [where, key, action] of [
  ["#button", " ", ""],
  ["#link", " ", ""],
  ["#menu", " ", ""],
  ["#bar", " ", ""],
  ["#button", "c", "comment"],
  ["#bar", "ArrowLeft", ""],
  ["#marker", "ArrowRight", ""],
  ["#row", "Home", ""],
  ["#marker", "End", ""],
  ["#marker", "c", "comment"],
  ["#button", "ArrowLeft", "back"],
  ["#box", "c", ""],
  ["#q", "ArrowLeft", ""],
  ["#select", "c", ""],
  ["#q", " ", ""],
])
  test(`"${key}" on ${where} is ${action || "left to it"}`, { skip }, async () => {
    const page = await openKeys();
    assert.equal(page.press(where, key), action !== "");
    assert.deepEqual(page.took(), action ? [action] : []);
  });

test("in a dialog, and where somebody else took it, no key is heard", { skip }, async () => {
  const page = await openKeys();
  page.one("#text").addEventListener("keydown", (event) => event.preventDefault(), { once: true });
  page.press("#text", "c");
  page.one("#confirm").showModal();
  assert.equal(page.press("#asked", "c"), false);
  assert.deepEqual(page.took(), []);
});

test("? shows the keys, / leads to the search", { skip }, async () => {
  const page = await openKeys();
  assert.ok(page.press("#text", "/"));
  assert.ok(page.hasFocus("#q"));
  assert.ok(page.press("#text", "?", { shiftKey: true }));
  assert.equal(page.one("#keys").open, true);
  page.one("#keys").close();
  page.one("#q").remove();
  assert.ok(page.press("#text", "/"), "a page without a search has none to lead to");
});

for (const [where, more, sent] of [
  ["#box", { ctrlKey: true }, 1],
  ["#box", { metaKey: true }, 1],
  ["#reply", { ctrlKey: true }, 1],
  ["#box", {}, 0],
  ["#other", { ctrlKey: true }, 0],
  ["#q", { ctrlKey: true }, 0],
])
  test(`${Object.keys(more)} Enter in ${where} ${sent ? "sends it" : "sends nothing"}`, { skip }, async () => {
    const page = await openKeys();
    assert.equal(page.press(where, "Enter", more), sent > 0);
    assert.equal(page.submitted.length, sent);
  });

test("Escape leaves the box, and what is written stays in it", { skip }, async () => {
  const page = await openKeys({ settings: { keys: false } });
  page.one("#box").value = "Slow.";
  for (const [field, home] of [
    ["#box", "#main"],
    ["#reply", "#thread"],
    ["#q", "#main"],
  ]) {
    page.one(field).focus();
    assert.ok(page.press(field, "Escape"), field);
    assert.ok(page.hasFocus(home), field);
  }
  assert.deepEqual([page.one("#main").tabIndex, page.one("#thread").tabIndex], [-1, 0]);
  assert.equal(page.one("#box").value, "Slow.");
  assert.equal(page.press("#select", "Escape"), false);
});

test("Escape closes the menu that it is in", { skip }, async () => {
  const page = await openKeys();
  page.press("#text", "Escape");
  assert.ok(page.one("details").open);
  page.press("#menu", "Escape");
  assert.equal(page.one("details").open, false);
});

for (const [key, action, more] of [
  ["k", "play", {}],
  ["j", "back", {}],
  ["l", "forward", {}],
  ["c", "", {}],
  ["k", "", { ctrlKey: true }],
  ["k", "", { metaKey: true }],
  ["þ", "", { code: "KeyK" }],
])
  test(
    `while one types, ${[...Object.keys(more), "Alt", key].join(" ")} is ${action || "typed"}`,
    { skip },
    async () => {
      const page = await openKeys({ settings: { keys: false } });
      assert.equal(page.press("#box", key, { altKey: true, ...more }), action !== "");
      assert.deepEqual(page.took(), action ? [action] : []);
    },
  );

test("J, K and L play as at an editing desk, in their order, and K held down makes them steps", { skip }, async () => {
  const page = await openKeys();
  assert.ok(page.press("#text", "l", { code: "KeyL" }));
  page.press("#text", "l", { code: "KeyL", repeat: true });
  await until(() => page.film.asked.length);
  assert.deepEqual(page.film.took(), ["play"]);
  page.press("#text", "k", { code: "KeyK" });
  page.press("#text", "j", { code: "KeyJ" });
  page.fire("#text", "keyup", { kind: "KeyboardEvent", key: "j", code: "KeyJ" });
  page.press("#text", "l", { code: "KeyL" });
  await settled();
  assert.deepEqual(page.film.took(), ["pause", "step -1", "step 1"]);
  for (const release of [
    () => page.fire("#text", "keyup", { kind: "KeyboardEvent", key: "k", code: "KeyK" }),
    () => page.fire("#text", "keyup", { kind: "KeyboardEvent", key: "k" }),
    () => page.window.dispatchEvent(new Event("blur")),
  ]) {
    page.press("#text", "k", { code: "KeyK" });
    release();
    page.press("#text", "l", { code: "KeyL" });
    await settled();
    assert.deepEqual(page.film.took(), ["pause", "play"], "K is up again");
  }
});

test("the switches show what is set, and keep what is chosen", { skip }, async () => {
  const page = await openKeys({ settings: { pause: false } });
  const [keys, pause] = page.all("[data-setting]");
  assert.deepEqual([keys.checked, pause.checked], [true, false]);
  const said = () => {
    mock.timers.tick(60);
    return page.one("[data-announce]").textContent;
  };
  pause.checked = true;
  page.fire(pause, "change");
  assert.deepEqual([page.settings(), said()], [{ pause: true }, ""]);
  keys.checked = false;
  page.fire(keys, "change");
  assert.deepEqual([page.settings().keys, said()], [false, "Keys off"]);
  keys.checked = true;
  page.fire(keys, "change");
  assert.equal(said(), "Keys on");
});
