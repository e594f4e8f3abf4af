// @ts-check
// The shapes of a drawing and their history, in coordinates of the picture: whole numbers from 0 to 10,000 from its
// upper left corner. It knows no page: a finger, a mouse and the arrow keys all end here.
export const GRID = 10000;
export const SHAPES_MOST = 40;
export const STEP = 100; // 1 %
export const CHARACTERS_MOST = 60000; // of the drawing as it is sent
const PEN_MOST = 400;
const TOLERANCE = 12; // a pen line keeps its form when its points are this far beside it
const SMALLEST = 60;

/** @type {Record<ShapeKind, number[]>} */
const CENTRED = {
  pen: [3500, 5000, 6500, 5000],
  arrow: [5000, 5000, 5000, 7500],
  rect: [3500, 3500, 6500, 6500],
  ellipse: [3500, 3500, 6500, 6500],
  number: [5000, 5000],
};

/**
 * @param {ShapeKind} kind
 * @param {string} colour
 * @returns {Shape}
 */
export const centred = (kind, colour) => ({ kind, colour, points: [...CENTRED[kind]] });

/** @param {number} value */
export const onGrid = (value) => Math.max(0, Math.min(GRID, Math.round(value)));

/** @param {number[]} points */
export function boundsOf(points) {
  const xs = points.filter((_value, place) => place % 2 === 0);
  const ys = points.filter((_value, place) => place % 2 === 1);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/**
 * What a hand has drawn, from where it touched to where it is; null while it is too small to be meant.
 * @param {ShapeKind} kind
 * @param {string} colour
 * @param {number[]} trace
 * @returns {Shape | null}
 */
export function shapeOf(kind, colour, trace) {
  if (kind === "number") return { kind, colour, points: trace.slice(-2) };
  const { left, right, top, bottom } = boundsOf(trace);
  if (right - left < SMALLEST && bottom - top < SMALLEST) return null;
  const points = kind === "pen" ? thin(trace) : [...trace.slice(0, 2), ...trace.slice(-2)];
  return { kind, colour, points };
}

/**
 * The points that a pen line needs to keep its form, never more than can be sent.
 * @param {number[]} trace
 */
export function thin(trace) {
  for (let tolerance = TOLERANCE; ; tolerance *= 1.5) {
    const points = straighten(trace, tolerance);
    if (points.length <= 2 * PEN_MOST) return points;
  }
}

/**
 * Ramer, Douglas and Peucker's way, without recursion: a line has thousands of points.
 * @param {number[]} trace
 * @param {number} tolerance
 */
function straighten(trace, tolerance) {
  const last = trace.length / 2 - 1;
  const needed = new Set([0, last]);
  const parts = [[0, last]];
  while (parts.length) {
    const [from, to] = parts.pop();
    const [farthest, distance] = farthestFrom(trace, from, to);
    if (distance > tolerance) {
      needed.add(farthest);
      parts.push([from, farthest], [farthest, to]);
    }
  }
  return [...needed].sort((a, b) => a - b).flatMap((place) => trace.slice(2 * place, 2 * place + 2));
}

/**
 * @param {number[]} trace
 * @param {number} from
 * @param {number} to
 */
function farthestFrom(trace, from, to) {
  const [x, y] = trace.slice(2 * from, 2 * from + 2);
  const [across, down] = [trace[2 * to] - x, trace[2 * to + 1] - y];
  const length = Math.hypot(across, down);
  let [farthest, distance] = [from, 0];
  for (let place = from + 1; place < to; place++) {
    const [dx, dy] = [trace[2 * place] - x, trace[2 * place + 1] - y];
    const away = length ? Math.abs(across * dy - down * dx) / length : Math.hypot(dx, dy);
    if (away > distance) [farthest, distance] = [place, away];
  }
  return [farthest, distance];
}

/**
 * The shape elsewhere, as far as the picture reaches.
 * @param {Shape} shape
 * @param {number} across
 * @param {number} down
 * @returns {Shape}
 */
export function moved(shape, across, down) {
  const { left, right, top, bottom } = boundsOf(shape.points);
  const x = Math.max(-left, Math.min(GRID - right, across));
  const y = Math.max(-top, Math.min(GRID - bottom, down));
  return { ...shape, points: shape.points.map((value, place) => value + (place % 2 ? y : x)) };
}

/**
 * The shape larger or smaller: its end moves, and a pen line stretches from its upper left corner. A number has one
 * size.
 * @param {Shape} shape
 * @param {number} across
 * @param {number} down
 * @returns {Shape}
 */
export function resized(shape, across, down) {
  const { points } = shape;
  if (shape.kind === "number") return shape;
  if (shape.kind !== "pen") {
    const end = [onGrid(points[2] + across), onGrid(points[3] + down)];
    return end[0] === points[0] && end[1] === points[1] ? shape : { ...shape, points: [points[0], points[1], ...end] };
  }
  const { left, right, top, bottom } = boundsOf(points);
  const [wide, high] = [right - left, bottom - top];
  const x = wide ? Math.max(SMALLEST, Math.min(GRID - left, wide + across)) / wide : 1;
  const y = high ? Math.max(SMALLEST, Math.min(GRID - top, high + down)) / high : 1;
  const stretched = points.map((value, place) => (place % 2 ? top + (value - top) * y : left + (value - left) * x));
  return { ...shape, points: stretched.map(onGrid) };
}

/**
 * Whether the server takes the drawing.
 * @param {PictureSize} size
 * @param {Shape[]} shapes
 */
export const fits = (size, shapes) => JSON.stringify({ size, shapes }).length <= CHARACTERS_MOST;

export class Sketch {
  /** @param {Shape[]} [shapes] */
  constructor(shapes = []) {
    /** @type {SketchState[]} */
    this.states = [{ shapes, chosen: -1 }];
    this.at = 0;
    this.joins = "";
  }

  get shapes() {
    return this.states[this.at].shapes;
  }
  get chosen() {
    return this.states[this.at].chosen;
  }
  get full() {
    return this.shapes.length >= SHAPES_MOST;
  }
  get undoes() {
    return this.at > 0;
  }
  get redoes() {
    return this.at < this.states.length - 1;
  }

  /**
   * A step of the history; steps that join the one before, such as an arrow key held down, are one.
   * @param {Shape[]} shapes
   * @param {number} chosen
   * @param {string} [joins]
   */
  change(shapes, chosen, joins = "") {
    if (joins && joins === this.joins) this.states.length = this.at;
    else this.states.length = this.at + 1;
    this.states.push({ shapes, chosen });
    this.at = this.states.length - 1;
    this.joins = joins;
  }

  undo() {
    if (this.undoes) this.at -= 1;
    this.joins = "";
  }
  redo() {
    if (this.redoes) this.at += 1;
    this.joins = "";
  }

  /** @param {Shape} shape */
  add(shape) {
    if (!this.full) this.change([...this.shapes, shape], this.shapes.length);
  }

  /** @param {number} [place] */
  remove(place = this.chosen) {
    if (!this.shapes[place]) return;
    const rest = this.shapes.filter((_shape, index) => index !== place);
    this.change(rest, Math.min(place, rest.length - 1));
  }

  /**
   * @param {number} place
   * @returns {boolean} whether there is such a shape, or none is meant
   */
  choose(place) {
    const there = place >= 0 && place < this.shapes.length;
    this.states[this.at] = { shapes: this.shapes, chosen: there ? place : -1 };
    this.joins = "";
    return there;
  }

  /**
   * @param {(shape: Shape, across: number, down: number) => Shape} how
   * @param {number} across
   * @param {number} down
   */
  alter(how, across, down) {
    const shape = this.shapes[this.chosen];
    if (!shape) return;
    const shapes = this.shapes.with(this.chosen, how(shape, across, down));
    this.change(shapes, this.chosen, `${how.name} ${this.chosen}`);
  }
}
