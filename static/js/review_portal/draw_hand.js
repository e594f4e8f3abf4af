// @ts-check
// A finger, a pen or a mouse on the picture: one stroke from where it touches to where it leaves.
import { elementsOf, heightOf, WIDTH } from "./shapes.js";
import { GRID, onGrid, shapeOf } from "./sketch.js";

/**
 * @param {Drawn} drawing
 * @param {SVGSVGElement} picture
 * @param {AbortSignal} signal
 */
export function handOf(drawing, picture, signal) {
  /** @type {number[]} */
  let trace = [];
  /** @type {number | null} */
  let hand = null;
  /** @type {Element[]} */
  let shown = [];

  const clear = () => {
    for (const element of shown) element.remove();
    shown = [];
  };
  const preview = () => {
    clear();
    const shape = shapeOf(drawing.tool, drawing.ink, trace);
    if (!shape) return;
    // A number shows the one that it will be.
    const before = drawing.sketch.shapes.filter(({ kind }) => kind === "number");
    shown = elementsOf(shape.kind === "number" ? [...before, shape] : [shape], drawing.size).slice(-1);
    picture.append(...shown);
  };

  picture.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button || hand !== null || !event.isPrimary) return;
      event.preventDefault();
      hand = event.pointerId;
      picture.setPointerCapture(hand);
      trace = placeOf(event, picture, drawing.size);
      preview();
    },
    { signal },
  );
  picture.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== hand) return;
      const events = event.getCoalescedEvents?.() ?? [];
      for (const one of events.length ? events : [event]) trace.push(...placeOf(one, picture, drawing.size));
      preview();
    },
    { signal },
  );
  picture.addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== hand) return;
      hand = null;
      clear();
      const shape = shapeOf(drawing.tool, drawing.ink, trace);
      if (shape) drawing.add(shape);
    },
    { signal },
  );
  picture.addEventListener(
    "pointercancel",
    (event) => {
      if (event.pointerId !== hand) return;
      hand = null;
      clear();
    },
    { signal },
  );
}

/**
 * Where on the picture, however large it is shown and whatever is black beside it.
 * @param {PointerEvent} event
 * @param {SVGSVGElement} picture
 * @param {PictureSize} size
 */
function placeOf(event, picture, size) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  return [onGrid((x / WIDTH) * GRID), onGrid((y / heightOf(size)) * GRID)];
}
