// @ts-check
// Shapes as SVG and in words: the same as the server draws and says (drawings.py).
import { boundsOf, GRID } from "./sketch.js";

const SVG = "http://www.w3.org/2000/svg";
export const WIDTH = 1600;
const HEAD = 62;
const DOT = 34;

/** @param {PictureSize} size */
export const heightOf = ([width, height]) => Math.max(1, Math.round((WIDTH * height) / width));

/**
 * @param {number[]} points
 * @param {number} height
 */
const inView = (points, height) =>
  points.map((value, place) => Math.round((value * (place % 2 ? height : WIDTH)) / GRID));

/**
 * The outline of any shape but a number.
 * @param {Shape} shape
 * @param {number} height
 */
export function pathOf(shape, height) {
  const points = inView(shape.points, height);
  const [x1, y1] = points;
  const [x2, y2] = points.slice(-2);
  if (shape.kind === "rect") return `M${x1} ${y1}H${x2}V${y2}H${x1}Z`;
  if (shape.kind === "ellipse") {
    const [rx, ry] = [Math.abs(x2 - x1) / 2, Math.abs(y2 - y1) / 2];
    return `M${Math.min(x1, x2)} ${(y1 + y2) / 2}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
  }
  const pairs = points.flatMap((value, place) => (place % 2 ? [] : [`${value} ${points[place + 1]}`]));
  return `M${pairs.join("L")}${shape.kind === "arrow" ? headOf(x1, y1, x2, y2) : ""}`;
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function headOf(x1, y1, x2, y2) {
  const length = Math.min(HEAD, Math.hypot(x2 - x1, y2 - y1));
  const back = Math.atan2(y1 - y2, x1 - x2);
  const [a, b] = [Math.PI / 4, -Math.PI / 4].map(
    (turn) => `${Math.round(x2 + length * Math.cos(back + turn))} ${Math.round(y2 + length * Math.sin(back + turn))}`,
  );
  return `M${a}L${x2} ${y2}L${b}`;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Element | string)} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * The drawing as an element of its own.
 * @param {Shape[]} shapes
 * @param {PictureSize} size
 */
export function svgOf(shapes, size) {
  const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${WIDTH} ${heightOf(size)}`, "aria-hidden": "true" });
  drawing.append(...elementsOf(shapes, size));
  return drawing;
}

/**
 * @param {Shape[]} shapes
 * @param {PictureSize} size
 */
export function elementsOf(shapes, size) {
  const height = heightOf(size);
  let number = 0;
  return shapes.map((shape) => {
    const group = svg("g", { class: `stroke is-${shape.colour}` });
    if (shape.kind !== "number") {
      const d = pathOf(shape, height);
      group.append(svg("path", { class: "stroke__halo", d }), svg("path", { class: "stroke__line", d }));
      return group;
    }
    number += 1;
    const [cx, cy] = inView(shape.points, height);
    const text = { class: "stroke__number", x: cx, y: cy + 15 };
    group.append(svg("circle", { class: "stroke__dot", cx, cy, r: DOT }), svg("text", text, String(number)));
    return group;
  });
}

/**
 * The frame around the chosen shape.
 * @param {Shape} shape
 * @param {PictureSize} size
 */
export function chosenOf(shape, size) {
  const height = heightOf(size);
  const room = shape.kind === "number" ? DOT + 8 : 16;
  const { left, right, top, bottom } = boundsOf(inView(shape.points, height));
  const box = {
    x: left - room,
    y: top - room,
    width: right - left + 2 * room,
    height: bottom - top + 2 * room,
  };
  return svg(
    "g",
    {},
    svg("rect", { class: "stroke__outline", ...box }),
    svg("rect", { class: "stroke__chosen", ...box }),
  );
}

/**
 * Each shape in words, for who cannot see it.
 * @param {Shape[]} shapes
 * @param {PictureSize} size
 * @param {ShapePhrases} phrases
 */
export function wordsOf(shapes, size, phrases) {
  let number = 0;
  return shapes.map((shape) => {
    if (shape.kind === "number") number += 1;
    return describe(shape, number, size, phrases);
  });
}

/**
 * @param {Shape} shape
 * @param {number} n
 * @param {PictureSize} size
 * @param {ShapePhrases} phrases
 */
function describe({ kind, colour, points }, n, [wide, high], phrases) {
  const { left, right, top, bottom } = boundsOf(points);
  const [across, down] = [points.at(-2) - points[0], points.at(-1) - points[1]];
  const turn = Math.floor(Math.atan2(down * high, across * wide) / (Math.PI / 4) + 0.5);
  /** @type {Record<string, string | number>} */
  const values = {
    place: phrases.places[ninthOf(Math.floor((left + right) / 2), Math.floor((top + bottom) / 2))],
    start: phrases.starts[ninthOf(points[0], points[1])],
    direction: phrases.directions[(turn + 8) % 8],
    width: percent(right - left),
    height: percent(bottom - top),
    n,
    colour: phrases.colours[colour],
  };
  return phrases[kind].replace(/\{(\w+)\}/g, (_all, name) => String(values[name]));
}

/**
 * @param {number} x
 * @param {number} y
 */
const ninthOf = (x, y) => Math.min(2, Math.floor((y * 3) / GRID)) * 3 + Math.min(2, Math.floor((x * 3) / GRID));
/** @param {number} length */
const percent = (length) => Math.floor((length * 100 + GRID / 2) / GRID);
