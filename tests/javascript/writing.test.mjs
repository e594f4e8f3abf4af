import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `<main data-room="film"></main><div data-player data-length="60"><p data-no-picture></p></div>
  <div id="words" data-name-wrong="{character} at {place}" data-time-wrong="No time"
    data-repairs='[["->","→"],["<3","♥"]]'></div>
  <form><p data-error="" tabindex="-1"></p>
    <details data-name><input name="user_name"><p data-error="user_name"></p>
      <button type="button" data-fix-name data-words="Use {name}"></button></details>
    <input name="time"><p data-error="time"></p><button type="button" data-fix-time data-words="Use {time}"></button>
    <input name="drawing" data-suffix="100"><input name="repeat">
    <textarea name="text"></textarea><span data-count data-words="{n} of 500"></span>
    <div data-assist><p data-words="{character} at {place}"></p>
      <button type="button" data-words="Write {repair}"></button></div></form>`;

async function openForm() {
  const { document } = openPage(PAGE);
  const writing = await load("review_portal/writing.js");
  const { player } = await load("review_portal/player.js");
  const form = document.querySelector("form");
  const find = (selector) => form.querySelector(selector);
  const heard = [];
  for (const name of ["input", "change"]) form.addEventListener(name, ({ target }) => heard.push([name, target.name]));
  return { ...writing, document, player, form, find, heard, fields: form.elements };
}

test("a length is counted in characters or halves of them, whichever is more, without the ends", { skip }, async () => {
  const { length, normal } = await openForm();
  assert.equal(normal(" a\r\nb\rc "), "a\nb\nc");
  assert.deepEqual(["", " ab ", "a\r\nb", "👍"].map(length), [0, 2, 3, 2]);
});

test("the count shows from 400 on, with what a drawing adds, and warns above 500", { skip }, async () => {
  const { check, form, fields, find } = await openForm();
  const count = find("[data-count]");
  const look = (letters, drawing = "") => {
    fields.text.value = "a".repeat(letters);
    fields.drawing.value = drawing;
    check(form);
    return [count.hidden, count.textContent, count.classList.contains("composer__count--over")];
  };
  assert.deepEqual(look(399), [true, "399 of 500", false]);
  assert.deepEqual(look(400), [false, "400 of 500", false]);
  assert.deepEqual(look(500), [false, "500 of 500", false]);
  assert.deepEqual(look(501), [false, "501 of 500", true]);
  assert.deepEqual(look(300, "{}"), [false, "400 of 500", false]);
});

test("the first sign that is refused is named with its place, and repaired with one press", { skip }, async () => {
  const { check, repair, form, fields, find, heard, document } = await openForm();
  const assist = find("[data-assist]");
  const [words, button] = assist.children;
  for (const [text, told, offered, repaired] of [
    ["👍 a -> b", "> at 6", "Write →", "👍 a → b"],
    ["<3", "< at 1", "Write ♥", "♥"],
    ["a } b", "} at 3", null, "a  b"],
    ["> ->", "> at 1", null, " ->"],
  ]) {
    fields.text.value = text;
    check(form);
    assert.deepEqual([assist.hidden, words.textContent, button.hidden], [false, told, offered === null], text);
    if (offered) assert.equal(button.textContent, offered);
    repair(form);
    assert.equal(fields.text.value, repaired);
    assert.equal(document.activeElement, fields.text);
  }
  assert.equal(heard.length, 4);
  fields.text.value = "fine";
  check(form);
  repair(form);
  assert.deepEqual([assist.hidden, fields.text.value, heard.length], [true, "fine", 4]);
});

test("a name says which sign it cannot have, and offers itself without it", { skip }, async () => {
  const { checkName, repairName, fields, find, heard, document } = await openForm();
  const field = fields.user_name;
  const [slot, fix] = [find('[data-error="user_name"]'), find("[data-fix-name]")];
  for (const [name, told, offered] of [
    ["D'Ávila", "' at 2", "DÁvila"],
    ["A 👍 👍 B", "👍 at 3", "A B"],
    ["!!", "! at 1", null],
  ]) {
    field.value = name;
    checkName(field);
    assert.deepEqual([slot.hidden, slot.textContent, field.ariaInvalid], [false, told, "true"], name);
    assert.deepEqual([fix.hidden, fix.textContent], [offered === null, offered ? `Use ${offered}` : ""], name);
  }
  field.value = "D'Ávila";
  repairName(fix);
  checkName(field);
  assert.deepEqual([field.value, heard, document.activeElement], ["DÁvila", [["input", "user_name"]], field]);
  assert.deepEqual([slot.hidden, slot.textContent, field.ariaInvalid, fix.hidden], [true, "", null, true]);
});

test("a time beyond the film is told, with what its figures mean or the picture's own moment", { skip }, async () => {
  const { checkTime, repairTime, form, fields, find, player, heard, document } = await openForm();
  const [slot, fix] = [find('[data-error="time"]'), find("[data-fix-time]")];
  player.seek(7);
  for (const [time, offered] of [
    ["1:01", "0:07"],
    ["at 0:42", "0:42"],
    ["soon", "0:07"],
  ]) {
    fields.time.value = time;
    checkTime(form);
    assert.deepEqual([slot.hidden, slot.textContent, fields.time.ariaInvalid], [false, "No time", "true"], time);
    assert.deepEqual([fix.hidden, fix.textContent], [false, `Use ${offered}`], time);
  }
  repairTime(fix);
  assert.deepEqual([fields.time.value, document.activeElement], ["0:07", fields.text]);
  assert.deepEqual(heard, [
    ["input", "time"],
    ["change", "time"],
  ]);
  fields.time.value = "1:00";
  checkTime(form);
  assert.deepEqual([slot.hidden, slot.textContent, fields.time.ariaInvalid, fix.hidden], [true, "", null, true]);
});

test("an answer's problems stand at their fields, and the first of these gets the focus", { skip }, async () => {
  const { problems, calm, form, fields, find, document } = await openForm();
  const part = document.createElement("div");
  part.innerHTML = `<ul id="problems"><li data-field="user_name">Who?</li><li data-field="text" data-sets="repeat"
    data-value="1">Twice.</li><li data-field="">Closed.</li></ul>`;
  problems(form, part, { focus: true });
  const above = find('[data-error=""]');
  assert.deepEqual([find('[data-error="user_name"]').textContent, above.textContent], ["Who?", "Twice.Closed."]);
  assert.deepEqual([above.hidden, fields.repeat.value, find("details").open], [false, "1", true]);
  assert.equal(document.activeElement, fields.user_name);
  assert.equal(fields.text.ariaInvalid, "true");
  calm(form);
  assert.deepEqual([above.hidden, above.textContent, fields.text.ariaInvalid], [true, "", null]);
  fields.time.focus();
  problems(form, part, { focus: false });
  assert.equal(document.activeElement, fields.time);
});
