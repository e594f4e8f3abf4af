// @ts-check
// What a first look does not need: it comes with the first touch, key or focus, or at once where something waits. What
// people do until it is there is held, and done then in its order; where it cannot come, links and forms work as they
// are.
import { opensTab } from "./actions.js";
import { toast } from "./announce.js";
import * as drafts from "./drafts.js";
import { say } from "./words.js";

const CLICKS =
  "[data-reply], [data-edit], [data-withdraw], [data-leave], [data-copy], [data-take-up], a[data-show],[data-new-chip]";
const FORMS = "[data-edit-form], [data-withdraw-form], [data-sent], [data-find], [data-stay], #act";
const WAITING = "[data-sent], #outbox [data-waits], .reply-box[data-draft]";
/** @type {(() => void)[]} */
const actions = [];
let coming = null;
let done = false;

/**
 * @param {number} [more]
 * @returns {Promise<void>}
 */
async function come(more = 1) {
  try {
    const parts = await Promise.all([import("./boxes.js"), import("./outbox.js"), import("./find.js")]);
    done = true;
    for (const part of parts) part.start();
  } catch (error) {
    if (navigator.onLine && more) return come(more - 1);
    coming = null;
    done = navigator.onLine;
    if (done) reportError(error);
    else {
      actions.length = 0;
      toast(say("offline"));
    }
  }
  for (const again of actions.splice(0)) again();
  return undefined;
}

const bring = () => {
  coming ??= come();
};

/**
 * @param {Event} event
 * @param {() => void} again
 */
function hold(event, again) {
  event.preventDefault();
  event.stopImmediatePropagation();
  actions.push(again);
  bring();
}

/** @param {Heard<MouseEvent>} event */
function clicked(event) {
  const control = event.target.closest?.(CLICKS);
  if (control && !event.button && !opensTab(event)) hold(event, () => control.click());
}

/** @param {Heard<SubmitEvent>} event */
function sent(event) {
  if (event.target.matches(FORMS)) hold(event, () => event.target.requestSubmit(event.submitter));
}

/** @param {Heard<Event>} options */
function typed({ target }) {
  if (target.closest?.("[data-find]")) actions.push(() => target.dispatchEvent(new Event("input", { bubbles: true })));
}

/**
 * A letter typed for a box that is on its way is no shortcut.
 * @param {Heard<KeyboardEvent>} event
 */
function pressed(event) {
  if (!actions.length || event.target.matches("textarea, input")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @type {Record<string, (event: any) => void>} */
const holds = { click: clicked, submit: sent, keydown: pressed, input: typed };

export function start() {
  for (const [name, act] of Object.entries(holds))
    addEventListener(
      name,
      (event) => {
        if (!done) act(event);
      },
      { capture: true },
    );
  for (const sign of ["pointerdown", "keydown", "focusin"])
    addEventListener(sign, bring, { once: true, passive: true });
  const boxes = drafts.list().some((draft) => draft.place !== "main");
  if (boxes || drafts.queued().length || document.querySelector(WAITING)) bring();
}
