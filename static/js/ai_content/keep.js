// @ts-check
// Everything typed is kept: at once in this browser, half a second later on the server, and only then forgotten here.
// Lost network, an ended session or a crash in between lose nothing: the next visit puts it back or asks.
import { isCommand, names } from "../keyboard.js";
import { present } from "../press.js";
import "./tab.js";
import "./patch.js";
import { drop, fill, load, gist, put, snapshot } from "./store.js";

const RETRY = 4000;
const PATIENCE = 6000;
const forms = () => [...document.querySelectorAll("form[data-keep]")];
/** @type {Set<HTMLFormElement>} */
const dirty = new Set();
const sent = new WeakMap();
const recovered = new WeakSet();
/** @type {Set<Element | string>} */
const waiting = new Set();
/** @type {number | undefined} */
let later;

/**
 * @param {string} word
 * @param {HTMLFormElement} [form]
 * @param {Kept} [entry]
 */
function say(word, form, entry) {
  const place = document.querySelector("[data-keep-notice]");
  if (!place || place.dataset.word === word) return;
  place.dataset.word = word;
  const words = document.querySelector(`template[data-keep-words="${word}"]`);
  place.replaceChildren(words ? words.content.cloneNode(true) : "");
  const sign = place.querySelector("[data-sign-in]");
  if (sign) sign.href += `?next=${encodeURIComponent(location.pathname + location.search)}`;
  if (entry) offer(place, form, entry);
}

/** @param {string} [word] */
function hush(word) {
  const place = document.querySelector("[data-keep-notice]");
  if (place?.dataset.word && (!word || place.dataset.word === word)) {
    place.replaceChildren();
    place.dataset.word = "";
  }
}

/**
 * @param {HTMLElement} place
 * @param {HTMLFormElement} form
 * @param {Kept} entry
 */
function offer(place, form, entry) {
  place.querySelector("[data-text]").textContent = gist(form, entry).slice(0, 400);
  place.querySelector("[data-use]").addEventListener("click", () => {
    if (fill(form, entry)) form.dispatchEvent(new Event("input", { bubbles: true }));
    hush();
  });
  place.querySelector("[data-drop]").addEventListener("click", () => {
    drop(form);
    hush();
  });
}

/** @param {HTMLFormElement} form */
function recover(form) {
  if (recovered.has(form)) return;
  recovered.add(form);
  const entry = load(form);
  if (!entry) return typedEarly(form);
  const before = snapshot(form);
  if (before === JSON.stringify(entry.fields) || !gist(form, entry)) return drop(form);
  if (entry.seen === (form.querySelector("[data-seen]")?.value ?? "") && fill(form, entry)) {
    dirty.add(form);
    setTimeout(() => htmx.trigger(form, "keep"));
  } else {
    say("recovered", form, entry);
  }
}

/**
 * What was typed before this script was there.
 * @param {HTMLFormElement} form
 */
function typedEarly(form) {
  const field = /** @type {HTMLInputElement} */ (document.activeElement);
  if (!form.contains(field) || !("defaultValue" in field) || field.value === field.defaultValue) return;
  const tell = () => field.dispatchEvent(new Event("input", { bubbles: true }));
  if (document.readyState === "complete") tell();
  else addEventListener("load", tell, { once: true });
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-keep]");
  if (!form) return;
  dirty.add(form);
  put(form);
});

// htmx sends the button that has the focus with whatever the form sends, also when nobody pressed it: keeping what was
// typed must never press Delete. Only a submit has a button, and it is the one that was pressed.
document.addEventListener("htmx:configRequest", (event) => {
  const { formData, triggeringEvent: cause, elt } = event.detail;
  if (!elt.matches("form[data-keep]")) return;
  const pressed = cause?.type === "submit" ? cause.submitter : null;
  for (const button of elt.querySelectorAll("button[name]")) formData.delete(button.name);
  if (pressed?.name) formData.set(pressed.name, pressed.value);
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.matches?.("form[data-keep]"))
    sent.set(event.target, snapshot(/** @type {HTMLFormElement} */ (event.target)));
});

document.addEventListener("htmx:afterRequest", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches?.("form[data-keep]") || !event.detail.successful) return;
  hush("offline");
  if (!form.isConnected || sent.get(form) === snapshot(form)) {
    dirty.delete(form);
    drop(form);
  }
});

// A form that was swapped away after it was sent is done with; its successor says what is there.
document.addEventListener("htmx:afterOnLoad", () => {
  for (const form of dirty) if (!form.isConnected) dirty.delete(form);
  forms().forEach(recover);
});

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(/** @type {"htmx:timeout"} */ (name), (event) => {
    if (event.target.matches?.("form[data-keep]")) trouble();
  });
}

