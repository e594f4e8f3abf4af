// @ts-check
// Posting from any box: the text leaves the box only when our server has it, and leaves this browser only when the
// platform has confirmed it. Offline it waits here and goes out under the same key.
import { announce, toast } from "./announce.js";
import * as composer from "./composer.js";
import * as drafts from "./drafts.js";
import { apply } from "./live.js";
import { fields, OFFLINE, placeOfFocus, send, TROUBLE, typedSince, version } from "./sending.js";
import { setting } from "./store.js";
import { calm, check, checkName, problems, repair, repairName, repairTime } from "./writing.js";
import { parse } from "./clock.js";
import { say } from "./words.js";

const busy = new WeakSet();
const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
export { newKey };

/** @param {HTMLFormElement} form */
const isMain = (form) => form.dataset.draft === "main";

/** @param {HTMLFormElement} form */
async function post(form) {
  if (busy.has(form)) return;
  busy.add(form);
  calm(form);
  const button = form.querySelector("[type=submit]");
  button.setAttribute("aria-disabled", "true");
  const sent = fields(form);
  if (setting("hold")) sent.hold = "1";
  const stays = placeOfFocus(form);
  const answer = await send(form.getAttribute("action"), sent);
  busy.delete(form);
  button.removeAttribute("aria-disabled");
  if (answer.status === OFFLINE) return wait(form, sent);
  if (answer.status === TROUBLE) return toast(say(answer.code === 403 ? "signedOut" : "trouble"));
  if (answer.status >= 400) return problems(form, answer.part, { focus: stays() });
  if (form.elements.repeat) form.elements.repeat.value = "";
  const next = answer.part.querySelector("[data-next-key]")?.dataset.nextKey ?? newKey();
  if (answer.key) drafts.hold(answer.key, left(sent));
  remember(sent.user_name);
  done(form, next, sent);
  const isThere = Boolean(answer.part.querySelector("#live")); // it goes into the page with the rest
  await apply(answer.part, { mine: true });
  if (isThere) announce(say(sent.reply_to ? "replied" : "posted"));
  return undefined;
}

/**
 * What is kept of a text that leaves its box.
 * @param {Fields} sent
 */
const left = ({ text, time, reply_to, frame, drawing }) => ({ text, time, reply_to, frame, drawing });

/**
 * The box of what was taken. What was typed into it meanwhile stays, as the next one.
 * @param {HTMLFormElement} form
 * @param {string} key
 * @param {Fields} sent
 */
function done(form, key, sent) {
  if (isMain(form)) return composer.empty(key, sent);
  drafts.clear(form.dataset.draft);
  const more = typedSince(form, sent);
  if (!more) return void form.dispatchEvent(new CustomEvent("room:close", { bubbles: true }));
  form.elements.key.value = key;
  form.elements.text.value = more;
  form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
  return undefined;
}

/**
 * The name is asked once: every box of the page, and those to come, know it from now on.
 * @param {string} name
 */
