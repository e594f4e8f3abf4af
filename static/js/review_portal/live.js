// @ts-check
// What others write comes in by itself: asks for it, quickly while somebody is there. What an answer brings is put in
// place by patch.js, which comes with the first one.
import { player } from "./player.js";
import { ask, TROUBLE, version } from "./sending.js";
import { get, set } from "./store.js";

// What others write is there within five seconds, also for who has been still for long.
const QUICK = 3000;
const SLOW = 4500;
const HIDDEN = 30000; // nobody looks: only the count in the title is waited for
const IDLE = 120000;
const REFRESH = 600000;
const before = get("seen");
/** @type {number | undefined} */
let timer;
let quietSince = Date.now();
let fullAt = Date.now();

export const mark = () => document.getElementById("live");
export const threads = () => document.getElementById("threads");
export const scroller = document.querySelector("[data-scroller]");
export const scrolls = () => Boolean(scroller) && scroller.scrollHeight > scroller.clientHeight;
/** @param {ParentNode} root */
export const comments = (root) => [...root.querySelectorAll("[id^=c-]")];
export const boxOpen = () =>
  Boolean(threads()?.querySelector(".reply-box")) ||
  (threads()?.contains(document.activeElement) && document.activeElement.matches("textarea, input"));

// Put an answer in place. `mine`: it answers an act of the reader, so nothing of it waits.
/** @type {() => Promise<typeof import("./patch.js")>} */
let patcher;
/**
 * @param {Element} part
 * @param {ApplyOptions} [options]
 */
export const apply = async (part, options) => (await patcher()).apply(part, options);

// A dot at what came since the last visit.
function dots() {
  if (!before) return;
  const last = parseInt(before, 10);
  let unread = 0;
  for (const comment of comments(threads() ?? document)) {
    if (Number(comment.dataset.born) <= last || "mine" in comment.dataset) continue;
    unread += 1;
    const dot = comment.querySelector(".comment__new");
    if (dot) dot.hidden = false;
    else
      comment
        .querySelector("header")
        ?.append(Object.assign(document.createElement("span"), { className: "comment__new" }));
  }
  const chip = document.querySelector("[data-new-chip]");
  if (!chip || chip.previousElementSibling?.dataset.show === "new") return;
  chip.hidden = unread === 0;
  chip.href = `${location.pathname}?show=new&since=${last}`;
  chip.querySelector(".chip__count").textContent = String(unread);
}

// What people.js has a poll say beside the version: where the reader is.
let place = () => "";
/** @param {() => string} told */
export const tell = (told) => {
  place = told;
};

/** @param {number} after */
const address = (after) => {
  const to = mark().dataset.poll;
  const shownVersion = mark().dataset.waits ?? version();
  const query = `v=${encodeURIComponent(after ? shownVersion : "")}&after=${after}${place()}`;
  return `${to}${to.includes("?") ? "&" : "?"}${query}`;
};

// Ask for everything anew: another filter, another day, an answer that did not fit.
export async function refresh() {
  fullAt = Date.now();
  const list = mark()?.dataset.poll;
  if (!list) return;
  const { status, part } = await ask(address(0));
  if (status === 200 && mark().dataset.poll === list) await apply(part, { whole: true });
}

async function poll() {
  clearTimeout(timer);
  if (!mark()?.dataset.poll) return;
  try {
    if (Date.now() - fullAt > REFRESH && !boxOpen() && !document.hidden) await refresh();
    else await look();
  } finally {
    clearTimeout(timer);
    const pace = Date.now() - quietSince > IDLE ? SLOW : QUICK;
    timer = setTimeout(poll, document.hidden ? HIDDEN : pace);
  }
}

async function look() {
  const answer = await ask(address(parseInt(version(), 10)));
  if (answer.status === TROUBLE && answer.closed) {
    // switched off meanwhile: the page says so, and shows what was typed and not sent
    location.reload();
    return;
  }
  document.dispatchEvent(new CustomEvent("room:reach", { detail: typeof answer.status === "number" }));
  document.dispatchEvent(new CustomEvent("room:here", { detail: "here" in answer ? answer.here : null }));
  if (answer.status !== 200) return;
  quietSince = Date.now();
  await apply(answer.part);
}

export const now = () => {
  quietSince = Date.now();
  poll();
};

/**
 * `patch` brings patch.js. It is named by the room alone: a module cannot name one that names it.
 * @param {() => Promise<typeof import("./patch.js")>} patch
 */
export function start(patch) {
  patcher = patch;
  if (!mark()) return;
  document.addEventListener("room:live", dots);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) now();
  });
  const awake = () => {
    const slept = Date.now() - quietSince > IDLE;
    quietSince = Date.now();
    if (slept) poll();
  };
  for (const sign of ["pointerdown", "keydown"]) document.addEventListener(sign, awake, { passive: true });
  player.addEventListener("time", () => {
    if (!player.paused) quietSince = Date.now();
  }); // who watches is not away
  addEventListener("online", now);
  addEventListener("pagehide", () => set("seen", version()));
  dots();
  poll();
}
