// Threads: answer, edit, withdraw, resolve, loop, copy; and the one that follows the picture.
import { register } from "./actions.js";
import { announce, toast } from "./announce.js";
import { format, parse } from "./clock.js";
import * as drafts from "./drafts.js";
import { apply } from "./live.js";
import { player } from "./player.js";
import { newKey } from "./posting.js";
import { loopAround } from "./range.js";
import { fields, OFFLINE, send, TROUBLE } from "./sending.js";
import { check, problems } from "./writing.js";
import { fill, say } from "./words.js";

const scroller = document.querySelector("[data-scroller]");
const all = () => [...document.querySelectorAll("#threads .thread")];
const current = () => document.querySelector(".thread--active");
const id = (element) => element.id.slice(2);
const comment = (element) => element.closest("[id^=c-]");
const keyIn = (control, name) => new URL(control.href).searchParams.get(name);
const words = (element) => element.querySelector(":scope > .comment__text, :scope > p")?.textContent ?? "";
let scrolledAt = 0;
let chosenAt = -1;

function activate(thread, { scroll = true } = {}) {
  if (!thread || thread === current()) return;
  current()?.classList.remove("thread--active");
  thread.classList.add("thread--active");
  if (scroll && scroller.scrollHeight > scroller.clientHeight && Date.now() - scrolledAt > 5000) {
    const [box, one] = [scroller.getBoundingClientRect(), thread.getBoundingClientRect()];
    if (one.top < box.top || one.bottom > box.bottom) scroller.scrollBy({ top: one.top - box.top - 60 });
  }
}

// The comment of the moment, within four seconds or its own range.
function follow() {
  const at = player.second;
  if (player.paused && at === chosenAt) return;
  let now = null;
  for (const thread of all()) {
    const from = Number(thread.dataset.t);
    const to = Math.max(Number(thread.dataset.to ?? 0), from + 3);
    if (from <= at && at <= to && (!now || from >= Number(now.dataset.t))) now = thread;
  }
  if (now) activate(now);
  else current()?.classList.remove("thread--active");
}

// Show one comment: unfold its thread, bring it into view, take the picture there.
export function open(target, { focus = true, seek = true } = {}) {
  const thread = target.closest(".thread");
  if (!thread) return false;
  if ("open" in thread) thread.open = true;
  chosenAt = Number(thread.dataset.t);
  if (seek) player.seek(chosenAt);
  activate(thread, { scroll: false });
  target.scrollIntoView({ block: "nearest" });
  if (focus) {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
  return true;
}

function goTo(hash, options) {
  // A reply's place is named by the first group of its id; the whole id finds it too.
  const name = /^#c-[0-9a-f]{8}(-[0-9a-f-]{27})?$/.test(hash) ? hash.slice(1) : "";
  const target = name && (document.getElementById(name) ?? document.getElementById(name.slice(0, 10)));
  return target ? open(target, options) : false;
}

function neighbour(step) {
  const list = all().filter((thread) => thread.offsetParent !== null);
  const ordered = list.sort((a, b) => Number(a.dataset.t) - Number(b.dataset.t));
  const here = ordered.indexOf(current());
  const at = player.second;
  const next = here >= 0
    ? ordered[here + step]
    : step > 0 ? ordered.find((thread) => Number(thread.dataset.t) >= at) : ordered.filter((thread) => Number(thread.dataset.t) < at).at(-1);
  if (next) open(next);
}

// Boxes

function box(template, target, place) {
  document.querySelector(`[data-draft="${place}"]`)?.remove();
  const form = document.getElementById(template).content.firstElementChild.cloneNode(true);
  form.removeAttribute("id");
  form.dataset.draft = place;
  const after = target.querySelector(":scope > .comment__actions") ?? target.querySelector(":scope > p");
  after.after(form);
  if ("open" in target.closest(".thread")) target.closest(".thread").open = true;
  return form;
}

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

const author = (element) => (element.querySelector(".comment__author, summary > b, header > b")?.firstChild.textContent ?? "").trim();

function edit(control) {
  const target = comment(control);
  const key = keyIn(control, "edit");
  const form = box("edit-form", target, `edit-${key}`);
  const draft = drafts.read(form.dataset.draft);
  form.action = `${location.pathname}/comments/${key}`;
  form.elements.text.value = draft?.text ?? words(target);
  if (target.matches(".thread")) form.elements.time.value = format(draft?.time ?? Number(target.dataset.t));
  else form.querySelector("[data-timed]").remove();
  check(form);
  return form;
}

function withdraw(control) {
  const key = keyIn(control, "withdraw");
  const form = box("withdraw-form", comment(control), `withdraw-${key}`);
  form.action = `${location.pathname}/comments/${key}`;
  form.querySelector("[data-leave]").focus();
}

function close(form) {
  const home = comment(form);
  form.remove();
  const control = home?.querySelector("[data-reply], [data-edit], button, summary");
  control?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("room:closed"));
}

