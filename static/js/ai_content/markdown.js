// @ts-check
// Markdown with buttons and keys, lists that go on by themselves, the outline as a way into the text, the cover while
// it is written.
import { find, isCommand } from "../keyboard.js";
export const field = document.querySelector("[data-markdown]");
const tools = document.querySelector("[data-markdown-tools]");

/** @type {Record<string, string>} */
const AROUND = { bold: "**", italic: "*" };
/** @type {Record<string, string>} */
const BEFORE = { heading: "## ", list: "- ", numbers: "1. ", quote: "> " };

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} [end]
 */
export function insert(text, from, to, start, end) {
  field.focus();
  field.setSelectionRange(from, to);
  // execCommand keeps the field's own undo; it is the only way to do so.
  if (!document.execCommand("insertText", false, text)) field.setRangeText(text, from, to, "end");
  field.setSelectionRange(start, end);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {string} sign */
function wrap(sign) {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const selection = value.slice(from, to);
  if (selection.startsWith(sign) && selection.endsWith(sign) && selection.length >= 2 * sign.length) {
    const bare = selection.slice(sign.length, -sign.length);
    insert(bare, from, to, from, from + bare.length);
  } else {
    insert(sign + selection + sign, from, to, from + sign.length, to + sign.length);
  }
}

/** @param {string} sign */
function lines(sign) {
  const { value } = field;
  const from = value.lastIndexOf("\n", field.selectionStart - 1) + 1;
  const end = value.indexOf("\n", field.selectionEnd);
  const to = end < 0 ? value.length : end;
  const old = value.slice(from, to).split("\n");
  const all = old.every((line) => line.startsWith(sign));
  const text = old
    .map((line) => (all ? line.slice(sign.length) : sign + line.replace(/^(#{1,6} |- |\d+\. |> )/, "")))
    .join("\n");
  insert(text, from, to, from, from + text.length);
}

function link() {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const selection = value.slice(from, to);
  const text = `[${selection}](https://)`;
  insert(text, from, to, from + text.length - 1, from + text.length - 1);
}

/** @param {string} what */
function run(what) {
  if (AROUND[what]) wrap(AROUND[what]);
  else if (BEFORE[what]) lines(BEFORE[what]);
  else if (what === "link") link();
}

/** @param {number} line */
function go(line) {
  const before = field.value.split("\n").slice(0, line).join("\n").length + (line ? 1 : 0);
  field.focus();
  field.setSelectionRange(before, before);
  field.scrollTop = (line / field.value.split("\n").length) * field.scrollHeight - field.clientHeight / 3;
}

if (field && tools) {
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-md]");
    if (button) run(button.dataset.md);
  });
  tools.addEventListener("keydown", (event) => {
    const buttons = [...tools.querySelectorAll("[data-md]")];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    buttons.forEach((button) => {
      button.tabIndex = button === next ? 0 : -1;
    });
    next.focus();
  });
  field.addEventListener("keydown", (event) => {
    const name = isCommand(event) && find(event, (known) => ["b", "i"].includes(known));
    if (name === "b") {
      event.preventDefault();
      run("bold");
    }
    if (name === "i") {
      event.preventDefault();
      run("italic");
    }
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.isComposing) goOn(event);
  });
}

/** @param {KeyboardEvent} event */
function goOn(event) {
  const { selectionStart: at, selectionEnd: to, value } = field;
  const from = value.lastIndexOf("\n", at - 1) + 1;
  const item = /^(\s*)([-*+]|\d+\.) (.*)$/.exec(value.slice(from, at));
  if (!item || at !== to) return;
  event.preventDefault();
  const [, space, sign, text] = item;
  if (!text.trim()) return insert("", from, at, from, from);
  const next = /\d/.test(sign) ? `${Number.parseInt(sign, 10) + 1}.` : sign;
  const added = `\n${space}${next} `;
  insert(added, at, at, at + added.length, at + added.length);
}

document.addEventListener("click", (event) => {
  const heading = event.target.closest("[data-line]");
  if (heading && field) go(Number(heading.dataset.line));
});

document.addEventListener("input", (event) => {
  const shown =
    event.target.dataset?.cover && document.querySelector(`[data-cover-shown="${event.target.dataset.cover}"]`);
  if (shown) shown.textContent = event.target.value;
});
