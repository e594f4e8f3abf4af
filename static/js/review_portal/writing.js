// @ts-check
// What every box does: counts as the platform counts, names the first character it would refuse, offers one repair.
// It never changes a text by itself.
import { format, parse } from "./clock.js";
import { player } from "./player.js";
import { fill, say, table } from "./words.js";

const LIMIT = 500;
const FROM = 400;
const NOT_IN_NAMES = /[^\p{L}\p{N} _.@-]/u;
const FORBIDDEN = /[<>{}[\]]/;
const repairs = table("repairs");

/** @param {string} text */
export const normal = (text) => text.replace(/\r\n?/g, "\n").trim();

/** @param {string} text */
export function length(text) {
  return Math.max([...normal(text)].length, normal(text).length);
}

/**
 * The first character that cannot be sent, its place among the characters, and what could stand there.
 * @param {string} text
 */
function flaw(text) {
  const at = text.search(FORBIDDEN);
  if (at < 0) return null;
  for (const [wrong, right] of repairs) {
    for (let shift = 0; shift < wrong.length && shift <= at; shift++) {
      if (wrong[shift] === text[at] && text.startsWith(wrong, at - shift)) {
        return { character: text[at], place: [...text.slice(0, at)].length + 1, from: at - shift, wrong, right };
      }
    }
  }
  return { character: text[at], place: [...text.slice(0, at)].length + 1, from: at, wrong: text[at], right: "" };
}

/**
 * Keep the counter and the assistant of a form in step with its text.
 * @param {HTMLFormElement} form
 */
export function check(form) {
  const box = form.elements.text;
  const counter = form.querySelector("[data-count]");
  if (counter) {
    const { drawing } = form.elements;
    const n = length(box.value) + (drawing?.value ? Number(drawing.dataset.suffix) : 0);
    counter.hidden = n < FROM;
    counter.textContent = fill(counter.dataset.words, { n });
    counter.classList.toggle("composer__count--over", n > LIMIT);
  }
  const assist = form.querySelector("[data-assist]");
  const problem = assist && flaw(box.value);
  if (!assist) return;
  assist.hidden = !problem;
  if (!problem) return;
  const [words, button] = assist.children;
  words.textContent = fill(words.dataset.words, problem);
  button.textContent = fill(button.dataset.words, { repair: problem.right });
  button.hidden = !problem.right;
}

/**
 * A name has what the platform takes, and says so while it is typed.
 * @param {HTMLInputElement} field
 */
export function checkName(field) {
  const at = field.value.search(NOT_IN_NAMES);
  const slot = field.closest("[data-name]").querySelector('[data-error="user_name"]');
  const problem =
    at < 0
      ? null
      : {
          character: String.fromCodePoint(field.value.codePointAt(at)),
          place: [...field.value.slice(0, at)].length + 1,
        };
  slot.hidden = !problem;
  slot.textContent = problem ? say("nameWrong", problem) : "";
  if (problem) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  const fix = field.closest("[data-name]").querySelector("[data-fix-name]");
  const name = problem ? sendable(field.value) : "";
  fix.hidden = !name;
  fix.textContent = name ? fill(fix.dataset.words, { name }) : "";
}

/**
 * The name without what the platform refuses: D'Ávila loses its apostrophe, any other sign becomes a space.
 * @param {string} name
 */
function sendable(name) {
  return name
    .replace(/['’‘`´]/gu, "")
    .replace(new RegExp(NOT_IN_NAMES, "gu"), " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** @param {HTMLButtonElement} button */
export function repairName(button) {
  const field = button.closest("[data-name]").querySelector("input");
  field.value = sendable(field.value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

/**
 * A time that cannot be sent is told while it is typed, with the one that its figures mean, else that of the picture.
 * @param {HTMLFormElement} form
 */
export function checkTime(form) {
  const field = form.elements.time;
  const fix = form.querySelector("[data-fix-time]");
  if (!field || !fix) return;
  /** @param {string} typed */
  const possible = (typed) => parse(typed) <= (player.length || Infinity);
  const figures = /\d{1,4}(:\d{1,2}){0,2}/.exec(field.value)?.[0] ?? "";
  fix.dataset.time = format(possible(figures) ? parse(figures) : player.second);
  if (possible(field.value)) field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
  const slot = form.querySelector('[data-error="time"]');
  slot.hidden = fix.hidden = possible(field.value);
  slot.textContent = slot.hidden ? "" : say("timeWrong");
  fix.textContent = fill(fix.dataset.words, { time: fix.dataset.time });
}

/** @param {HTMLButtonElement} button */
export function repairTime(button) {
  const field = button.form.elements.time;
  field.value = button.dataset.time;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  field.form.elements.text.focus();
}

/** @param {HTMLFormElement} form */
export function repair(form) {
  const box = form.elements.text;
  const problem = flaw(box.value);
  if (!problem) return;
  const end = problem.from + problem.wrong.length;
  box.setRangeText(problem.right, problem.from, end, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
}

/**
 * Sentences at their fields; what belongs to none stands above the form.
 * @param {HTMLFormElement} form
 * @param {Element} part
 * @param {{ focus: boolean }} options
 */
export function problems(form, part, { focus }) {
  calm(form);
  for (const item of part.querySelectorAll("#problems > li")) {
    const slot = form.querySelector(`[data-error="${item.dataset.field}"]`) ?? form.querySelector('[data-error=""]');
    const line = document.createElement("p");
    line.textContent = item.textContent;
    if (slot.textContent) slot.append(line);
    else slot.replaceChildren(line);
    slot.hidden = false;
    // It was asked: the same press is taken now.
    if (item.dataset.sets) /** @type {any} */ (form.elements)[item.dataset.sets].value = item.dataset.value;
    const field = /** @type {any} */ (form.elements)[item.dataset.field];
    field?.setAttribute("aria-invalid", "true");
    field?.closest("details")?.setAttribute("open", "");
  }
  const first = form.querySelector("[aria-invalid=true]") ?? form.querySelector('[data-error=""]');
  if (focus) first?.focus();
}

/** @param {HTMLFormElement} form */
export function calm(form) {
  for (const slot of form.querySelectorAll("[data-error]")) {
    slot.hidden = true;
    slot.replaceChildren();
  }
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}
