// @ts-check
// Speaking with our server: the same forms as without script, answered with the part that changes. People go on while
// an answer is on its way: the words that they type then stay, and so does the place they went to.
import "../trusted.js";

export const OFFLINE = "offline";
export const TROUBLE = "trouble";
// What a list is asked for in the address. Anything else there could say what no form says, such as withdraw=1.
export const FILTERS = ["show", "sort", "by", "q", "since"];
const WRITES = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";

// What the page shows, as the server numbers it.
export const version = () => document.getElementById("live")?.dataset.v ?? "";

/**
 * Returns {status, part} with the answer's elements, or {status: "offline" | "trouble"} when there is none to use.
 * @param {string} address
 * @param {Fields} values
 * @param {{ keepalive?: boolean }} [options]
 * @returns {Promise<Answer>}
 */
export async function send(address, values, { keepalive = false } = {}) {
  if (!navigator.onLine) return { status: OFFLINE };
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  body.append("v", version());
  const query = new URLSearchParams(location.search);
  for (const name of FILTERS) if (!body.has(name) && query.has(name)) body.append(name, query.get(name));
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  return ask(address, { method: "POST", body, keepalive });
}

/**
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<Answer>}
 */
export async function ask(address, options = {}) {
  let response;
  let text;
  try {
    response = await fetch(address, { ...options, headers: { "Reelroom-Part": "1" }, credentials: "same-origin" });
    text = await response.text();
  } catch {
    return { status: OFFLINE }; // also where the connection ends in the middle of the answer
  }
  const part = new DOMParser().parseFromString(text, "text/html").body;
  if (response.status !== 204 && !part.querySelector("#live, #problems, #outbox, #rest, #transcript, #people")) {
    return { status: TROUBLE, code: response.status, closed: Boolean(part.querySelector("[data-closed]")) };
  }
  return {
    status: response.status,
    part,
    key: response.headers.get("Reelroom-Submission"),
    state: response.headers.get("Reelroom-State"),
    here: response.headers.get("Reelroom-Here"),
  };
}

/**
 * Everything a form would send, without what belongs to the page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} [submitter]
 * @returns {Fields}
 */
export function fields(form, submitter) {
  const values = /** @type {Fields} */ (Object.fromEntries(new FormData(form, submitter)));
  delete values.csrfmiddlewaretoken;
  return values;
}

/**
 * Remembers where the focus is. What it returns says later whether it may be moved: it is still there or in `home`,
 * or what had it is gone, and nobody writes elsewhere.
 * @param {Element} [home]
 */
export function placeOfFocus(home) {
  const before = document.activeElement;
  return () => {
    const now = document.activeElement;
    if (now === before || now === document.body || home?.contains(now)) return true;
    return !before.isConnected && !now.matches(WRITES);
  };
}

/** @param {Element} home */
export const isWritingElsewhere = (home) =>
  document.activeElement.matches(WRITES) && !home.contains(document.activeElement);

/**
 * What was typed into a box after its words were sent: only that, where it follows them.
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 */
export function typedSince(form, sent) {
  const { value } = form.elements.text;
  const text = asInBox(sent.text);
  return value.startsWith(text) ? value.slice(text.length).trimStart() : value;
}

/**
 * A value that was sent, as its box says it: some browsers send the ends of lines with two characters.
 * @param {string} value
 */
export const asInBox = (value) => value.replaceAll("\r\n", "\n");
