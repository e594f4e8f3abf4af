// @ts-check
// The tabs beside the film are links. Those that stay in the room change only what is beside it, and the film plays on.
// What they show, and who else is here, comes when it is wanted.
import { opensTab, register } from "./actions.js";
import { toast } from "./announce.js";
import { format } from "./clock.js";
import { put } from "./composer.js";
import { tell } from "./live.js";
import { player } from "./player.js";
import { ask } from "./sending.js";
import { get, set, setting } from "./store.js";
import { fill, say, table } from "./words.js";

const parts = { opensTab, toast, format, put, tell, player, ask, get, set, setting, fill, say, table };

async function bring() {
  const panel = await import("./transcript.js");
  panel.start(parts);
  return panel;
}

function startPeople() {
  const menu = document.querySelector("[data-people]");
  /** @param {string | null} [header] */
  const meet = (header) => {
    import("./people.js").then(
      (people) => people.start(parts, header),
      () => {},
    );
  };
  menu.addEventListener("toggle", () => meet());
  document.addEventListener("room:here", ({ detail }) => {
    if (detail) meet(detail);
  });
  if ("seen" in menu.dataset || "shares" in menu.dataset) meet();
}

export function start() {
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest?.("[data-panel]"));
    if (!link || opensTab(event)) return;
    event.preventDefault();
    bring().then(
      ({ show }) => show(link.dataset.panel),
      () => location.assign(link.href),
    );
  });
  register({ transcript: () => document.querySelector("[data-panel]:not([aria-current])").click() });
  if (document.getElementById("transcript")) bring();
  startPeople();
}
