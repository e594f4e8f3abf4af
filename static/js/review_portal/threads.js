// @ts-check
// Threads: the one that follows the picture, places that links lead to, loop. What is written in them is in boxes.js.
import { opensTab, register } from "./actions.js";
import { player } from "./player.js";
import { scroller, scrolls } from "./live.js";
import { loopAround } from "./range.js";
import { bringAll } from "./rest.js";
import { say } from "./words.js";

export const all = () => [...document.querySelectorAll("#threads .thread")];
const current = () => document.querySelector(".thread--active");
/** @param {Element} element */
export const comment = (element) => element.closest("[id^=c-]");
let scrolledAt = 0;
let chosenAt = -1;

/**
 * @param {HTMLElement} thread
 * @param {{ scroll?: boolean }} [options]
 */
function activate(thread, { scroll = true } = {}) {
  if (!thread || thread === current()) return;
  current()?.classList.remove("thread--active");
  thread.classList.add("thread--active");
  if (scroll && scrolls() && Date.now() - scrolledAt > 5000) {
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

/**
 * Show one comment: unfold its thread, bring it into view, take the picture there.
 * @param {HTMLElement} target
 * @param {{ focus?: boolean, seek?: boolean }} [options]
 */
export function open(target, { focus = true, seek = true } = {}) {
  const thread = target.closest(".thread");
  if (!thread) return false;
  if ("open" in thread) thread.open = true;
  document.dispatchEvent(new Event("room:thread"));
  chosenAt = Number(thread.dataset.t);
  if (seek) player.seek(Number(thread.dataset.at ?? chosenAt));
  activate(thread, { scroll: false });
  target.scrollIntoView({ block: "nearest" });
  if (focus) {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
  return true;
}

/**
 * @param {string} hash
 * @param {{ focus?: boolean, seek?: boolean }} [options]
 */
function goTo(hash, options) {
  // A reply's place is named by the first group of its id; the whole id finds it too.
  const name = /^#c-[0-9a-f]{8}(-[0-9a-f-]{27})?$/.test(hash) ? hash.slice(1) : "";
  const target = name && (document.getElementById(name) ?? document.getElementById(name.slice(0, 10)));
  return target ? open(target, options) : false;
}

/**
 * A place that is in none of the replies shown so far: an address that somebody kept, or one in a text.
 * @param {string} hash
 * @param {{ focus?: boolean, seek?: boolean }} [options]
 */
async function lookFor(hash, options) {
  if (goTo(hash, options) || !document.querySelector("[data-rest]") || !hash.startsWith("#c-")) return;
  await bringAll();
  goTo(hash, options);
}

/** @param {number} step */
function neighbour(step) {
  const list = all().filter((thread) => thread.offsetParent !== null);
  const ordered = list.sort((a, b) => Number(a.dataset.t) - Number(b.dataset.t));
  const index = ordered.indexOf(/** @type {HTMLDetailsElement} */ (current()));
  const at = player.second;
  const next =
    index >= 0
      ? ordered[index + step]
      : step > 0
        ? ordered.find((thread) => Number(thread.dataset.t) >= at)
        : ordered.filter((thread) => Number(thread.dataset.t) < at).at(-1);
  if (next) open(next);
}

/**
 * Answering a reply: every reply gets its own control; the server leaves it out to keep a full page small.
 * @param {ParentNode} [root]
 */
function equip(root = document) {
  for (const reply of root.querySelectorAll("#threads .replies > li[id]")) {
    if (
      reply.querySelector("[data-reply]") ||
      !document.getElementById("reply-form") ||
      !document.querySelector("[data-reply]")
    )
      continue;
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "action",
      textContent: say("answer"),
    });
    button.dataset.reply = "";
    reply.querySelector("header").append(button);
  }
}

/**
 * @param {Heard<MouseEvent>} event
 * @returns {void}
 */
function clicked(event) {
  if (event.defaultPrevented || opensTab(event) || event.button) return;
  const loop = event.target.closest?.("[data-loop]")?.closest(".thread").dataset;
  if (loop) return void loopAround(Number(loop.t), Number(loop.to ?? loop.t));
  const link = event.target.closest?.("a");
  if (!link || link.matches("[data-copy]")) return;
  const moment = link.getAttribute("href")?.match(/^\?(?:.*&)?t=(\d+(\.\d+)?)$/);
  if (moment && link.closest(".talk, .watch")) {
    event.preventDefault();
    if (comment(link)) open(link.closest(".thread"), { focus: false, seek: false });
    chosenAt = Math.floor(Number(moment[1]));
    player.seek(Number(moment[1]));
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
  for (const sign of ["wheel", "touchmove", "keydown"])
    scroller?.addEventListener(
      sign,
      () => {
        scrolledAt = Date.now();
      },
      { passive: true },
    );
  addEventListener("hashchange", () => lookFor(location.hash));
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
  const hasTime = new URLSearchParams(location.search).has("t");
  lookFor(location.hash, { seek: !hasTime, focus: false });
}
