// @ts-check
// The tools of drawing with their words, as the server writes them in the reader's language: fetched once, with their
// style sheet, when they are needed first.
import { dress } from "./drawing_room.js";

/** @type {Promise<HTMLElement> | null} */
let coming = null;

export function tools() {
  coming ??= bring().catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

async function bring() {
  const response = await fetch(`${location.pathname}/drawing-tools`, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`tools: ${response.status}`);
  const part = new DOMParser().parseFromString(await response.text(), "text/html");
  await dress();
  return document.adoptNode(part.getElementById("drawing-tools"));
}

/**
 * A copy of one of its templates.
 * @param {HTMLElement} source
 * @param {string} name
 */
export function copyOf(source, name) {
  const template = /** @type {HTMLTemplateElement} */ (/** @type {Element} */ (source.querySelector(`[data-${name}]`)));
  return /** @type {HTMLElement} */ (document.importNode(template.content, true).firstElementChild);
}

/**
 * @param {HTMLFormElement} form
 * @returns {SketchForm | null}
 */
export function sketchIn(form) {
  try {
    const { size, shapes } = JSON.parse(form.elements.drawing.value);
    return { size, shapes };
  } catch {
    return null; // none
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {SketchForm | null} sketch
 */
export function putSketch(form, sketch) {
  const field = form.elements.drawing;
  field.value = sketch?.shapes.length ? JSON.stringify(sketch) : "";
  field.disabled = false;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.dispatchEvent(new CustomEvent("room:drawing"));
}
