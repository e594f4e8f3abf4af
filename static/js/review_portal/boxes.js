// @ts-check
// Boxes inside a thread: answer, edit, withdraw; and what is sent from it: changes, resolve, reopen. Loaded when first
// needed.
import "./stay.js";
import { opensTab } from "./actions.js";
import { announce, toast } from "./announce.js";
import { format, parse } from "./clock.js";
import * as drafts from "./drafts.js";
import { apply } from "./patch.js";
import { newKey, queueChange } from "./posting.js";
import { asInBox, fields, isWritingElsewhere, OFFLINE, placeOfFocus, send, TROUBLE } from "./sending.js";
import { all, comment, open as openThread } from "./threads.js";
import { check, checkTime, problems } from "./writing.js";
import { fill, say } from "./words.js";

/** @param {Element} element */
const id = (element) => element.id.slice(2);
/**
 * @param {HTMLAnchorElement} control
 * @param {string} name
 */
const keyIn = (control, name) => new URL(control.href).searchParams.get(name);
/** @param {Element} element */
const words = (element) =>
  element.querySelector(":scope > .comment__text, :scope > .comment__body > p, :scope > p")?.textContent ?? "";

/**
 * @param {"reply-form" | "edit-form" | "withdraw-form"} template
 * @param {HTMLElement} target
 * @param {string} place
 */
function box(template, target, place) {
  document.querySelector(`[data-draft="${place}"]`)?.remove();
  const copied = document.getElementById(template).content.firstElementChild.cloneNode(true);
  const form = /** @type {HTMLFormElement} */ (copied);
  form.removeAttribute("id");
  form.dataset.draft = place;
  const after = target.querySelector(":scope > .comment__actions") ?? target.querySelector(":scope > p");
  after.after(form);
  if ("open" in target.closest(".thread")) target.closest(".thread").open = true;
  return form;
}

/**
 * @param {HTMLElement} target
 * @param {string} [text]
 */
function reply(target, text) {
  const thread = target.closest(".thread");
  const place = `reply-${id(thread)}`;
  const old = document.querySelector(`[data-draft="${place}"]`);
  const form = old ?? box("reply-form", thread, place);
  const draft = drafts.read(place);
  const field = form.elements.text;
  const name = target === thread ? "" : `@${author(target)} `;
  if (!old) {
    form.elements.reply_to.value = id(thread);
    form.elements.key.value = draft?.key ?? newKey();
    field.value = text ?? draft?.text ?? "";
    const label = form.querySelector("[data-to]");
    label.textContent = fill(label.dataset.to, { name: author(thread) });
  } else if (text) field.value = field.value.trim() ? `${text}\n${field.value}` : text;
  if (name && !field.value.startsWith(name)) field.value = name + field.value;
  check(form);
  return form;
}

/** @param {Element} element */
const author = (element) =>
  (element.querySelector(".comment__author, summary > h3, header > h4")?.firstChild.textContent ?? "").trim();

/** @param {HTMLAnchorElement} control */
function edit(control) {
  const target = comment(control);
  const key = keyIn(control, "edit");
  const form = box("edit-form", target, `edit-${key}`);
  const draft = drafts.read(form.dataset.draft);
  form.action = `${location.pathname}/comments/${key}`;
  form.elements.key.value = draft?.key || newKey();
  form.elements.opened_text.value = draft?.opened ?? words(target);
  form.elements.text.value = draft?.text ?? words(target);
  if (target.matches(".thread")) form.elements.time.value = format(draft?.time ?? Number(target.dataset.t));
  else for (const part of form.querySelectorAll("[data-timed]")) part.remove();
  fillDrawing(form, target, draft);
  check(form);
  return form;
}

/** @param {HTMLElement} target */
const sketchOf = (target) => target.querySelector(":scope > .comment__body .still")?.dataset.sketch ?? "";

/**
 * The drawing of the comment, else that of the draft. As long as nothing of it is changed it is not sent.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} target
 * @param {Draft | null} draft
 */
function fillDrawing(form, target, draft) {
  const field = form.elements.drawing;
  if (!field) return;
  field.value = draft?.drawing ?? sketchOf(target);
  field.disabled = draft?.drawing === undefined;
  document.dispatchEvent(new CustomEvent("room:drawing"));
}

/** @param {HTMLAnchorElement} control */
function withdraw(control) {
  const key = keyIn(control, "withdraw");
  const form = box("withdraw-form", comment(control), `withdraw-${key}`);
  form.action = `${location.pathname}/comments/${key}`;
  form.elements.key.value = newKey();
  form.querySelector("[data-leave]").focus();
}

/** @param {HTMLFormElement} form */
function close(form) {
  const home = comment(form);
  form.remove();
  const control = home?.querySelector("[data-reply], [data-edit], button, summary");
  if (document.activeElement === document.body) control?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("room:closed"));
}

