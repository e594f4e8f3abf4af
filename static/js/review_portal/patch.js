// @ts-check
// Puts an answer in place, piece by piece: only what changed, and never what is being read or typed. While a box is
// open it waits behind "Show 3 new comments". Loaded with the first answer that brings something.
import { announce, toast } from "./announce.js";
import { boxOpen, comments, mark, refresh, scroller, scrolls, threads } from "./live.js";
import { layout } from "./markers.js";
import { countHidden, inSight, offer, offerAway, reveal, show } from "./unseen.js";
import { count, say } from "./words.js";

/** @type {Element | null} */
let waiting = null;
let offered = 0; // how many of what waits are comments of others

function letIn() {
  const part = waiting;
  waiting = null;
  offered = 0;
  if (!part) return;
  const ids = unknown(part).map((comment) => comment.id);
  patch(part);
  offerAway(ids);
}

document.querySelector("[data-news] button").addEventListener("click", () => {
  letIn();
  reveal();
});
// A closed box lets in what waited for it, and so does the marker of a comment that waits.
document.addEventListener("room:closed", () => {
  if (waiting && !boxOpen()) letIn();
});
document.addEventListener(
  "click",
  ({ target }) => {
    const hash = /** @type {HTMLAnchorElement | null} */ (target.closest?.(".marker, .marker-peek__link"))?.hash;
    if (waiting && hash && !document.getElementById(hash.slice(1))) letIn();
  },
  { capture: true },
);

/**
 * The comments of an answer that were not here before, the reader's own or all others'.
 * @param {ParentNode} part
 * @param {boolean} [mine]
 */
const unknown = (part, mine = false) =>
  comments(part.querySelector("#threads") ?? part).filter(
    (comment) => !document.getElementById(comment.id) && "mine" in comment.dataset === mine,
  );

/**
 * How many comments of others are in the answer and were not here before. Those that a first view left out were.
 * @param {Element} part
 */
function fresh(part) {
  const newcomers = unknown(part);
  return [...(part.querySelector("#threads")?.children ?? [])].reduce((sum, item) => {
    const more = newcomers.filter((comment) => item.contains(comment)).length;
    return sum + Math.max(0, more + restOf(item) - restOf(threadOf(item)));
  }, 0);
}

/** @param {Element} item */
const restOf = (item) =>
  [...(item?.querySelectorAll("[data-rest]") ?? [])].reduce((sum, rest) => sum + Number(rest.dataset.rest), 0);

/**
 * The thread on the page that an item of an answer is about.
 * @param {Element} item
 */
const threadOf = (item) =>
  document.getElementById(item.dataset.same ?? item.querySelector("[id^=c-]").id)?.closest("#threads > li");

/**
 * An answer says what changed after a version (`after`; 0: it is whole). It belongs to another list than the one shown,
 * or begins later than what is shown ends: only the whole list helps.
 * @param {DOMStringMap} options
 * @param {DOMStringMap} page
 */
function isOfAnother({ poll, after }, page) {
  return (poll && page.poll && poll !== page.poll) || Number(after) > parseInt(page.v, 10);
}

/**
 * Answers overtake each other. An older one would bring back what a newer one replaced, and no later one would mend
 * that.
 * @param {DOMStringMap} options
 * @param {DOMStringMap} page
 */
const isOvertaken = ({ after, v }, page) => Number(after) > 0 && parseInt(v, 10) < parseInt(page.v, 10);

/**
 * Put an answer in place. `mine`: it answers an act of the reader, so nothing of it waits. `whole`: it is a list that
 * takes the place of the one shown, whatever that is.
 * @param {Element} part
 * @param {ApplyOptions} [options]
 */
export function apply(part, { mine = false, whole = false } = {}) {
  const live = part.querySelector("#live");
  if (!live) return patch(part);
  if (!whole && isOfAnother(live.dataset, mark().dataset)) return refresh();
  if (!whole && isOvertaken(live.dataset, mark().dataset)) return undefined;
  const others = fresh(part);
  if (!mine && boxOpen() && part.querySelector("#threads")) {
    waiting = part;
    mark().dataset.waits = live.dataset.v;
    patchAround(part);
    layout();
    if (others > offered) {
      tellOf(others, others - offered);
      offer(others);
    }
    offered = others;
    return undefined;
  }
  if (others && !mine) tellOf(others, others - offered);
  waiting = null;
  offered = 0;
  const [theirs, own] = [unknown(part), mine ? unknown(part, true) : []].map((found) => found.map((one) => one.id));
  const done = patch(part);
  offerAway(whole ? [] : theirs);
  if (!whole && own.length) sayWhere(own[0]);
  return done;
}

/**
 * @param {number} others
 * @param {number} more
 */
function tellOf(others, more) {
  announce(count(say("newOne"), say("newMany"), others));
  countHidden(more);
}

/**
 * Where the reader's own words landed, if that is out of sight.
 * @param {string} id
 */
function sayWhere(id) {
  const own = document.getElementById(id);
  if (!own || inSight(id)) return;
  toast(say(own.matches(".thread") ? "posted" : "replied"), say("show"), () => show(document.getElementById(id)));
}

/** @param {Element} part */
function patch(part) {
  const list = part.querySelector("#threads");
  if (
    list &&
    [...list.children].some((item) => "same" in item.dataset && !document.getElementById(item.dataset.same))
  ) {
    return refresh(); // an answer to another list than the one shown
  }
  const anchor = scroller && anchored();
  if (list) patchThreads(list);
  patchAround(part);
  anchor?.();
  if (part.querySelector("#live")) {
    mark().replaceWith(part.querySelector("#live"));
  }
  layout();
  document.dispatchEvent(new CustomEvent("room:live"));
  return undefined;
}

