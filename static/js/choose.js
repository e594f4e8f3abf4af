// @ts-check
// Several at once: says how many are selected, selects the page or none, and walks the rows by keys. Words come from
// the page; # stands for the number. Without script the boxes and the bar are a form as they are.
import { find, isField, isPlain, names } from "./keyboard.js";

/** @type {HTMLInputElement | null} */
let last = null;

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("[data-choose-none]")) return clear(target.closest("[data-choose]"));
  const box = /** @type {HTMLInputElement | null} */ (target.closest("[data-choose] input[name=video]"));
  if (!box) return;
  if (event.shiftKey && last && last !== box) spread(last, box);
  last = box;
});

document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const form = /** @type {HTMLFormElement | null} */ (target.closest("[data-choose]"));
  if (!form) return;
  if (target.matches("[data-choose-box]")) for (const box of boxes(form)) box.checked = target.checked;
  tell(form);
});

/**
 * Those that can be changed: where everything that matches is selected, none of them.
 * @param {ParentNode} form
 */
function boxes(form) {
  return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=checkbox][name=video]:enabled")]);
}

/** @param {Element | null} form */
function clear(form) {
  if (!form) return;
  for (const box of boxes(form)) box.checked = false;
  tell(/** @type {HTMLFormElement} */ (form));
}

/**
 * All from one box to the other become as the first is.
 * @param {HTMLInputElement} from
 * @param {HTMLInputElement} to
 */
function spread(from, to) {
  const all = boxes(/** @type {ParentNode} */ (to.form));
  const ends = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
  if (ends[0] < 0) return;
  for (const box of all.slice(ends[0], ends[1] + 1)) box.checked = from.checked;
}

/** @param {HTMLFormElement} form */
function tell(form) {
  const words = /** @type {HTMLElement | null} */ (form.querySelector("[data-choose-count]"));
  const all = boxes(form);
  const count = all.filter((box) => box.checked).length;
  const whole = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-choose-box]"));
  if (whole) {
    whole.checked = count === all.length;
    whole.indeterminate = count > 0 && count < all.length;
  }
  if (!words) return;
  const { none = "", one = "", many = "" } = words.dataset;
  words.textContent = count === 0 ? none : count === 1 ? one : many.replace("#", String(count));
  const button = /** @type {HTMLElement | null} */ (form.querySelector("[data-choose-none]"));
  if (button) button.hidden = count === 0;
}

/** @param {ParentNode} root */
function ready(root) {
  last = null;
  for (const form of root.querySelectorAll("[data-choose]")) {
    const head = /** @type {HTMLElement | null} */ (form.querySelector("[data-choose-page]"));
    if (head) head.hidden = false;
    tell(/** @type {HTMLFormElement} */ (form));
  }
}

// Keys of the list: arrows walk the rows, Space selects, Enter opens, A the page, Shift A all that match, Esc none,
// S saves the view, "/" leads to the field. As every single key, they never act in fields; one switch turns them off.
document.addEventListener(
  "keydown",
  (event) => {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-choose]"));
    const target = /** @type {HTMLElement} */ (event.target);
    if (!isPlain(event) || isField(target) || target.closest("input:not([type=checkbox]), dialog, summary")) return;
    const isOn = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-single-keys]"))?.checked ?? true;
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-find-here]"));
    if (names(event).includes("/") && field && isOn) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (form && act(event, form, isOn)) {
      event.preventDefault();
    }
  },
  true,
);

/**
 * @param {KeyboardEvent} event
 * @param {HTMLFormElement} form
 * @param {boolean} isOn
 */
function act(event, form, isOn) {
  const all = boxes(form);
  const row = /** @type {HTMLElement} */ (event.target).closest("tr");
  const at = all.findIndex((box) => box.closest("tr") === row);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (at < 0 && event.target !== document.body) return false;
    const next = all[Math.min(all.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))];
    next?.focus();
    return Boolean(next);
  }
  if (event.key === "Escape" && all.some((box) => box.checked)) {
    clear(form);
    return true;
  }
  if (event.key === "Escape") return press("a[data-choose-none]");
  if (event.key === "Enter" && /** @type {HTMLElement} */ (event.target).matches("input[name=video]")) {
    const link = /** @type {HTMLElement | null | undefined} */ (row?.querySelector("th a"));
    link?.click();
    return true;
  }
  if (event.key === " " && event.shiftKey && at >= 0 && last) {
    last.checked = true;
    spread(last, all[at]);
    tell(form);
    return true;
  }
  if (event.key === " " && at >= 0) last = all[at];
  if (!isOn) return false;
  const name = find(event, (known) => ["a", "s", "shift+a"].includes(known));
  if (name === "shift+a") return press("[data-choose-match]");
  if (name === "s") return press("[data-save-view]");
  if (!name) return false;
  for (const box of all) box.checked = true;
  tell(form);
  return true;
}

/** @param {string} selector */
function press(selector) {
  const control = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  control?.click();
  return Boolean(control);
}

ready(document);
document.addEventListener("htmx:afterSwap", () => ready(document));
addEventListener("pageshow", () => ready(document));