async function change(form, sent, said) {
  const target = comment(form);
  const button = form.querySelector("[type=submit]");
  if (button.ariaDisabled === "true") return;
  button.setAttribute("aria-disabled", "true");
  const answer = await send(form.getAttribute("action"), sent);
  button.removeAttribute("aria-disabled");
  if (answer.status === OFFLINE || answer.status === TROUBLE) return toast(say("trouble"));
  if (answer.part.querySelector("#problems")) return problems(form, answer.part);
  if (answer.status >= 400) return refused(answer, form);
  drafts.clear(form.dataset.draft);
  const at = target.id;
  form.remove();
  apply(answer.part, { mine: true });
  announce(say(said));
  const now = document.getElementById(at);
  if (now) { now.tabIndex = -1; now.focus({ preventScroll: true }); }
  return undefined;
}

function refused(answer, form) {
  const sentence = answer.part.querySelector("[data-refusal]")?.textContent ?? say("trouble");
  apply(answer.part, { mine: true });
  const slot = form?.querySelector('[data-error=""]');
  if (slot?.isConnected) {
    slot.replaceChildren(Object.assign(document.createElement("p"), { textContent: sentence }));
    slot.hidden = false;
    slot.focus();
  } else toast(sentence);
  announce(sentence);
}

// Resolve and reopen: one hidden form, many buttons.
async function setStatus(button) {
  if (button.ariaDisabled === "true") return;
  button.setAttribute("aria-disabled", "true");
  const target = comment(button);
  const [key, wanted] = [target ? target.id : "", button.value];
  const following = wanted === "resolved-next" ? nextOpen(target) : null;
  const address = button.getAttribute("formaction");
  const answer = await send(address, { status: wanted });
  button.removeAttribute("aria-disabled");
  if (answer.status === OFFLINE || answer.status === TROUBLE) return toast(say("trouble"));
  if (answer.part.querySelector("#problems")) return toast(answer.part.querySelector("#problems").textContent.trim());
  if (answer.status >= 400) return refused(answer);
  apply(answer.part, { mine: true });
  const there = document.getElementById(key);
  const resolved = wanted !== "open";
  const undo = async () => {
    const again = await send(address, { status: resolved ? "open" : "resolved" });
    if (again.part) apply(again.part, { mine: true });
    document.getElementById(key)?.focus();
  };
  const said = say(!resolved ? "reopened" : there ? "resolved" : "resolvedHidden");
  toast(said, say("undo"), undo);
  announce(said);
  if (following && document.getElementById(following)) open(document.getElementById(following));
  else if (there) focusOn(there);
  else document.getElementById("talk-title")?.focus();
  return undefined;
}

function focusOn(thread) {
  const control = thread.querySelector("summary") ?? thread;
  if (control === thread) thread.tabIndex = -1;
  control.focus({ preventScroll: true });
}

function nextOpen(target) {
  const list = all().filter((thread) => thread.matches(".is-open") && thread !== target);
  const later = list.filter((thread) => Number(thread.dataset.t) >= Number(target.dataset.t));
  return (later[0] ?? list[0])?.id ?? null;
}

async function copy(target) {
  const address = `${location.origin}${location.pathname}?t=${target.closest(".thread").dataset.t}#${target.id}`;
  try {
    await navigator.clipboard.writeText(address);
    toast(say("copied"));
  } catch {
    window.prompt(say("copyHere"), address); // no clipboard on plain http
  }
}