/**
 * Everything but the list: counts, notes, outbox. What holds the focus stays until it is left.
 * @param {Element} part
 */
function patchAround(part) {
  for (const piece of [...part.children]) {
    const current = piece.id && document.getElementById(piece.id);
    if (!current || ["live", "threads", "problems"].includes(piece.id) || current.outerHTML === piece.outerHTML)
      continue;
    if (piece.id === "composer" && isBegun(current)) continue;
    if (piece.id === "email-offer" && current.querySelector("[open]") && piece.firstElementChild) continue;
    if (piece.id === "chips") {
      bringFilters(current, piece);
      continue;
    }
    if (current.contains(document.activeElement) && piece.id !== "outbox") {
      current.addEventListener(
        "focusout",
        () =>
          setTimeout(() => {
            if (current.isConnected && !current.contains(document.activeElement)) current.replaceWith(piece);
          }),
        { once: true },
      );
      continue;
    }
    current.replaceWith(piece);
  }
  document.dispatchEvent(new CustomEvent("room:parts"));
}

/**
 * The filters say at once which of them is shown: whoever pressed one has the focus there.
 * @param {Element} current
 * @param {Element} filters
 */
function bringFilters(current, filters) {
  const pressed = current.contains(document.activeElement) ? [...current.children].indexOf(document.activeElement) : -1;
  current.replaceWith(filters);
  const same = /** @type {HTMLElement | undefined} */ (filters.children[pressed]);
  same?.focus();
}

/** @param {Element} composer */
const isBegun = (composer) =>
  [.../** @type {NodeListOf<HTMLInputElement>} */ (composer.querySelectorAll("textarea, [name=drawing]"))].some(
    ({ value }) => value,
  );

/** @param {Element} list */
function patchThreads(list) {
  const items = [...list.children].map((item) => {
    const current = threadOf(item);
    if ("same" in item.dataset) return current;
    return current ? merged(current, item) : item;
  });
  const keep = new Set(items);
  for (const item of [...threads().children]) if (!keep.has(item)) item.remove();
  items.forEach((item, place) => {
    if (threads().children[place] !== item) threads().insertBefore(item, threads().children[place] ?? null);
  });
}

/**
 * A thread that changed. One with an open box keeps it: only its replies are brought up to date.
 * @param {Element} current
 * @param {Element} item
 */
function merged(current, item) {
  const [old, now] = [current.firstElementChild, item.firstElementChild];
  const same = old.dataset.v === now.dataset.v && old.tagName === now.tagName;
  // It has as much, or more.
  if (same && restOf(item) >= restOf(current) && (restOf(item) || !stale(old, now))) return current;
  if (!old.querySelector(".reply-box") && !old.contains(document.activeElement)) {
    if (old.tagName === now.tagName && old.hasAttribute("open")) now.setAttribute("open", "");
    if (old.matches(".thread--active")) now.classList.add("thread--active");
    current.replaceWith(item);
    return item;
  }
  const replies = old.querySelector(".replies");
  replies.hidden = false;
  bringReplies(replies, now.querySelector(".replies"));
  if (!old.contains(document.activeElement) || !document.activeElement.matches("textarea, input"))
    return swapKeeping(current, item);
  return current;
}

/**
 * Replies as an answer has them, in its order. What it leaves out stays where it is here.
 * @param {HTMLElement} replies
 * @param {HTMLElement} list
 */
function bringReplies(replies, list) {
  if (!restOf(list)) for (const rest of replies.querySelectorAll("[data-rest]")) rest.remove();
  let last = null;
  for (const reply of [...list.children].filter((item) => item.id)) {
    const current = document.getElementById(reply.id);
    if (!current && last) last.after(reply);
    else if (!current) replies.prepend(reply);
    else if (current.outerHTML !== reply.outerHTML && !current.contains(document.activeElement))
      current.replaceWith(reply);
    last = document.getElementById(reply.id);
  }
}

/**
 * @param {Element} old
 * @param {Element} now
 */
const stale = (old, now) =>
  old.querySelector(".comment__when")?.textContent !== now.querySelector(".comment__when")?.textContent;

/**
 * The new thread with the old one's open boxes and its focus.
 * @param {Element} current
 * @param {Element} item
 */
function swapKeeping(current, item) {
  const focused = current.contains(document.activeElement) ? document.activeElement : null;
  for (const box of current.querySelectorAll(".reply-box")) {
    const home = document.getElementById(box.closest("[id^=c-]").id);
    item.querySelector(`#${CSS.escape(home.id)} .comment__actions`)?.after(box);
  }
  current.replaceWith(item);
  (focused?.closest(".reply-box") ? focused : focused && twin(focused, item))?.focus();
  return item;
}

/**
 * The control that took the place of the one that had the focus.
 * @param {Element} focused
 * @param {Element} item
 */
function twin(focused, item) {
  /** @param {Element} control */
  const same = (control) => control.textContent === focused.textContent && control.className === focused.className;
  const controls = [...item.querySelectorAll("a, button, summary")].filter((control) => control.checkVisibility());
  return controls.find(same) ?? controls.find((control) => control.matches("summary, button[form=act]"));
}

// The list keeps still: the first comment in sight stays where it is.
function anchored() {
  const box = scrolls() ? scroller : null;
  const top = box ? box.getBoundingClientRect().top : 0;
  const first = [...(threads()?.children ?? [])].find((item) => item.getBoundingClientRect().bottom > top + 1);
  if (!first || (box ? box.scrollTop : scrollY) <= 0) return undefined;
  const at = first.getBoundingClientRect().top;
  const id = first.firstElementChild.id;
  return () => {
    const now = document.getElementById(id)?.getBoundingClientRect().top;
    if (now !== undefined && now !== at) (box ?? window).scrollBy({ top: now - at, behavior: "instant" });
  };
}
