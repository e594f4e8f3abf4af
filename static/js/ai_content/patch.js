// @ts-check
// A long text leaves as what changed in it since the server last had it. The server checks the outcome; where it does
// not agree (409), the whole text follows. Without script, and for short texts, the whole text is sent.
const LONG = 2000;
const bases = new WeakMap();
const leaving = new WeakMap();
const whole = new WeakSet();
const labelsLeaving = new WeakMap();

/** @param {HTMLFormElement} form */
const long = (form) => form.querySelector("textarea[data-patch]");

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let n = start;
  for (let bit = 0; bit < 8; bit += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** @param {string} text */
function crc32(text) {
  let sum = ~0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    sum = TABLE[(sum ^ unit) & 255] ^ (sum >>> 8);
    sum = TABLE[(sum ^ (unit >>> 8)) & 255] ^ (sum >>> 8);
  }
  return (~sum >>> 0).toString(16);
}

/**
 * How much is the same at both ends, never half of a character that takes two units.
 * @param {string} before
 * @param {string} after
 */
function ends(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (start && (after.charCodeAt(start - 1) & 0xfc00) === 0xd800) start -= 1;
  let end = 0;
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  if (end && (after.charCodeAt(after.length - end) & 0xfc00) === 0xdc00) end -= 1;
  return [start, end];
}

document.addEventListener("htmx:configRequest", (event) => {
  const { formData, elt: form } = event.detail;
  const field = form.matches("form[data-keep]") && long(form);
  if (!field) return;
  const before = bases.get(form) ?? field.defaultValue;
  const after = field.value;
  leaving.set(form, after);
  if (whole.has(form) || after.length < LONG) return;
  const [start, end] = ends(before, after);
  formData.delete(field.name);
  formData.set("patch_from", String(start));
  formData.set("patch_to", String(end));
  formData.set("patch_text", after.slice(start, after.length - end));
  formData.set("patch_check", crc32(after));
});

// Of an outline only the labels that were changed leave; the server has the others.
document.addEventListener("htmx:configRequest", (event) => {
  const { formData, elt: form } = event.detail;
  if (!form.matches("form[data-outline]")) return;
  const labels = [...form.querySelectorAll("[data-label]")];
  const changed = labels.filter((label) => label.value !== label.defaultValue);
  for (const label of labels) if (label.value === label.defaultValue) formData.delete(label.name);
  labelsLeaving.set(
    form,
    changed.map((label) => [label, label.value]),
  );
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful) return;
  for (const [label, value] of labelsLeaving.get(event.target) ?? []) label.defaultValue = value;
  labelsLeaving.delete(event.target);
});

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target;
  if (!event.detail.successful || !leaving.has(form)) return;
  bases.set(form, leaving.get(form));
  whole.delete(form);
});

// Before keep.js says that something was refused: the whole text is sent at once.
document.addEventListener("htmx:responseError", (event) => {
  const form = event.target;
  if (event.detail.xhr.status !== 409 || !leaving.has(form) || whole.has(form)) return;
  event.stopImmediatePropagation();
  whole.add(form);
  setTimeout(() => htmx.trigger(form, "keep"));
});
