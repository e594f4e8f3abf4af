// @ts-check
// The reply's form. What is typed is kept in this browser, row by row with the form's key, until the server has said
// that it arrived: a reload, a refusal, the end of a session and another row lose nothing, and nothing is sent twice.
import { inbox } from "./rows.js";

const prefix = `inbox-reply:${inbox.dataset.inbox}:`;
/**
 * What the browser does not take, because it is full or private: kept for this page alone.
 * @type {Map<string, string>}
 */
const memory = new Map();
/**
 * The words of each reply that is on its way.
 * @type {Map<string, string>}
 */
const leaving = new Map();

/** @param {string} item */
function read(item) {
  try {
    return JSON.parse(memory.get(item) ?? localStorage.getItem(prefix + item) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} item
 * @param {{ text: string, key: string } | null} draft
 */
function write(item, draft) {
  const text = draft?.text.trim() ? JSON.stringify(draft) : "";
  memory.delete(item);
  try {
    if (text) localStorage.setItem(prefix + item, text);
    else localStorage.removeItem(prefix + item);
  } catch {
    memory.set(item, text || "null");
  }
}

const box = () => /** @type {HTMLTextAreaElement} */ (document.getElementById("answer-text"));
const itemOf = () => document.getElementById("thread")?.dataset.item ?? "";
const keyOf = () => /** @type {HTMLInputElement} */ (document.querySelector("#answer [name=key]"));

function keep() {
  write(itemOf(), { text: box().value, key: keyOf().value });
}

/** A box that the server filled keeps its words, unless they are those that were sent: more may be typed since. */
function restore() {
  const field = box();
  if (!field) return;
  const item = itemOf();
  const draft = read(item);
  const isAsSent = field.value === (leaving.get(item) ?? "");
  leaving.delete(item);
  if (!isAsSent) keep();
  else if (draft) {
    field.value = draft.text;
    if (draft.key) keyOf().value = draft.key;
    else keep();
  }
}

/**
 * A reply has arrived: what was typed behind it while it was on its way stays.
 * @param {string} item
 */
function forget(item) {
  const typed = read(item)?.text ?? "";
  const sent = leaving.get(item) ?? typed;
  leaving.delete(item);
  const rest = typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
  write(item, { text: rest, key: "" });
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
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.id !== "answer") return;
  const item = itemOf();
  leaving.set(item, box().value);
  const thread = document.getElementById("thread");
  thread.addEventListener("htmx:beforeSwap", (/** @type {CustomEvent<HtmxDetail>} */ answer) => {
    if (!thread.isConnected) tellBeside(item, answer);
  });
});

/**
 * The answer to a reply whose place another row has taken meanwhile: only what changed beside it is brought in.
 * @param {string} item
 * @param {CustomEvent<HtmxDetail>} answer
 */
function tellBeside(item, answer) {
  const { xhr } = answer.detail;
  if (xhr.status === 422) say(inbox.dataset.notSent);
  if (xhr.status !== 200) return;
  answer.preventDefault();
  window.htmx.swap("#inbox-opener", xhr.responseText, { swapStyle: "none" }, {});
  if (xhr.getResponseHeader("HX-Trigger")) forget(item);
}

document.addEventListener("inbox:sent", (event) => forget(event.detail.item));
/** The item whose form has the focus while the server's answer takes its place. */
let written = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id === "thread") written = document.activeElement?.closest("#answer") ? itemOf() : "";
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "thread") return;
  restore();
  // Whoever goes on typing must not press the single keys of a row.
  if (written === itemOf() && box()?.value) box().focus();
});
for (const name of /** @type {const} */ (["htmx:sendError", "htmx:responseError"]))
  document.addEventListener(name, (event) => {
    const { elt, xhr } = event.detail;
    if (elt.id === "answer" && xhr?.status !== 503) say(inbox.dataset.notSent);
  });

const sent = document.querySelector("[data-sent]");
if (sent?.dataset.sent) write(sent.dataset.sent, null);
restore();
