// @ts-check
// A page that was drawn from what was known asks whether it has been read anew, and shows what is newer by itself,
// unless somebody has begun to do something on it.
import { load } from "./htmx.js";

const PAUSE = 1000;
let touched = false;
for (const kind of ["input", "change", "submit"])
  document.addEventListener(
    kind,
    () => {
      touched = true;
    },
    true,
  );

function busy() {
  const focused = document.activeElement;
  const open = document.querySelector("dialog[open], [popover]:popover-open, details[data-menu][open]");
  return (
    touched ||
    Boolean(open) ||
    (focused && focused !== document.body && document.querySelector("#main")?.contains(focused))
  );
}

/**
 * The text of an answer that has news; null for any other, and for the page to sign in.
 * @param {string} address
 */
async function ask(address) {
  const answer = await fetch(address).catch(() => /** @type {null} */ (null));
  return answer?.status === 200 && !answer.redirected ? answer.text() : null;
}

async function follow() {
  const notice = document.querySelector("#known[data-news]");
  if (!notice) return;
  const news = await ask(notice.dataset.news);
  if (news !== null) {
    notice.replaceWith(new DOMParser().parseFromString(news, "text/html").querySelector("#known"));
    await showNewer();
  }
  followLater(news === null);
}

/**
 * A page that waits for the end of a pause asks when that is over, and from then on as any other.
 * @param {boolean} isOver
 */
function followLater(isOver) {
  const notice = document.querySelector("#known[data-news]");
  const wait = isOver ? 0 : 1000 * Number(notice?.dataset.wait ?? 0);
  if (notice) setTimeout(follow, wait || PAUSE);
}

async function showNewer() {
  const page = document.querySelector("#known[data-newer]")?.dataset.newer;
  if (!page || busy()) return;
  const [text] = await Promise.all([ask(page), load().catch(() => {})]);
  if (text === null || !window.htmx || busy()) return;
  window.htmx.swap("#main", text, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { select: "#main" });
}

followLater(false);
