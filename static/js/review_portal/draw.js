// @ts-check
// Drawing on the frame, by touch, pen, mouse or keys. The tools stand in the place of the transport; every shape is in
// the form, and so in its draft, as soon as it is there. Loaded when somebody begins to draw.
import { keysOf } from "./draw_keys.js";
import { handOf } from "./draw_hand.js";
import { chosenOf, elementsOf, heightOf, svg, WIDTH, wordsOf } from "./shapes.js";
import { centred, fits, Sketch } from "./sketch.js";
import { rate, timecode } from "./timecode.js";
import { copyOf, putSketch, sketchIn, tools } from "./tools.js";
import { room, uncover } from "./drawing_room.js";

export { enter } from "./drawing_room.js";

const SPOKEN = 350; // milliseconds after the last arrow key
const stage = document.querySelector("[data-player]");
const transport = document.querySelector("[data-transport]");
/** @type {Drawing | null} */
let drawing = null;

/**
 * Begin to draw, or go on; again: done.
 * @param {HTMLFormElement} form
 */
export async function toggle(form) {
  if (drawing) {
    drawing.close();
    return;
  }
  room.player.pause();
  const [words] = await Promise.all([tools(), known(stage.querySelector("video"))]);
  if (room.player.kind !== "native") room.toast(words.dataset.noFrame);
  else if (!drawing && form.isConnected) drawing = new Drawing(form, words);
}

/**
 * The picture's size comes with the film's metadata, which not every browser loads before it is asked to.
 * @param {HTMLVideoElement | null} video
 */
async function known(video) {
  if (!video || video.readyState > 0 || room.player.kind !== "native") return;
  const told = new Promise((done) => {
    video.addEventListener("loadedmetadata", done, { once: true });
    room.player.addEventListener("changed", done, { once: true });
  });
  room.player.seek(room.player.time);
  await told;
}

