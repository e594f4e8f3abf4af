// @ts-check
// The tabs beside the film are links. Those that stay in the room change only what is beside it, and the film plays on.
import { opensTab, register } from "./actions.js";
import { toast } from "./announce.js";
import { format } from "./clock.js";
import { put } from "./composer.js";
import { player } from "./player.js";
import { ask } from "./sending.js";
import { setting } from "./store.js";
import { fill, say, table } from "./words.js";

async function bring() {
  const panel = await import("./transcript.js");
  panel.start({ opensTab, toast, format, put, player, ask, setting, fill, say, table });
  return panel;
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
}