// Answering a reply: every reply gets its own control; the server leaves it out to keep a full page small.
function equip(root = document) {
  for (const one of root.querySelectorAll("#threads .replies > li")) {
    if (one.querySelector("[data-reply]") || !document.getElementById("reply-form") || !document.querySelector("[data-reply]")) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "action", textContent: say("answer") });
    button.dataset.reply = "";
    one.querySelector("header").append(button);
  }
}

const clicks = {
  "[data-reply]": (control) => reply(comment(control)).elements.text.focus(),
  "[data-edit]": (control) => edit(control).elements.text.focus(),
  "[data-withdraw]": (control) => withdraw(control),
  "[data-copy]": (control) => copy(comment(control)),
  "[data-leave]": (control) => close(control.closest("form")),
  "[data-loop]": (control) => {
    const thread = control.closest(".thread");
    loopAround(Number(thread.dataset.t), Number(thread.dataset.to ?? thread.dataset.t));
  },
};

function clicked(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  for (const [selector, act] of Object.entries(clicks)) {
    const control = event.target.closest?.(selector);
    if (control) { event.preventDefault(); return void act(control); }
  }
  const link = event.target.closest?.("a");
  if (!link) return;
  const moment = link.getAttribute("href")?.match(/^\?(?:.*&)?t=(\d+)$/);
  if (moment && link.closest(".talk, .watch")) {
    event.preventDefault();
    if (comment(link)) open(link.closest(".thread"), { focus: false, seek: false });
    chosenAt = Number(moment[1]);
    player.seek(chosenAt);
  } else if (link.hash === "#composer" && link.matches(".marker")) {
    event.preventDefault();
    document.querySelector("#composer textarea")?.focus();
  } else if (link.hash.startsWith("#c-") && link.pathname === location.pathname && goTo(link.hash)) {
    event.preventDefault();
    history.replaceState(history.state, "", link.hash);
  }
}

export function start() {
  document.addEventListener("click", clicked);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "act" && event.submitter?.name === "status") { event.preventDefault(); setStatus(event.submitter); }
    if ("editForm" in form.dataset) { event.preventDefault(); change(form, fields(form), "saved"); }
    if ("withdrawForm" in form.dataset) { event.preventDefault(); change(form, fields(form), "withdrawn"); }
  });
  document.addEventListener("room:close", (event) => close(event.target));
  document.addEventListener("room:reply", ({ detail }) => {
    const target = document.getElementById(`c-${detail.parent}`);
    if (target) reply(target, detail.text).elements.text.focus();
  });
  document.addEventListener("input", ({ target }) => {
    const form = target.closest?.(".reply-box[data-draft]");
    if (!form || target.name === "user_name" || "withdrawForm" in form.dataset) return;
    const time = form.elements.time ? parse(form.elements.time.value) : Number(form.closest(".thread").dataset.t);
    drafts.write(form.dataset.draft, { text: form.elements.text.value, time: time || 0, key: form.elements.key?.value ?? "" });
  });
  document.addEventListener("room:draft", ({ detail: { place, draft } }) => {
    const form = document.querySelector(`.reply-box[data-draft="${place}"]`);
    if (form && document.activeElement !== form.elements.text) form.elements.text.value = draft?.text ?? form.elements.text.value;
  });
  for (const sign of ["wheel", "touchmove", "keydown"]) scroller?.addEventListener(sign, () => { scrolledAt = Date.now(); }, { passive: true });
  addEventListener("hashchange", () => goTo(location.hash));
  document.addEventListener("room:live", () => equip());
  player.addEventListener("time", follow);
  register({
    next: () => neighbour(1),
    previous: () => neighbour(-1),
    reply: () => current()?.querySelector("[data-reply]")?.click(),
    edit: () => current()?.querySelector(":scope > .comment__actions [data-edit]")?.click(),
    resolve: () => current()?.querySelector('[form=act][value="resolved"], [form=act][value="open"]')?.click(),
    "resolve-next": () => current()?.querySelector('[form=act][value="resolved-next"]')?.click(),
  });
  equip();
  reopen();
  const asked = new URLSearchParams(location.search).has("t");
  goTo(location.hash, { seek: !asked, focus: false });
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
