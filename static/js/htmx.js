// @ts-check
// htmx where a page does not load it by itself: at once if something on it loads, polls or is pressed; when a part that
// loads on sight comes near; and when a module asks for it. The policy of addresses has to be there before.
import "./trusted.js";

const address = document.querySelector("meta[name=htmx-script]")?.content;
const ON_SIGHT = "[hx-trigger=revealed]";
const AT_ONCE = `:is([hx-get], [hx-post]):not(${ON_SIGHT}, [data-palette] *, .bell *)`;
const NEAR = "300px";
let isParsed = false;
/** @type {Promise<unknown> | undefined} */
let coming;

// Modules run before this event, so it is never missed.
document.addEventListener(
  "DOMContentLoaded",
  () => {
    isParsed = true;
  },
  { once: true },
);

export function load() {
  if (window.htmx || !address) return Promise.resolve();
  coming ??= insert().catch((error) => {
    coming = undefined; // the next one who asks tries again
    throw error;
  });
  return coming;
}

function insert() {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => {
      // htmx begins with this event, or at once when the page is complete: between the two it would wait for ever.
      if (isParsed && document.readyState === "interactive") document.dispatchEvent(new Event("DOMContentLoaded"));
      done();
    });
    script.addEventListener("error", failed);
    document.head.append(script);
  });
}

/** @param {NodeListOf<HTMLElement>} parts */
function loadOnSight(parts) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      load().then(
        () => observer.disconnect(),
        () => {},
      );
    },
    { rootMargin: NEAR },
  );
  for (const part of parts) observer.observe(part);
}

if (address) {
  if (document.querySelector(AT_ONCE)) load().catch(() => {});
  else loadOnSight(document.querySelectorAll(ON_SIGHT));
}