/**
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 * @param {string} message
 */
async function change(form, sent, message) {
  const target = comment(form);
  const address = form.getAttribute("action");
  const before = {
    text: words(target),
    ...("time" in sent ? { time: format(Number(target.dataset.t)) } : {}),
    ...("drawing" in sent ? { drawing: sketchOf(target) } : {}),
  };
  const button = form.querySelector("[type=submit]");
  if (button.ariaDisabled === "true") return;
  button.setAttribute("aria-disabled", "true");
  const stays = placeOfFocus(form);
  const answer = await send(address, sent);
  button.removeAttribute("aria-disabled");
  if (answer.status === OFFLINE) return wait(form, sent);
  if (answer.status === TROUBLE) return toast(say("trouble"));
  if (answer.part.querySelector("#problems")) return problems(form, answer.part, { focus: stays() });
  if (answer.status >= 400) {
    form.elements.key.value = newKey();
    return refused(answer, { form, focus: stays() });
  }
  const at = target.id;
  const isOpen = goesOn(form, sent);
  if (!isOpen) {
    drafts.clear(form.dataset.draft);
    form.remove();
  }
  apply(answer.part, { mine: true });
  const open = answer.part.querySelector("[data-refusal]")?.textContent; // accepted, but its end is not known yet
  announce(open ?? say(message));
  if (open) toast(open);
  else if (message === "saved") toast(say(message), say("undo"), () => putBack(address, before, at));
  if (!isOpen && stays()) settle(at);
  return undefined;
}

