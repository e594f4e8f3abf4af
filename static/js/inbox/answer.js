// @ts-check
// The reply's form. What is typed is kept in this browser, row by row with the form's key, until the server has said
// that it arrived: a reload, a refusal, the end of a session and another row lose nothing, and nothing is sent twice.
import { inbox } from "./rows.js";

const prefix = `inbox-reply:${inbox.dataset.inbox}:`;
/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} item */
function read(item) {
  try {
    return JSON.parse(localStorage.getItem(prefix + item) ?? "null");
  } catch {
    return JSON.parse(memory.get(item) ?? "null");
  }
}

/**
 * @param {string} item
 * @param {{ text: string, key: string } | null} draft
 */
function write(item, draft) {
  const text = draft?.text.trim() ? JSON.stringify(draft) : "";
  memory.set(item, text || "null");
  try {
    if (text) localStorage.setItem(prefix + item, text);
    else localStorage.removeItem(prefix + item);
  } catch {
    // Private windows keep it for this page alone.
  }
}

const box = () => /** @type {HTMLTextAreaElement} */ (document.getElementById("answer-text"));
const itemOf = () => document.getElementById("thread")?.dataset.item ?? "";
const keyOf = () => /** @type {HTMLInputElement} */ (document.querySelector("#answer [name=key]"));

function keep() {
  write(itemOf(), { text: box().value, key: keyOf().value });
}

/** A box that the server filled keeps its words: they are newer. */
function restore() {
  const field = box();
  const draft = field && read(itemOf());
  if (!field) return;
  if (field.value) keep();
  else if (draft) {
    field.value = draft.text;
    keyOf().value = draft.key;
  }
}

/** @param {string} words */
function insert(words) {
  const field = box();
  const before = field.value.slice(0, field.selectionStart);
  const space = before && !/\s$/.test(before) ? " " : "";
  field.setRangeText(space + words, field.selectionStart, field.selectionEnd, "end");
  field.focus();
  keep();
}

/** @param {string} words */
function say(words) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = words;
  document.getElementById("toasts")?.append(toast);
}

document.addEventListener("input", (event) => {
  if (event.target === box()) keep();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-insert]");
  if (!button) return;
  event.preventDefault();
  button.closest("details").open = false;
  insert(button.dataset.insert);
});
document.addEventListener("inbox:sent", (event) => {
  write(event.detail.item, null);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "thread") restore();
});
for (const name of /** @type {const} */ (["htmx:sendError", "htmx:responseError"]))
  document.addEventListener(name, (event) => {
    const { elt, xhr } = event.detail;
    if (elt.id === "answer" && xhr?.status !== 503) say(inbox.dataset.notSent);
  });

const sent = document.querySelector("[data-sent]");
if (sent?.dataset.sent) write(sent.dataset.sent, null);
restore();
