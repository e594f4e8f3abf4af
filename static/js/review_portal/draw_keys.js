// @ts-check
// The keys of drawing: tools and colours, placing, moving, resizing, choosing, deleting, undoing. While somebody
// draws, no key of the room is heard; fields keep theirs.
import { moved, resized, STEP } from "./sketch.js";
import { room } from "./drawing_room.js";

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
/** @type {Record<string, string>} */
const TOOLS = { p: "pen", a: "arrow", r: "rect", e: "ellipse", n: "number" };
const INKS = ["white", "yellow", "red", "green", "blue"];
const FIELDS = "textarea, select, [contenteditable], input:not([type=radio])";

/**
 * @param {Drawn} drawing
 * @param {Heard<KeyboardEvent>} event
 * @param {HTMLElement} stage
 */
export function keysOf(drawing, event, stage) {
  if (event.isComposing || document.querySelector("dialog[open]") || event.target.matches?.(FIELDS)) return;
  const onPicture = event.target === stage || event.target === document.body;
  if (pressed(drawing, event, onPicture)) {
    event.preventDefault();
    event.stopPropagation();
  } else if (room.isPlain(event) && event.key.length === 1) event.stopPropagation();
}

/**
 * @param {Drawn} drawing
 * @param {Heard<KeyboardEvent>} event
 * @param {boolean} onPicture
 */
function pressed(drawing, event, onPicture) {
  const { key } = event;
  if ((event.ctrlKey || event.metaKey) && !event.altKey)
    return room.names(event).some((name) => changed(drawing, name));
  if (!room.isPlain(event)) return false;
  if (key === "Escape") {
    drawing.close();
    return true;
  }
  if (key === "Tab") return onPicture && drawing.next(event.shiftKey ? -1 : 1);
  if (onPicture && WAYS[key]) {
    drawing.alter(event.shiftKey ? resized : moved, ...WAYS[key]);
    return true;
  }
  if (onPicture && key === "Enter") {
    drawing.place();
    return true;
  }
  if (key === "Delete" || key === "Backspace") {
    drawing.remove();
    return true;
  }
  if (key === " ") return onPicture; // the picture stays where it is
  return room.setting("keys") && room.names(event).some((name) => single(drawing, name));
}

/**
 * @param {Drawn} drawing
 * @param {string} key
 */
function changed(drawing, key) {
  if (key === "y" || key === "shift+z") drawing.redo();
  else if (key === "z") drawing.undo();
  else return false;
  return true;
}

/**
 * @param {Drawn} drawing
 * @param {string} key
 */
function single(drawing, key) {
  if (TOOLS[key]) drawing.say("draw-tool", TOOLS[key]);
  else if (/^[1-5]$/.test(key)) drawing.say("draw-ink", INKS[Number(key) - 1]);
  else if (key === "d") drawing.close();
  else if ((key === "," || key === ".") && !drawing.sketch.shapes.length) room.player.step(key === "," ? -1 : 1);
  else return false;
  return true;
}