/**
 * Whether an edit was written on while its words were saved: its box stays, and its next save is another one.
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 */
function goesOn(form, sent) {
  const { text, key, opened_text: opened } = form.elements;
  const written = ["text", "time", "drawing"].filter((name) => name in sent);
  if (written.every((name) => /** @type {any} */ (form.elements)[name].value === asInBox(sent[name]))) return false;
  key.value = newKey();
  opened.value = sent.text;
  text.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

/**
 * No connection: an edit keeps its words, a withdrawal its decision.
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 */
function wait(form, sent) {
  const edits = "editForm" in form.dataset ? form.dataset.draft : undefined;
  queueChange(form.getAttribute("action"), sent, edits ? `“${sent.text}”` : say("withdrawal"), edits);
  drafts.clear(form.dataset.draft);
  close(form);
}

/** @param {string} at */
function settle(at) {
  const now = document.getElementById(at);
  if (now) {
    now.tabIndex = -1;
    now.focus({ preventScroll: true });
  }
}

/**
 * The words of before, sent again by the one who wrote them: nobody else can [4.8].
 * @param {string} address
 * @param {{ text: string; time?: string; drawing?: string }} before
 * @param {string} at
 */
async function putBack(address, before, at) {
  const stays = placeOfFocus();
  const answer = await send(address, { ...before, key: newKey() });
  if (!answer.part) return toast(say("trouble"));
  if (Number(answer.status) >= 400) return refused(answer);
  apply(answer.part, { mine: true });
  announce(say("saved"));
  if (stays()) settle(at);
  return undefined;
}

/**
 * @param {Answer} answer
 * @param {{ form?: HTMLFormElement, focus?: boolean }} [options]
 */
function refused(answer, { form, focus } = {}) {
  const sentence = answer.part.querySelector("[data-refusal]")?.textContent ?? say("trouble");
  apply(answer.part, { mine: true });
  const slot = form?.querySelector('[data-error=""]');
  if (slot?.isConnected) {
    slot.replaceChildren(Object.assign(document.createElement("p"), { textContent: sentence }));
    slot.hidden = false;
    if (focus) slot.focus();
  } else toast(sentence);
  announce(sentence);
}

/**
 * Resolve and reopen: one hidden form, many buttons.
 * @param {HTMLButtonElement} button
 */
async function setStatus(button) {
  if (button.ariaDisabled === "true") return;
  button.setAttribute("aria-disabled", "true");
  const target = comment(button);
  const [key, status] = [target ? target.id : "", button.value];
  const following = status === "resolved-next" ? nextOpen(target) : null;
  const address = button.getAttribute("formaction");
  const sent = { status, key: newKey() };
  const stays = placeOfFocus();
  const answer = await send(address, sent);
  button.removeAttribute("aria-disabled");
  if (answer.status === OFFLINE) return queueChange(address, sent, `${button.textContent.trim()}: “${words(target)}”`);
  if (answer.status === TROUBLE) return toast(say("trouble"));
  if (answer.part.querySelector("#problems")) return toast(answer.part.querySelector("#problems").textContent.trim());
  if (answer.status >= 400) return refused(answer);
  apply(answer.part, { mine: true });
  const open = answer.part.querySelector("[data-refusal]")?.textContent;
  if (open) {
    announce(open);
    return toast(open);
  }
  const thread = document.getElementById(key);
  const resolved = status !== "open";
  const undo = async () => {
    const isHere = placeOfFocus();
    const again = await send(address, { status: resolved ? "open" : "resolved", key: newKey() });
    if (again.part) apply(again.part, { mine: true });
    if (isHere()) document.getElementById(key)?.focus();
  };
  const message = say(!resolved ? "reopened" : thread ? "resolved" : "resolvedHidden");
  toast(message, say("undo"), undo);
  announce(message);
  if (!stays()) return undefined;
  if (following && document.getElementById(following)) openThread(document.getElementById(following));
  else if (thread) focusOn(thread);
  else document.getElementById("talk-title")?.focus();
  return undefined;
}

/** @param {HTMLElement} thread */
function focusOn(thread) {
  const control = thread.querySelector("summary") ?? thread;
  if (control === thread) thread.tabIndex = -1;
  control.focus({ preventScroll: true });
}

/** @param {HTMLElement} target */
function nextOpen(target) {
  const list = all().filter((thread) => thread.matches(".is-open") && thread !== target);
  const later = list.filter((thread) => Number(thread.dataset.t) >= Number(target.dataset.t));
  return (later[0] ?? list[0])?.id ?? null;
}

/** @param {HTMLElement} thread */
const frameOf = ({ dataset: { at, t } }) => at ?? t;

/** @param {HTMLElement} target */
async function copy(target) {
  const address = `${location.origin}${location.pathname}?t=${frameOf(target.closest(".thread"))}#${target.id}`;
  try {
    await navigator.clipboard.writeText(address);
    toast(say("copied"));
  } catch {
    window.prompt(say("copyHere"), address); // no clipboard on plain http
  }
}

/** @type {Record<string, (control: any) => unknown>} */
const clicks = {
  "[data-reply]": (control) => reply(comment(control)).elements.text.focus(),
  "[data-edit]": (control) => edit(control).elements.text.focus(),
  "[data-withdraw]": (control) => withdraw(control),
  "[data-copy]": (control) => copy(comment(control)),
  "[data-leave]": (control) => close(control.closest("form")),
};

/** @param {Heard<MouseEvent>} event */
function clicked(event) {
  if (opensTab(event) || event.button) return;
  for (const [selector, act] of Object.entries(clicks)) {
    const control = event.target.closest?.(selector);
    if (!control) continue;
    event.preventDefault();
    act(control);
    document.activeElement.closest(".reply-box")?.scrollIntoView({ block: "nearest" }); // with its buttons
    return;
  }
}

export function start() {
  document.addEventListener("click", clicked);
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id === "act" && event.submitter?.name === "status") {
      event.preventDefault();
      setStatus(event.submitter);
    }
    if ("editForm" in form.dataset) {
      event.preventDefault();
      change(form, fields(form), "saved");
    }
    if ("withdrawForm" in form.dataset) {
      event.preventDefault();
      change(form, fields(form), "withdrawn");
    }
  });
  document.addEventListener("room:close", (event) => close(/** @type {HTMLFormElement} */ (event.target)));
  document.addEventListener("room:reply", ({ detail }) => {
    const target = document.getElementById(`c-${detail.parent}`);
    const form = target && reply(target, detail.text);
    if (form && !isWritingElsewhere(form)) form.elements.text.focus();
  });
  document.addEventListener("input", ({ target }) => {
    const form = target.closest?.(".reply-box[data-draft]");
    if (!form || target.name === "user_name" || "withdrawForm" in form.dataset) return;
    checkTime(form);
    const time = form.elements.time ? parse(form.elements.time.value) : Number(form.closest(".thread").dataset.t);
    drafts.write(form.dataset.draft, {
      text: form.elements.text.value,
      time: time || 0,
      key: form.elements.key?.value ?? "",
      opened: form.elements.opened_text?.value,
      drawing: form.elements.drawing?.disabled === false ? form.elements.drawing.value : undefined,
    });
  });
  document.addEventListener("room:reopen", reopen);
  document.addEventListener("room:draft", ({ detail: { place, draft } }) => {
    const form = document.querySelector(`.reply-box[data-draft="${place}"]`);
    if (form && document.activeElement !== form.elements.text)
      form.elements.text.value = draft?.text ?? form.elements.text.value;
  });
  reopen();
}

// Boxes with a draft stand open again after a reload.
function reopen() {
  for (const draft of drafts.list()) {
    const [, kind, key] = draft.place.match(/^(reply|edit)-(.+)$/) ?? [];
    const thread = key && document.getElementById(`c-${key}`);
    if (kind === "reply" && thread?.querySelector("[data-reply]")) reply(thread);
    const control = kind === "edit" && document.querySelector(`[data-edit][href*="edit=${key}"]`);
    if (control) edit(control);
  }
}