document.addEventListener("htmx:responseError", (event) => {
  if (!event.target.matches?.("form[data-keep]")) return;
  const status = event.detail.xhr.status;
  if (status >= 500 || status === 429) trouble();
  else say("refused");
});

function trouble() {
  say("offline");
  clearTimeout(later);
  later = setTimeout(again, RETRY);
}

function again() {
  for (const form of dirty) if (form.isConnected) htmx.trigger(form, "keep");
}

addEventListener("online", again);

// An ended session must not take the page away while somebody types.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const to = event.detail.xhr.getResponseHeader("HX-Redirect") ?? "";
  if (!to.startsWith("/sign-in/") || !event.target.matches?.("form[data-keep], #pulse")) return;
  event.preventDefault();
  say("signed-out");
});

// Nothing leaves the page, and nothing else is sent, before what was typed is stored.
export function flush() {
  return Promise.all([...dirty].filter((form) => form.isConnected).map(keep));
}

/**
 * Ends when the server has answered to what this form holds now, or has not in time. A request that is on its way holds
 * an earlier text: the one that starts after it counts.
 * @param {HTMLFormElement} form
 */
function keep(form) {
  const over = new AbortController();
  const { signal } = over;
  let leaves = false;
  form.addEventListener("htmx:beforeRequest", () => (leaves = true), { signal });
  form.addEventListener("htmx:afterRequest", () => (leaves || !form.isConnected) && over.abort(), { signal });
  setTimeout(() => over.abort(), PATIENCE);
  htmx.trigger(form, "keep");
  return new Promise((resolve) => {
    signal.addEventListener("abort", resolve);
  });
}

/**
 * Act when what was typed is stored. Whoever presses a second time meanwhile, as in a double click, has pressed once.
 * @param {Element} element
 * @param {() => void} act
 */
function actWhenStored(element, act) {
  const pressed = element.id || element;
  if (waiting.has(pressed)) return;
  waiting.add(pressed);
  flush().then(() => {
    waiting.delete(pressed);
    act();
  });
}

document.addEventListener("htmx:confirm", (event) => {
  const element = event.detail.elt;
  if (!dirty.size || element.matches("form[data-keep], [data-poll]")) return;
  event.preventDefault();
  actWhenStored(element, () => {
    if (element.isConnected) event.detail.issueRequest(true);
    else present(element)?.requestSubmit();
  });
});

// Every answer brings the bar with the form of the save. One that came while a save was on its way would take its
// place, and the save's own answer would find none. What is typed meanwhile stays in this browser until the save is
// back, and leaves then.
document.addEventListener("htmx:confirm", (event) => {
  const save = document.querySelector("form[data-save].htmx-request");
  if (!save || event.defaultPrevented || event.detail.elt.matches("[data-poll]")) return;
  event.preventDefault();
  afterwards(save, () => event.detail.issueRequest(true));
});

/**
 * @param {Element} save
 * @param {() => void} act
 */
function afterwards(save, act) {
  const over = new AbortController();
  const listen = (/** @type {CustomEvent<HtmxDetail>} */ event) => {
    if (event.detail.requestConfig.elt !== save) return;
    over.abort();
    act();
  };
  document.addEventListener("htmx:afterRequest", listen, { signal: over.signal });
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!dirty.size || form.matches("[data-keep], [hx-post]") || form.method !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.submitter;
    actWhenStored(form, () => {
      dirty.clear();
      present(form)?.requestSubmit(button && present(button));
    });
  },
  true,
);

document.addEventListener("click", (event) => {
  const drops = event.target.closest("[data-drop-typed]");
  if (drops) {
    forms().forEach(drop);
    dirty.clear();
  }
  const link = event.target.closest("a[href]");
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (
    !dirty.size ||
    !link ||
    !plain ||
    link.hasAttribute("hx-get") ||
    link.target ||
    link.getAttribute("href").startsWith("#")
  )
    return;
  event.preventDefault();
  flush().then(() => location.assign(link.href));
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-reload]")) return;
  event.preventDefault();
  location.reload();
});

document.addEventListener("keydown", (event) => {
  if (!isCommand(event) || !names(event).includes("s")) return;
  event.preventDefault();
  const save = () =>
    /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-save], form[data-save-page]"));
  actWhenStored(save() ?? document.body, () => save()?.requestSubmit());
});

document.addEventListener("ai-content:saved", () => {
  for (const mark of document.querySelectorAll("[data-changed], .tabs__mark")) mark.remove();
});

forms().forEach(recover);