class Drawing {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} words
   */
  constructor(form, words) {
    this.form = form;
    this.words = words;
    const before = sketchIn(form);
    this.sketch = new Sketch(before?.shapes);
    const video = stage.querySelector("video");
    /** @type {PictureSize} */
    this.size = before?.size ?? [video.videoWidth || 16, video.videoHeight || 9];
    this.tool = /** @type {ShapeKind} */ (room.setting("tool") ?? "arrow");
    this.ink = room.setting("ink") ?? "yellow";
    this.bound = Boolean(form.closest(".thread")); // of a posted comment: its frame stays
    this.goToFrame();
    this.build();
    this.ends = new AbortController();
    this.listen(this.ends.signal);
    this.show();
    stage.focus({ preventScroll: true });
  }

  // A form that has its moment already takes the picture there; else it takes the moment of the picture.
  goToFrame() {
    const { frame, time, text } = this.form.elements;
    const { at, t } = this.form.closest(".thread")?.dataset ?? {};
    this.at = room.player.time;
    if (!this.bound && !text.value && !this.sketch.shapes.length) {
      this.takeFrame();
      return;
    }
    if (this.bound) this.at = Number(at ?? t);
    else if (frame.value) this.at = Number(frame.value) / 1e6 + (rate() ? 0.5 / rate() : 0);
    else this.at = room.parse(time.value) || 0;
    room.player.seek(this.at);
  }

  takeFrame() {
    const { frame, time } = this.form.elements;
    this.at = room.player.time;
    if (this.bound) return;
    frame.value = room.player.frame;
    time.value = room.format(room.player.second);
  }

  build() {
    this.bar = copyOf(this.words, "bar");
    this.bar.style.setProperty("--_bar", `${transport.offsetHeight}px`);
    this.picture = svg("svg", { class: "drawing drawing--open", viewBox: `0 0 ${WIDTH} ${heightOf(this.size)}` });
    this.line = copyOf(this.words, "line");
    uncover();
    stage.append(this.picture, this.line);
    transport.hidden = true;
    transport.after(this.bar);
    this.mark();
    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-describedby", "draw-help");
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.bar.addEventListener("change", ({ target }) => this.choose(target.name, target.value));
    this.bar.addEventListener("click", (event) => this.press(event.target.closest("button")));
    document.addEventListener("keydown", (event) => keysOf(this, event, stage), { capture: true, signal });
    handOf(this, /** @type {SVGSVGElement} */ (this.picture), signal);
    room.player.addEventListener("state", () => !room.player.paused && this.close(), { signal });
    room.player.addEventListener("changed", () => this.close(), { signal });
    room.player.addEventListener("time", () => this.moveFrame(), { signal });
    document.addEventListener("room:drawing", () => this.follow(), { signal });
    for (const name of ["room:closed", "room:live"])
      document.addEventListener(name, () => this.form.isConnected || this.close(), { signal });
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  choose(name, value) {
    if (name === "draw-tool") this.tool = /** @type {ShapeKind} */ (value);
    else this.ink = value;
    room.keep("tool", this.tool);
    room.keep("ink", this.ink);
    this.mark();
  }

  /**
   * The same by a key: its name is said.
   * @param {string} name
   * @param {string} value
   */
  say(name, value) {
    this.choose(name, value);
    room.announce(this.bar.querySelector(`input[value="${value}"]`).closest("label").textContent.trim());
  }

  // The chosen tool and colour; on a phone the colours are a menu.
  mark() {
    for (const radio of this.bar.querySelectorAll("input")) radio.checked = [this.tool, this.ink].includes(radio.value);
    const menu = this.bar.querySelector("select");
    menu.value = this.ink;
    menu.parentElement.className = `inks__menu is-${this.ink}`;
  }

  /** @param {HTMLButtonElement | null} button */
  press(button) {
    if (!button || button.ariaDisabled === "true") {
      if (button?.dataset.step) room.toast(this.words.dataset.fixed);
      return;
    }
    if (button.dataset.step) room.player.step(Number(button.dataset.step));
    else if ("undoShape" in button.dataset) this.undo();
    else if ("redoShape" in button.dataset) this.redo();
    else if ("drawn" in button.dataset) this.close();
  }

  // Nothing drawn: the drawing follows the picture. Else its frame is fixed, and whoever leaves it is done.
  moveFrame() {
    if (this.writing) return;
    if (!this.sketch.shapes.length && !this.bound) this.takeFrame();
    else if (Math.abs(room.player.time - this.at) > 0.6 / (rate() || 25)) this.close();
    this.label();
  }

  // The drawing was deleted, sent or taken over elsewhere.
  follow() {
    if (this.writing) return;
    const now = sketchIn(this.form);
    if (!now && this.sketch.shapes.length && !this.form.elements.text.value) this.close();
    else if (JSON.stringify(now?.shapes ?? []) !== JSON.stringify(this.sketch.shapes)) {
      this.sketch.change(now?.shapes ?? [], -1);
      this.show();
    }
  }

  /** @param {Shape} shape */
  add(shape) {
    const isFull = this.sketch.full;
    if (isFull || !fits(this.size, [...this.sketch.shapes, shape])) {
      room.toast(isFull ? this.words.dataset.full : this.words.dataset.large);
      return;
    }
    this.sketch.add(shape);
    this.save();
    room.announce(this.describe());
  }

  place() {
    this.add(centred(this.tool, this.ink));
  }

  remove() {
    const words = this.describe();
    this.sketch.remove();
    this.save();
    room.announce(room.fill(this.words.dataset.deleted, { shape: words }));
  }

  /**
   * @param {(shape: Shape, across: number, down: number) => Shape} how
   * @param {number} across
   * @param {number} down
   */
  alter(how, across, down) {
    this.sketch.alter(how, across, down);
    if (!fits(this.size, this.sketch.shapes)) {
      this.sketch.undo(); // a pen line that is stretched has longer numbers
      room.toast(this.words.dataset.large);
    }
    this.save();
    clearTimeout(this.spoken);
    this.spoken = setTimeout(() => room.announce(this.describe()), SPOKEN);
  }

  /**
   * @param {number} step
   * @returns {boolean} whether there is a shape further on
   */
  next(step) {
    const { chosen, shapes } = this.sketch;
    const there = this.sketch.choose(chosen < 0 && step < 0 ? shapes.length - 1 : chosen + step);
    this.show();
    if (there) room.announce(this.describe());
    return there;
  }

  undo() {
    this.sketch.undo();
    this.save();
    room.announce(this.count());
  }
  redo() {
    this.sketch.redo();
    this.save();
    room.announce(this.count());
  }

  describe() {
    const { shapes, chosen } = this.sketch;
    return wordsOf(shapes, this.size, JSON.parse(this.words.dataset.phrases))[chosen] ?? "";
  }

  count() {
    const { none, one, many } = this.words.dataset;
    const n = this.sketch.shapes.length;
    return n ? room.fill(n === 1 ? one : many, { n }) : none;
  }

  save() {
    const { shapes } = this.sketch;
    this.writing = true;
    putSketch(this.form, { size: this.size, shapes });
    this.writing = false;
    this.show();
  }

  show() {
    const { shapes, chosen, undoes, redoes } = this.sketch;
    const mark = shapes[chosen] ? [chosenOf(shapes[chosen], this.size)] : [];
    this.picture.replaceChildren(...elementsOf(shapes, this.size), ...mark);
    for (const button of this.bar.querySelectorAll("[data-step]"))
      button.setAttribute("aria-disabled", String(this.bound || shapes.length > 0));
    this.bar.querySelector("[data-undo-shape]").setAttribute("aria-disabled", String(!undoes));
    this.bar.querySelector("[data-redo-shape]").setAttribute("aria-disabled", String(!redoes));
    this.label();
  }

  label() {
    const frame = timecode(Math.round(Number(this.form.elements.frame?.value || this.at * 1e6)));
    this.bar.querySelector("[data-frame]").textContent = frame;
    this.line.querySelector("[data-on-frame]").textContent = room.fill(this.words.dataset.drawing, { frame });
    stage.setAttribute("aria-label", room.fill(this.words.dataset.on, { frame }));
  }

  close() {
    if (drawing !== this) return;
    drawing = null;
    this.ends.abort();
    clearTimeout(this.spoken);
    const at = document.activeElement;
    const focused = at === stage || at === document.body || this.bar.contains(at);
    this.picture.remove();
    this.line.remove();
    this.bar.remove();
    transport.hidden = false;
    for (const name of ["tabindex", "role", "aria-label", "aria-describedby"]) stage.removeAttribute(name);
    document.dispatchEvent(new CustomEvent("room:drawing"));
    if (focused && this.form.isConnected) this.form.elements.text.focus({ preventScroll: true });
  }
}
