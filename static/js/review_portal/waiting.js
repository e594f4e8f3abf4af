// What waits for the connection, on a page without the room: sent under its own keys as soon as there is one. What is not
// taken stays in this browser: the page lists it, and the room gives it back into its box.
import * as drafts from "./drafts.js";
import { OFFLINE, send, TROUBLE } from "./sending.js";

let sending = false;

async function sendAll() {
  let taken = 0;
  for (const entry of drafts.queued()) {
    const answer = await send(entry.action, { ...entry.fields, hold: "" });
    if (answer.status === OFFLINE || answer.status === 429) break;
    if (answer.status === TROUBLE || answer.status >= 400) continue;
    drafts.unqueue(entry.key);
    taken += 1;
  }
  return taken;
}

async function flush() {
  if (sending || !navigator.onLine) return;
  sending = true;
  const taken = await sendAll();
  sending = false;
  if (taken) location.reload();
}

addEventListener("online", flush);
flush();
