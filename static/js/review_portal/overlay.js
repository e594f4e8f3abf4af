// @ts-check
// Drawings over the video while their moment is on: those of the comments, and the one that waits in the box. Loaded
// when there is one.
import { svgOf } from "./shapes.js";
import { rate } from "./timecode.js";
import { sketchIn } from "./tools.js";
import { dress, room, uncover } from "./drawing_room.js";

export { enter } from "./drawing_room.js";

const AFTER = 1; // seconds that a drawing stays while the video plays
const stage = document.querySelector("[data-player]");
/** @type {Map<unknown, Element>} */
let shown = new Map();
let follows = false;

/**
 * What each of them is known by, its moment and rate, and how it is drawn.
 * @returns {[unknown, number, number, () => Element][]}
 */
function drawings() {
  const stills = [...document.querySelectorAll("#threads .still")].map((still) => {
    const { dataset } = still.closest(".thread");
    const source = still.querySelector("svg");
    return [source, Number(dataset.at ?? dataset.t), Number(dataset.rate ?? 0), () => source.cloneNode(true)];
  });
  const forms = [...document.querySelectorAll("input[name=drawing]")].map((field) => {
    const { form, value } = /** @type {HTMLInputElement} */ (field);
    const sketch = value ? sketchIn(form) : null;
    const { frame, time } = form.elements;
    const at = frame?.value ? Number(frame.value) / 1e6 : room.parse(time?.value ?? "");
    return sketch && !form.closest(".thread") && [value, at, 0, () => svgOf(sketch.shapes, sketch.size)];
  });
  return /** @type {any} */ ([...stills, ...forms.filter(Boolean)]);
}

/**
 * Where the rate is known `at` is the middle of a frame, else where it begins.
 * @param {number} at
 * @param {number} known
 */
function isOn(at, known) {
  const since = room.player.time - at;
  const frame = 1 / (known || rate() || 25);
  if (!room.player.paused) return since > -frame && since < AFTER;
  return known ? Math.abs(since) < frame * 0.5 : since > -frame * 0.7 && since < Math.max(frame, 0.08);
}

export function show() {
  if (!follows) for (const name of ["time", "state", "changed"]) room.player.addEventListener(name, show);
  follows = true;
  dress();
  const open = stage.querySelector(".drawing--open");
  const now = open || room.player.kind !== "native" ? [] : drawings().filter(([, at, known]) => isOn(at, known));
  if (now.length) uncover();
  const names = new Set(now.map(([name]) => name));
  for (const [name, element] of shown) if (!names.has(name)) element.remove();
  shown = new Map(
    now.map(([name, , , build]) => {
      const element = shown.get(name) ?? build();
      if (element.parentElement !== stage) stage.append(element);
      return [name, element];
    }),
  );
}
