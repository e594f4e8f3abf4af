// @ts-check
// What says in a form that a drawing goes along with it: its picture, its frame, its shapes in words, and the way to
// change or delete it. Loaded when a form has a drawing.
import { svgOf, wordsOf } from "./shapes.js";
import { timecode } from "./timecode.js";
import { copyOf, putSketch, sketchIn, tools } from "./tools.js";
import { room } from "./drawing_room.js";

export { enter } from "./drawing_room.js";

export async function show() {
  const words = await tools();
  for (const field of document.querySelectorAll("input[name=drawing]")) {
    const form = /** @type {HTMLInputElement} */ (field).form;
    const old = form.querySelector(".attached");
    const sketch = sketchIn(form);
    const hadFocus = old?.contains(document.activeElement);
    if (!sketch) old?.remove();
    else if (old?.dataset.shows !== form.elements.drawing.value + frameOf(form)) place(form, sketch, words, old);
    if (hadFocus && !old.isConnected) focusOn(form);
    bound(form, sketch);
  }
}

/**
 * What is left of the strip, else the text.
 * @param {HTMLFormElement} form
 */
const focusOn = (form) => (form.querySelector(".attached summary") ?? form.elements.text).focus();

/** @param {HTMLFormElement} form */
function frameOf(form) {
  const { frame, time } = form.elements;
  const at = form.closest(".thread")?.dataset.at;
  return Number(at ? Number(at) * 1e6 : frame?.value || (room.parse(time.value) || 0) * 1e6);
}

/**
 * A drawing belongs to its frame: the time beside it cannot be changed.
 * @param {HTMLFormElement} form
 * @param {SketchForm | null} sketch
 */
function bound(form, sketch) {
  if (form.elements.time) form.elements.time.readOnly = Boolean(sketch);
  for (const button of form.querySelectorAll("[data-nudge], [data-lock], [data-add-range]"))
    button.toggleAttribute("disabled", Boolean(sketch));
}

/**
 * @param {HTMLFormElement} form
 * @param {SketchForm} sketch
 * @param {HTMLElement} words
 * @param {HTMLElement | null} old
 */
function place(form, sketch, words, old) {
  const strip = copyOf(words, "strip");
  const { frameOne, frameMany, wordsOne, wordsMany, phrases } = words.dataset;
  const n = sketch.shapes.length;
  const frame = timecode(Math.floor(frameOf(form)));
  strip.dataset.shows = form.elements.drawing.value + frameOf(form);
  strip.querySelector("[data-about]").textContent = room.fill(n === 1 ? frameOne : frameMany, { n, frame });
  strip.querySelector("[data-in-words]").textContent = room.fill(n === 1 ? wordsOne : wordsMany, { n });
  const picture = strip.querySelector(".still__picture");
  picture.append(svgOf(sketch.shapes, sketch.size));
  const list = strip.querySelector(".shapes");
  for (const [index, sentence] of wordsOf(sketch.shapes, sketch.size, JSON.parse(phrases)).entries())
    list.append(rowOf(form, sketch, index, sentence, words));
  strip.querySelector("details").open = Boolean(old?.querySelector("details").open);
  strip.querySelector("[data-redraw]").setAttribute("data-draw", "");
  strip.querySelector("[data-undraw]").addEventListener("click", () => remove(form, sketch, words));
  if (old) old.replaceWith(strip);
  else form.querySelector("[data-attach]").after(strip);
}

/**
 * @param {HTMLFormElement} form
 * @param {SketchForm} sketch
 * @param {number} index
 * @param {string} sentence
 * @param {HTMLElement} words
 */
function rowOf(form, sketch, index, sentence, words) {
  const row = copyOf(words, "row");
  row.classList.add(`is-${sketch.shapes[index].colour}`);
  row.querySelector("span").textContent = sentence;
  const button = row.querySelector("button");
  button.querySelector("span").textContent = `: ${sentence}`;
  button.addEventListener("click", () => {
    putSketch(form, { ...sketch, shapes: sketch.shapes.filter((_shape, other) => other !== index) });
    room.announce(room.fill(words.dataset.deleted, { shape: sentence }));
    focusOn(form);
  });
  return row;
}

/**
 * @param {HTMLFormElement} form
 * @param {SketchForm} sketch
 * @param {HTMLElement} words
 */
function remove(form, sketch, words) {
  putSketch(form, null);
  form.elements.text.focus();
  room.toast(words.dataset.removed, room.say("undo"), () => {
    if (form.isConnected && !sketchIn(form)) putSketch(form, sketch);
  });
  room.announce(words.dataset.removed);
}