function remember(name) {
  const spare = document.getElementById("reply-form")?.content;
  for (const box of [...document.querySelectorAll("[data-name]"), ...(spare?.querySelectorAll("[data-name]") ?? [])]) {
    box.querySelector("input").value = name;
    box.querySelector("input").setAttribute("value", name);
    box.querySelector("summary b").textContent = name;
    box.removeAttribute("data-nameless");
    box.open = false;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 */
function wait(form, sent) {
  drafts.queue(sent.key, { action: form.getAttribute("action"), fields: sent });
  done(form, newKey(), sent);
  showQueue();
  tellOffline();
}

function tellOffline() {
  toast(say("offline"));
  announce(say("offline"));
}

// Cards of what waits for the connection.
function showQueue() {
  const outbox = document.getElementById("outbox");
  if (!outbox) return;
  for (const old of outbox.querySelectorAll("[data-waits]")) old.remove();
  for (const entry of drafts.queued()) {
    const card = document.createElement("div");
    card.className = "outbox__item outbox__item--waits";
    card.dataset.waits = entry.key;
    const words = document.createElement("p");
    words.append(
      Object.assign(document.createElement("b"), { textContent: say("waits") }),
      ` ${entry.label ?? `“${entry.fields.text}”`}`,
    );
    const back = Object.assign(document.createElement("button"), {
      type: "button",
      className: "action",
      textContent: say("takeBack"),
    });
    back.addEventListener("click", () => {
      drafts.unqueue(entry.key);
      giveBack(entry);
      showQueue();
    });
    card.append(document.createElement("span"), words, back);
    outbox.append(card);
  }
}

/**
 * What was queued goes back: a comment into its box, an edit into its draft, a press of a button to nobody.
 * @param {Queued} entry
 */
function giveBack(entry) {
  if (entry.edits) {
    drafts.write(entry.edits, {
      text: entry.fields.text,
      time: parse(entry.fields.time ?? "") ?? 0,
      key: newKey(),
      opened: entry.fields.opened_text,
      drawing: entry.fields.drawing,
    });
    document.dispatchEvent(new CustomEvent("room:reopen"));
  } else if (entry.fields.text) {
    // Kept before it leaves the queue: its thread may not be on the page, or no box may be there to take it.
    const { text, reply_to: parent, frame, drawing } = entry.fields;
    const time = parse(String(entry.fields.time ?? "")) || 0;
    drafts.write(parent ? `reply-${parent}` : "main", { text, time, key: newKey(), frame, drawing });
    restore({ text, time, reply_to: parent, frame, drawing });
  }
}

/**
 * Keep a change of a comment until the connection is back; it goes out under the same key.
 * @param {string} action
 * @param {Fields} sent
 * @param {string} label
 * @param {string} [edits]
 */
export function queueChange(action, sent, label, edits) {
  drafts.queue(sent.key, { action, fields: sent, label, edits });
  showQueue();
  tellOffline();
}

/**
 * A text goes back to the box it came from.
 * @param {{ text?: string, time?: number, reply_to?: string, frame?: string, drawing?: string }} options
 */
export function restore({ text, time, reply_to: parent, frame, drawing }) {
  if (parent) document.dispatchEvent(new CustomEvent("room:reply", { detail: { parent, text } }));
  else composer.put({ text, time, key: newKey(), frame, drawing }, { focus: true });
}

let flushing = false;
async function flush() {
  if (flushing || !navigator.onLine || !version()) return;
  flushing = true;
  try {
    await sendQueue();
  } finally {
    flushing = false;
    showQueue();
  }
}

async function sendQueue() {
  for (const entry of drafts.queued()) {
    const answer = await send(entry.action, { ...entry.fields, hold: "" });
    if (answer.status === OFFLINE || answer.status === 429) break;
    if (answer.status === TROUBLE) continue;
    if (answer.status >= 400) {
      giveBack(entry);
      drafts.unqueue(entry.key);
      toast(answer.part.querySelector("#problems, [data-refusal]")?.textContent.trim() ?? say("trouble"));
    } else {
      drafts.unqueue(entry.key);
      if (answer.key && !entry.label) drafts.hold(answer.key, left(entry.fields));
      await apply(answer.part, { mine: true });
      announce(say("online"));
    }
  }
}

export function start() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-composer]");
    if (!form || "editForm" in form.dataset) return;
    event.preventDefault();
    post(form);
  });
  document.addEventListener("click", (event) => {
    const form = event.target.closest?.("[data-fix]")?.closest("form");
    if (form) repair(form);
    const fix = event.target.closest?.("[data-fix-name]");
    if (fix) repairName(fix);
    const time = event.target.closest?.("[data-fix-time]");
    if (time) repairTime(time);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.(".reply-box[data-composer]");
    if (form && event.target.name === "text") check(form);
    if (event.target.matches?.("[data-name] input")) checkName(/** @type {any} */ (event.target));
  });
  document.addEventListener("room:queue", showQueue);
  document.addEventListener("room:parts", showQueue);
  document.addEventListener("room:reach", ({ detail: reached }) => {
    if (reached) flush();
  });
  addEventListener("online", flush);
  addEventListener("offline", tellOffline);
  showQueue();
  flush();
}
