// @ts-check
// Replies that a first view leaves out come when they are near, or when their link is pressed.
import { opensTab } from "./actions.js";
import { threads } from "./live.js";
import { OFFLINE, ask } from "./sending.js";
import { get } from "./store.js";

const NEAR = "400px";
const lastVisit = parseInt(get("seen") ?? "", 10);
const underWay = new WeakMap();
/** @type {IntersectionObserver | undefined} */
let observer;

const rests = () => [...(threads()?.querySelectorAll("[data-rest]") ?? [])];

/**
 * "" when they came, else why not. A later attempt is made by a press, or when they are near once more.
 * @param {HTMLElement} item
 */
function bring(item) {
  if (!underWay.has(item))
    underWay.set(
      item,
      fetchReplies(item).finally(() => underWay.delete(item)),
    );
  return underWay.get(item);
}

/** @param {HTMLElement} item */
async function fetchReplies(item) {
  const thread = item.closest("[id^=c-]").id.slice(2);
  const address = `${location.pathname}/comments/${thread}/replies${location.search}`;
  const query = new URLSearchParams({ from: item.dataset.from, rest: item.dataset.rest });
  const { status, part } = await ask(`${address}${location.search ? "&" : "?"}${query}`);
  if (!part) return status;
  if (!item.isConnected) return ""; // the whole thread came in another way meanwhile
  const fresh = [...part.querySelector("#rest").children].filter(
    (reply) => !reply.id || !document.getElementById(reply.id),
  );
  const hadFocus = item.contains(document.activeElement);
  item.replaceWith(...fresh);
  if (hadFocus) focusOn(fresh[0]);
  document.dispatchEvent(new CustomEvent("room:live"));
  return "";
}

/** @param {Element | undefined} reply */
function focusOn(reply) {
  if (!reply) return;
  reply.tabIndex = -1;
  reply.focus({ preventScroll: true });
}

// Every reply of every thread, for a place that is in none of those shown.
export async function bringAll() {
  while (rests().length && (await Promise.all(rests().map(bring))).every((trouble) => !trouble));
}

function observe() {
  observer?.disconnect();
  observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) bring(/** @type {HTMLElement} */ (entry.target));
    },
    { rootMargin: NEAR, scrollMargin: NEAR }, // of the page on a phone, of the list beside the film
  );
  for (const item of rests()) {
    if (Number(item.dataset.born) > lastVisit)
      bring(item); // written since the last visit: it gets its dot
    else observer.observe(item);
  }
}

export function start() {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("[data-rest] a");
    if (!link || opensTab(event)) return;
    event.preventDefault();
    const trouble = await bring(link.closest("[data-rest]"));
    if (trouble === OFFLINE) document.dispatchEvent(new CustomEvent("room:reach", { detail: false }));
    else if (trouble) location.assign(link.href);
  });
  document.addEventListener("room:live", observe);
  observe();
}
