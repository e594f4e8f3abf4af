// @ts-check
// What came where nobody sees it. In a hidden tab the title counts it and the icon wears a dot; beside a list that is
// scrolled away a button leads there. Loaded with the first answer that brings something.
import { scroller, scrolls } from "./live.js";
import { open } from "./threads.js";
import { count } from "./words.js";

const icon = document.querySelector("link[rel=icon]");
const plain = { title: document.title, icon: icon.href };
const news = document.querySelector("[data-news]");
const button = news.querySelector("button");
const EDGE = 16; // as much of a comment as has to be in sight
let counted = 0;
/** @type {string[]} */
let away = [];

/**
 * How many comments came while the tab was hidden.
 * @param {number} more
 */
export function countHidden(more) {
  if (document.hidden) tell(counted + more);
}

/** @param {number} number */
function tell(number) {
  counted = number;
  document.title = number ? `(${number}) ${plain.title}` : plain.title;
  icon.href = number ? icon.dataset.unseen : plain.icon;
}

// What of the list can be seen: the list's own box, or what the picture and the foot leave of the page.
function frame() {
  if (scrolls()) return scroller.getBoundingClientRect();
  const [picture, foot, list] = [".watch__pinned", ".talk__foot", ".talk__list"].map((part) =>
    document.querySelector(part).getBoundingClientRect(),
  );
  const above = picture.left < list.right && picture.right > list.left + 1;
  return { top: above ? Math.max(0, picture.bottom) : 0, bottom: Math.min(innerHeight, foot.top) };
}

/** @param {string} id */
export function inSight(id) {
  const comment = document.getElementById(id);
  if (!comment?.checkVisibility()) return false;
  const [box, { top, bottom }] = [frame(), comment.getBoundingClientRect()];
  return bottom > box.top + EDGE && top < box.bottom - EDGE;
}

/** @param {number} number */
export function offer(number) {
  button.textContent = count(button.dataset.one, button.dataset.many, number);
  news.hidden = number === 0;
}

/**
 * Comments that came out of sight are offered until they have been seen.
 * @param {string[]} ids
 */
export function offerAway(ids) {
  away = [...new Set([...away, ...ids])].filter((id) => document.getElementById(id) && !inSight(id));
  offer(away.length);
}

// Lead to the first comment that is out of sight, if there is one.
export function reveal() {
  const first = away.map((id) => document.getElementById(id)).find(Boolean);
  if (first) show(first);
}

/** @param {HTMLElement} comment */
export async function show(comment) {
  if (document.fullscreenElement) {
    await document.exitFullscreen();
    await new Promise((drawn) => {
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    });
  }
  open(comment, { seek: false });
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) tell(0);
});
let looking = 0;
addEventListener(
  "scroll",
  () => {
    if (!away.length || looking) return;
    looking = requestAnimationFrame(() => {
      looking = 0;
      offerAway([]);
    });
  },
  { capture: true, passive: true },
);
