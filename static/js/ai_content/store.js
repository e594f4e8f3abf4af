// What was typed and not yet stored on the server, in this browser. Never a token: only the fields of the form.
const scope = document.querySelector("[data-scope]")?.dataset.scope ?? "";
const LEFT_OUT = new Set(["csrfmiddlewaretoken", "seen", "at", "from"]);
const DAYS = 30;

const key = (form) => `keep:${scope}:${form.dataset.keep}`;

export function fields(form) {
  return [...new FormData(form)].filter(([name, value]) => !LEFT_OUT.has(name) && typeof value === "string");
}

export function snapshot(form) {
  return JSON.stringify(fields(form));
}

export function put(form) {
  const seen = form.querySelector("[data-seen]")?.value ?? "";
  try {
    localStorage.setItem(key(form), JSON.stringify({ seen, fields: fields(form), at: Date.now() }));
  } catch {
    // no room, or no storage at all: the server keeps the text half a second later
  }
}

export function drop(form) {
  try {
    localStorage.removeItem(key(form));
  } catch {
    // nothing was kept here
  }
}

export function found(form) {
  try {
    const kept = JSON.parse(localStorage.getItem(key(form)));
    return kept && Date.now() - kept.at < DAYS * 86_400_000 ? kept : null;
  } catch {
    return null;
  }
}

// Puts kept fields into a form of the same shape; says whether it could.
export function fill(form, kept) {
  const texts = kept.fields.filter(([name]) => name !== "correct" && name !== "closed" && name !== "node");
  const controls = [...form.elements].filter(
    (e) => e.name && !LEFT_OUT.has(e.name) && e.matches("textarea, input:not([type=checkbox], [type=radio])"),
  );
  if (texts.length !== controls.length || texts.some(([name], place) => controls[place].name !== name)) return false;
  texts.forEach(([, value], place) => {
    controls[place].value = value;
  });
  const ticked = new Set(kept.fields.filter(([name]) => name === "correct").map(([, value]) => value));
  for (const box of form.querySelectorAll("input[name=correct]")) box.checked = ticked.has(box.value);
  return true;
}

// The kept text that differs most from what the form says: for showing what was typed.
export function gist(form, kept) {
  const now = new Set(fields(form).map(([, value]) => value));
  const lost = kept.fields.map(([, value]) => value).filter((value) => value && !now.has(value));
  return lost.sort((one, other) => other.length - one.length)[0] ?? "";
}
