// @ts-check
// The composer at the foot: follows the picture while it is empty, locks at the first character, keeps its draft.
import { register } from "./actions.js";
import { format, parse } from "./clock.js";
import * as drafts from "./drafts.js";
import { player } from "./player.js";
import { range, set as setRange, spans, text as rangeText } from "./range.js";
import { isWritingElsewhere, typedSince } from "./sending.js";
import { setting } from "./store.js";
import { check, checkTime } from "./writing.js";
import { fill } from "./words.js";

const PLACE = "main";
const form = () => document.querySelector('[data-draft="main"]');
let locked = false;
/** @type {ReturnType<typeof import("./ranged.js").build> | undefined} */
let ranged;

const fields = () => form()?.elements;

const isBegun = () => Boolean(fields().text.value || fields().drawing.value);

function stamp() {
  if (form() && !locked && !isBegun() && document.activeElement !== fields().time) take();
}

function setDrawing(value = "") {
  fields().drawing.value = value;
  document.dispatchEvent(new CustomEvent("room:drawing"));
}

function take() {
  fields().time.value = format(player.second);
  fields().frame.value = player.frame;
}

/** @param {boolean} on */
function lock(on) {
  locked = on;
  const button = form()?.querySelector("[data-lock]");
  if (!button) return;
  button.setAttribute("aria-pressed", String(on));
  const words = button.querySelector("span");
  const free = player.kind === "typed" ? "typed" : "follows";
  words.textContent = words.dataset[on ? "locked" : free];
  if (!on) stamp();
}

function keep() {
  const { text, time, key, frame, drawing } = fields();
  checkTime(form());
  drafts.write(PLACE, {
    text: text.value,
    time: parse(time.value) || 0,
    key: key.value,
    frame: frame.value,
    drawing: drawing.value,
  });
}

/**
 * Two drawings as one: what is in the box already stays, above what comes.
 * @param {string} drawing
 * @param {string} there
 */
function joined(drawing, there) {
  if (!there || there === drawing) return drawing;
  const [first, second] = [drawing, there].map((text) => JSON.parse(text));
  return JSON.stringify({ ...first, shapes: [...first.shapes, ...second.shapes] });
}

/**
 * Put a text into the box: a draft of before, or one that came back. What is there already stays, below it; a drawing
 * keeps its frame.
 * @param {{ text: string, time?: number, key?: string, frame?: string, drawing?: string }} options
 * @param {{ focus?: boolean }} [options]
 */
export function put({ text, time, key, frame, drawing }, { focus = false } = {}) {
  if (!form()) return;
  const box = fields().text;
  const there = fields().drawing.value;
  box.value = box.value.trim() && box.value !== text ? `${text}\n${box.value}` : text;
  if (Number.isFinite(time) && (drawing || !there)) {
    fields().time.value = format(time);
    fields().frame.value = frame ?? "";
  }
  if (key) fields().key.value = key;
  if (drawing) setDrawing(joined(drawing, there));
  lock(isBegun());
  if (/^[\d:]+-/.test(box.value)) withRange(({ restore }) => restore());
  check(form());
  keep();
  if (focus && !isWritingElsewhere(form())) box.focus();
}

/**
 * After it was taken: a box with a new key that follows the picture again, empty but for what was added meanwhile.
 * @param {string} key
 * @param {Fields} sent
 */
export function empty(key, sent) {
  if (!form()) return;
  fields().text.value = typedSince(form(), sent);
  if (fields().drawing.value && fields().drawing.value === sent.drawing) setDrawing();
  if (key) fields().key.value = key;
  drafts.clear(PLACE);
  lock(isBegun());
  if (spans() && sent.text.startsWith(rangeText())) setRange(null, null);
  check(form());
  document.dispatchEvent(new Event("room:emptied"));
  if (isBegun()) keep();
  else if (setting("resume")) player.play();
}

/** @param {Event} event */
function typed(event) {
  const { text, time, drawing } = fields();
  if (event.target === text) {
    if (text.value && !locked) {
      if (setting("pause") && !player.paused) player.pause();
      take();
      lock(true);
    }
    if (!isBegun() && locked) lock(false);
  }
  if (event.target === drawing) lock(isBegun());
  check(form());
  if (event.target === time) {
    fields().frame.value = "";
    lock(true);
  }
  ranged?.show();
  keep();
}

/** @param {number} seconds */
function nudge(seconds) {
  const now = parse(fields().time.value) || 0;
  const to = Math.max(0, Math.min(now + seconds, player.length || Infinity));
  fields().time.value = format(to);
  fields().frame.value = "";
  lock(true);
  ranged?.move(to);
  player.seek(to);
  keep();
}

// A time that was typed takes the picture there: at once with Enter, which posts nothing here, else when it is left.
function goThere() {
  const seconds = parse(fields().time.value);
  if (!Number.isFinite(seconds) || (player.length && seconds > player.length)) return;
  ranged?.move(seconds);
  player.seek(seconds);
}

/**
 * What keeps the text and the range on the bar together comes with the first range. Once it is there it answers at
 * once: later, it would write an older range over a newer text.
 * @param {(ranged: ReturnType<typeof import("./ranged.js").build>) => void} act
 */
async function withRange(act) {
  const parts = { check, fields, fill, form, format, isBegun, keep, lock, parse, range, rangeText, setRange, spans };
  if (!ranged) {
    const { build } = await import("./ranged.js");
    ranged ??= build(parts);
  }
  act(ranged);
}

export function start() {
  if (!form()) return;
  range.addEventListener("change", () => withRange(({ follow }) => follow()));
  const draft = drafts.read(PLACE);
  if (draft && !isBegun()) put(draft);
  else lock(isBegun());
  document.addEventListener("input", (event) => {
    if (form()?.contains(event.target) && event.target.name !== "user_name") typed(event);
  });
  document.addEventListener("change", (event) => {
    if (form() && event.target === fields().time) goThere();
  });
  document.addEventListener("keydown", (event) => {
    if (
      event.key !== "Enter" ||
      event.ctrlKey ||
      event.metaKey ||
      event.isComposing ||
      !form() ||
      event.target !== fields().time
    )
      return;
    event.preventDefault();
    fields().text.focus();
  });
  document.addEventListener("click", (event) => {
    /** @param {string} selector */
    const to = (selector) => event.target.closest?.(selector);
    if (to("[data-nudge]")) nudge(Number(to("[data-nudge]").dataset.nudge));
    if (to("[data-lock]")) {
      lock(!locked);
      if (locked) take();
    }
    if (to("[data-add-range]")) ranged.toggle();
  });
  // Another tab changed the same draft: follow it, unless this one is being typed in.
  document.addEventListener("room:draft", ({ detail }) => {
    if (detail.place !== PLACE || !form() || document.activeElement === fields().text) return;
    fields().text.value = detail.draft?.text ?? "";
    if (detail.draft) {
      fields().time.value = format(detail.draft.time);
      fields().frame.value = detail.draft.frame ?? "";
      fields().key.value = detail.draft.key;
    }
    if (fields().drawing.value !== (detail.draft?.drawing ?? "")) setDrawing(detail.draft?.drawing);
    lock(Boolean(detail.draft));
    check(form());
  });
  register({
    comment: () => {
      fields()?.text.focus();
    },
  });
  player.addEventListener("time", stamp);
  player.addEventListener("changed", () => lock(locked));
  addEventListener("pagehide", () => {
    if (form() && isBegun()) keep();
  });
  stamp();
}
