// @ts-check
// What was typed and not yet stored on the server, in this browser. Never a token: only the fields of the form.
const scope = document.querySelector("[data-scope]")?.dataset.scope ?? "";
const LEFT_OUT = new Set(["csrfmiddlewaretoken", "seen", "at", "from"]);
const DAYS = 30;

/** @param {HTMLFormElement} form */
const key = (form) => `keep:${scope}:${form.dataset.keep}`;

/** @param {HTMLFormElement} form */
export function fields(form) {
  return [...new FormData(form)].filter(([name, value]) => !LEFT_OUT.has(name) && typeof value === "string");
}

/** @param {HTMLFormElement} form */
export function snapshot(form) {
  return JSON.stringify(fields(form));
}

/** @param {HTMLFormElement} form */
export function put(form) {
  const seen = form.querySelector("[data-seen]")?.value ?? "";
  try {
    localStorage.setItem(key(form), JSON.stringify({ seen, fields: fields(form), at: Date.now() }));
  } catch {
    // no room, or no storage at all: the server keeps the text half a second later
  }
}

/** @param {HTMLFormElement} form */
export function drop(form) {
  try {
    localStorage.removeItem(key(form));
  } catch {
    // nothing was kept here
  }
}

/** @param {HTMLFormElement} form */
export function load(form) {
  try {
    const entry = JSON.parse(localStorage.getItem(key(form)));
    return entry && Date.now() - entry.at < DAYS * 86_400_000 ? entry : null;
  } catch {
    return null;
  }
}

/**
 * Puts kept fields into a form of the same shape; says whether it could.
 * @param {HTMLFormElement} form
 * @param {Kept} entry
 */
export function fill(form, entry) {
  const texts = entry.fields.filter(([name]) => name !== "correct" && name !== "closed" && name !== "node");
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(
    (e) => e.name && !LEFT_OUT.has(e.name) && e.matches("textarea, input:not([type=checkbox], [type=radio])"),
  );
  if (texts.length !== controls.length || texts.some(([name], place) => controls[place].name !== name)) return false;
  texts.forEach(([, value], place) => {
    controls[place].value = value;
  });
  const ticked = new Set(entry.fields.filter(([name]) => name === "correct").map(([, value]) => value));
  for (const box of form.querySelectorAll("input[name=correct]")) box.checked = ticked.has(box.value);
  return true;
}

/**
 * The kept text that differs most from what the form says: for showing what was typed.
 * @param {HTMLFormElement} form
 * @param {Kept} entry
 */
export function gist(form, entry) {
  const now = new Set(fields(form).map(([, value]) => value));
  const lost = entry.fields.map(([, value]) => value).filter((value) => value && !now.has(value));
  return lost.sort((text, other) => other.length - text.length)[0] ?? "";
}
