// @ts-check
// What waits for the connection, on a page without the room: sent under its own keys as soon as there is one. What is
// not taken stays in this browser: the page lists it, and the room gives it back into its box.
import * as drafts from "./drafts.js";
import { OFFLINE, send, TROUBLE } from "./sending.js";

const RETRY = 5000;
let sending = false;
let asked = false;
/** @type {number | undefined} */
let timer;

// Whether everything was tried: without a connection, or when there is too much at once, the rest waits.
async function sendAll() {
  for (const entry of drafts.queued()) {
    const answer = await send(entry.action, { ...entry.fields, hold: "" });
    if (answer.status === OFFLINE || answer.status === 429) return false;
    if (answer.status === TROUBLE || answer.status >= 400) continue;
    drafts.unqueue(entry.key);
  }
  return true;
}

// A connection that comes back while an attempt still waits for its end is not missed: it is tried once more.
async function flush() {
  asked = true;
  if (sending || !navigator.onLine) return;
  sending = true;
  clearTimeout(timer);
  const before = drafts.queued().length;
  let tried = true;
  while (asked) {
    asked = false;
    tried = await sendAll();
  }
  sending = false;
  if (drafts.queued().length < before) location.reload();
  else if (!tried) timer = setTimeout(flush, RETRY);
}

addEventListener("online", flush);
flush();
