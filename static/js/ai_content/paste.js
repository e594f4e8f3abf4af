// @ts-check
// Formatted text that is pasted into the eBook becomes Markdown. Its plain text is there at once; the Markdown takes
// its place when the server has made it, unless it was changed meanwhile. Undo goes back to the plain text.
import { field, insert } from "./markdown.js";

const FORMATTED =
  /<(h[1-6]|b|strong|i|em|s|strike|del|ul|ol|table|a|blockquote|pre|code)\b|font-weight|font-style|mso-list/i;
const LETTERS_MOST = 2_000_000;

function token() {
  return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
}

/** @param {string} html */
async function markdown(html) {
  const body = new URLSearchParams({ html });
  const answer = await fetch(field.dataset.paste, {
    method: "POST",
    body,
    headers: { "X-CSRFToken": token(), "HX-Request": "true" },
  });
  const plain = answer.headers.get("Content-Type")?.startsWith("text/plain");
  return answer.ok && plain ? (await answer.text()).trimEnd() : "";
}

/**
 * Blocks stand on lines of their own.
 * @param {string} markup
 * @param {string} before
 * @param {string} after
 */
function fitted(markup, before, after) {
  if (!/\n|^(#|-|\d+\.|>|\||```)/.test(markup)) return markup;
  const start = !before || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const end = !after || after.startsWith("\n") ? "" : "\n\n";
  return start + markup + end;
}

/**
 * @param {number} from
 * @param {string} plain
 * @param {string} markup
 */
function replace(from, plain, markup) {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const to = from + plain.length;
  if (value.slice(from, to) !== plain) return;
  const text = fitted(markup, value.slice(0, from), value.slice(to));
  if (text === plain) return;
  /** @param {number} at */
  const moved = (at) => (at >= to ? at + text.length - plain.length : Math.min(at, from + text.length));
  insert(text, from, to, moved(start), moved(end));
}

field?.addEventListener("paste", async (event) => {
  const html = event.clipboardData?.getData("text/html") ?? "";
  const plain = (event.clipboardData?.getData("text/plain") ?? "").replace(/\r\n?/g, "\n");
  if (!plain || !FORMATTED.test(html) || html.length > LETTERS_MOST) return;
  event.preventDefault();
  const from = field.selectionStart;
  insert(plain, from, field.selectionEnd, from + plain.length, from + plain.length);
  const markup = await markdown(html).catch(() => "");
  if (markup) replace(from, plain, markup);
});
