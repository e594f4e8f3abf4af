// @ts-check
// The query field of a list: the server says what completes the word at the caret; here it is shown and chosen from
// (combobox pattern: the focus stays in the field). Nothing moves: the list lies over the page. Without script the form
// beneath the field says the same.
const WAIT = 120;

let timer = 0;
/** Where the space behind an inserted suggestion ends: a comma that is typed there takes its place. */
let spaced = -1;
/** @type {AbortController | undefined} */
let asking;

/** @param {EventTarget | null} target */
function boxOf(target) {
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-query]")) : null;
}

/** @param {HTMLElement} box */
function parts(box) {
  return {
    field: /** @type {HTMLInputElement} */ (box.querySelector("input")),
    list: /** @type {HTMLElement} */ (box.querySelector(".query__list")),
    options: /** @type {HTMLElement} */ (box.querySelector("[role=listbox]")),
    output: /** @type {HTMLElement} */ (box.querySelector("[data-query-count]")),
  };
}

/** @param {ParentNode} root */
function ready(root) {
  for (const box of root.querySelectorAll("[data-query]")) {
    const { field } = parts(/** @type {HTMLElement} */ (box));
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", "query-options");
    field.setAttribute("aria-expanded", "false");
  }
}

/** @param {HTMLElement} box */
async function ask(box) {
  const { field } = parts(box);
  asking?.abort();
  asking = new AbortController();
  const query = new URLSearchParams({ q: field.value, at: String(field.selectionStart ?? field.value.length) });
  try {
    const answer = await fetch(`${box.dataset.query}?${query}`, { signal: asking.signal });
    show(box, answer.status === 200 ? await answer.text() : "");
  } catch {
    close(box); // the field and the form work without suggestions
  }
}

/**
 * @param {HTMLElement} box
 * @param {string} entries
 */
function show(box, entries) {
  const { field, list, options, output } = parts(box);
  if (!entries || document.activeElement !== field) return close(box);
  const parsed = new DOMParser().parseFromString(entries, "text/html");
  options.replaceChildren(...parsed.querySelectorAll("[role=option]"));
  list.hidden = false;
  field.setAttribute("aria-expanded", "true");
  field.removeAttribute("aria-activedescendant");
  const count = options.childElementCount;
  const words = (count === 1 ? output.dataset.one : output.dataset.many) ?? "";
  output.textContent = words.replace("#", String(count));
}

/** @param {HTMLElement} box */
function close(box) {
  const { field, list, options, output } = parts(box);
  asking?.abort();
  clearTimeout(timer);
  list.hidden = true;
  options.replaceChildren();
  output.textContent = "";
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

/**
 * @param {HTMLElement} box
 * @param {number} step
 */
function move(box, step) {
  const { field, options } = parts(box);
  const all = [...options.children];
  const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const next = all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length];
  for (const option of all) option.setAttribute("aria-selected", String(option === next));
  field.setAttribute("aria-activedescendant", next.id);
  next.scrollIntoView({ block: "nearest" });
}

/**
 * Puts a suggestion in the place of the word at the caret.
 * @param {HTMLElement} box
 * @param {HTMLElement} option
 */
function insert(box, option) {
  const { field } = parts(box);
  const { text = "", start, end } = option.dataset;
  const isOpen = "open" in option.dataset || text.endsWith(".");
  const written = isOpen ? text : `${text} `;
  field.setRangeText(written, Number(start), Number(end), "end");
  spaced = isOpen ? -1 : (field.selectionStart ?? -1);
  field.focus();
  close(box);
  if (isOpen) ask(box);
}

document.addEventListener("input", (event) => {
  const box = boxOf(event.target);
  if (!box) return;
  const { field } = parts(box);
  const caret = field.selectionStart ?? 0;
  if (caret === spaced + 1 && field.value.slice(spaced - 1, caret) === " ,") {
    field.setRangeText(",", spaced - 1, caret, "end");
  }
  spaced = -1;
  clearTimeout(timer);
  timer = setTimeout(() => ask(box), WAIT);
});

document.addEventListener("keydown", (event) => {
  const box = boxOf(event.target);
  if (!box || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  const { field, list, options } = parts(box);
  if (event.target !== field) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (list.hidden) ask(box);
    else move(box, event.key === "ArrowDown" ? 1 : -1);
  } else if (!list.hidden && event.key === "Tab" && !event.shiftKey) {
    const option = options.querySelector("[aria-selected=true]") ?? options.firstElementChild;
    event.preventDefault();
    insert(box, /** @type {HTMLElement} */ (option));
  } else if (!list.hidden && event.key === "Escape") {
    event.preventDefault();
    close(box);
  } else if (event.key === "Enter") {
    close(box);
  }
});

// Pressed, not clicked: the focus does not leave the field, so the list is still there.
document.addEventListener("pointerdown", (event) => {
  const option = event.target instanceof Element ? event.target.closest("[data-query] [role=option]") : null;
  const box = boxOf(option);
  if (!option || !box) return;
  event.preventDefault();
  insert(box, /** @type {HTMLElement} */ (option));
});

document.addEventListener("focusout", (event) => {
  const box = boxOf(event.target);
  if (box && event.target === parts(box).field) close(box);
});

ready(document);
document.addEventListener("htmx:afterSwap", () => ready(document));
