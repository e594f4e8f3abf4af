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
  const here = document.activeElement;
  const open = document.querySelector("dialog[open], [popover]:popover-open, details[data-menu][open]");
  return (
    touched || Boolean(open) || (here && here !== document.body && document.querySelector("#main")?.contains(here))
  );
}

// The text of an answer that has news; null for any other, and for the page to sign in.
async function ask(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.status === 200 && !answer.redirected ? answer.text() : null;
}

async function follow() {
  const known = document.querySelector("#known[data-news]");
  if (!known) return;
  const news = await ask(known.dataset.news);
  if (news !== null) {
    known.replaceWith(new DOMParser().parseFromString(news, "text/html").querySelector("#known"));
    await showNewer();
  }
  followLater(news === null);
}

// A page that waits for the end of a pause asks when that is over, and from then on as any other.
function followLater(asked) {
  const known = document.querySelector("#known[data-news]");
  const wait = asked ? 0 : 1000 * (known?.dataset.wait ?? 0);
  if (known) setTimeout(follow, wait || PAUSE);
}

async function showNewer() {
  const page = document.querySelector("#known[data-newer]")?.dataset.newer;
  if (!page || busy()) return;
  const [text] = await Promise.all([ask(page), load().catch(() => undefined)]);
  if (text === null || !window.htmx || busy()) return;
  window.htmx.swap("#main", text, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { select: "#main" });
}

followLater(false);
