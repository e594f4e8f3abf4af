// @ts-check
// What is on its way: counts down, sends when the time is over or when the page is left, gives back what is undone.
import { announce, toast } from "./announce.js";
import * as drafts from "./drafts.js";
import { apply } from "./patch.js";
import { restore } from "./posting.js";
import { OFFLINE, send, TROUBLE } from "./sending.js";
import { drop, get, set } from "./store.js";
import { say } from "./words.js";

const deadlines = new Map();
const sending = new Set();
const cards = () => [...document.querySelectorAll("[data-sent]")];

function tick() {
  for (const card of cards()) {
    if (card.dataset.sent !== "held") continue;
    const key = card.id;
    if (!deadlines.has(key)) deadlines.set(key, Date.now() + Number(card.dataset.seconds) * 1000);
    const left = Math.ceil((deadlines.get(key) - Date.now()) / 1000);
    card.querySelector("[data-left]").textContent = left > 0 ? say("sendsIn", { n: left }) : say("sending");
    if (left <= 0 && navigator.onLine) act(card, "send");
  }
}

/**
 * What this browser keeps of the text that a card is about; in another browser nothing.
 * @param {HTMLFormElement} card
 * @returns {Partial<Sent>}
 */
const leftAs = (card) => drafts.listSent().find(({ key }) => `sent-${key}` === card.id) ?? {};

/**
 * @param {HTMLFormElement} card
 * @param {string} what
 */
async function act(card, what) {
  if (sending.has(card.id)) return;
  sending.add(card.id);
  const { text, time, replyTo } = card.dataset;
  const { frame, drawing } = leftAs(card);
  const answer = await send(card.getAttribute("action"), { do: what, attempt: card.dataset.attempt });
  setTimeout(() => sending.delete(card.id), 1000);
  if (answer.status === OFFLINE || answer.status === TROUBLE) {
    if (what !== "send") toast(say("trouble"));
    return;
  }
  const after = answer.part.querySelector(`#${CSS.escape(card.id)}`);
  apply(answer.part, { mine: true });
  if (what === "undo" && answer.state === "cancelled") {
    if (card.dataset.changeOf) toast(say("undoneChange"));
    else restore({ text, time: Number(time), reply_to: replyTo, frame, drawing });
    announce(say(card.dataset.changeOf ? "undoneChange" : "undone"));
  } else if (what === "undo") toast(say("tooLate"));
  else if (!after && what !== "dismiss") announce(say(replyTo ? "replied" : "posted"));
  else if (after && after.dataset.sent !== "held") announce(after.querySelector("p").textContent.trim());
}

// Stored texts whose attempt is in no outbox any more have been confirmed, taken back, or let go.
function release() {
  const keys = new Set(cards().map((card) => card.id.slice("sent-".length)));
  for (const sent of drafts.listSent())
    if (!keys.has(sent.key) && Date.now() - sent.at > 2000) drafts.release(sent.key);
}

/**
 * The page was left before, and its card was sent then: this page may have been written a moment earlier.
 * @param {HTMLFormElement} card
 */
function sentOnLeaving(card) {
  const left = get(`left:${card.id}`);
  drop(`left:${card.id}`);
  if (!left || card.dataset.sent !== "held") return;
  deadlines.set(card.id, 0);
  card.querySelector("[data-left]").textContent = say("sending");
  for (const button of card.querySelectorAll("button")) button.remove();
}

export function start() {
  if (!document.getElementById("outbox")) return;
  cards().forEach(sentOnLeaving);
  document.addEventListener("submit", (event) => {
    const card = event.target.closest("[data-sent]");
    if (!card) return;
    event.preventDefault();
    act(card, event.submitter.value);
  });
  document.addEventListener("click", (event) => {
    const card = event.target.closest?.("[data-take-up]")?.closest("[data-sent]");
    if (!card) return;
    event.preventDefault();
    const { text, time, replyTo } = card.dataset;
    const { frame, drawing } = leftAs(card);
    restore({ text, time: Number(time), reply_to: replyTo, frame, drawing });
    act(card, "dismiss");
  });
  // Whoever leaves wants it sent.
  addEventListener("pagehide", () => {
    for (const card of cards()) {
      if (card.dataset.sent !== "held" || sending.has(card.id)) continue;
      const body = new FormData();
      body.append("do", "send");
      body.append("csrfmiddlewaretoken", document.querySelector("#act [name=csrfmiddlewaretoken]").value);
      if (navigator.sendBeacon(card.getAttribute("action"), body)) set(`left:${card.id}`, 1);
    }
  });
  document.addEventListener("room:live", release);
  setInterval(tick, 250);
}
