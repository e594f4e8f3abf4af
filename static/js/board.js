// @ts-check
// The board of a funnel: cards, what is chosen, and a history of steps. The list's fields hold the truth; the board
// draws it. Every step is kept in this browser at once and on the server a moment later.
import { frame } from "./board_frame.js";
import { hands } from "./board_hands.js";
import { keeper } from "./board_keep.js";
import { view } from "./board_view.js";

const root = document.querySelector("[data-board]");

export class Board {
  /** @param {HTMLElement} container */
  constructor(container) {
    this.root = container;
    this.words = JSON.parse(container.dataset.words);
    this.form = document.getElementById("save");
    /** @type {(() => void) | undefined} */
    this.keep = undefined;
    this.scroller = container.querySelector("#board");
    this.plane = container.querySelector("[data-plane]");
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.several = false;
    /** @type {BoardState[]} */
    this.past = [];
    /** @type {BoardState[]} */
    this.future = [];
    for (const element of this.plane.querySelectorAll("[data-card]")) this.take(element);
    this.entry = this.form.elements.entry ? this.checked() : "";
    this.stop(this.cards.has(this.entry) ? this.entry : this.cards.keys().next().value);
    this.view = view(this);
    this.last = this.snapshot();
  }

  /** @param {HTMLElement} element */
  take(element) {
    const id = element.dataset.card;
    const fields = { x: document.getElementById(`x-${id}`), y: document.getElementById(`y-${id}`) };
    const card = {
      id,
      element,
      fields,
      radio: document.querySelector(`[data-row="${id}"] input[type=radio]`),
      name: element.querySelector(".card__name").textContent,
      x: Number(fields.x.defaultValue),
      y: Number(fields.y.defaultValue),
      was: { x: Number(element.dataset.wasX), y: Number(element.dataset.wasY) },
      added: "added" in element.dataset,
    };
    element.setAttribute("role", "button");
    element.setAttribute("aria-pressed", "false");
    element.tabIndex = -1;
    this.cards.set(id, card);
  }

  /**
   * Hundreds of cards are one stop of the Tab key: the last one that had the focus.
   * @param {string} id
   */
  stop(id) {
    if (this.stopped) this.stopped.tabIndex = -1;
    this.stopped = this.cards.get(id).element;
    this.stopped.tabIndex = 0;
  }

  // The cards as they are read: from top to bottom, then across.
  order() {
    return [...this.cards.values()].sort((a, b) => a.y - b.y || a.x - b.x);
  }

  checked() {
    return document.querySelector('input[name="entry"]:checked')?.value ?? "";
  }

  snapshot() {
    return { entry: this.entry, places: new Map([...this.cards].map(([id, { x, y }]) => [id, { x, y }])) };
  }

  /**
   * Put cards somewhere, without making it a step of the history yet.
   * @param {Iterable<[string, Place]>} places
   */
  put(places) {
    for (const [id, { x, y }] of places) {
      const card = this.cards.get(id);
      if (!card) continue;
      card.x = x;
      card.y = y;
      card.fields.x.value = plain(x);
      card.fields.y.value = plain(y);
      this.view.draw(card);
    }
    this.view.changed();
    this.side();
  }

  /** @param {string} id */
  setEntry(id) {
    this.entry = id;
    for (const card of this.cards.values()) {
      if (card.radio) card.radio.checked = card.id === id;
      card.element.classList.toggle("card--entry", card.id === id);
      card.element.querySelector(".card__entry").hidden = card.id !== id;
    }
    this.view.changed();
    this.side();
  }

  /**
   * Make what stands now a step that can be taken back. Steps of one kind close together are one (arrow keys).
   * @param {string} [kind]
   */
  commit(kind = "") {
    const now = performance.now();
    if (!kind || kind !== this.kind || now - this.at > 1200) {
      this.past.push(this.last);
      if (this.past.length > 200) this.past.shift();
    }
    this.kind = kind;
    this.at = now;
    this.future = [];
    this.last = this.snapshot();
    this.keep?.();
    this.buttons();
  }

  /**
   * @param {BoardState[]} from
   * @param {BoardState[]} to
   */
  turn(from, to) {
    if (!from.length) return;
    to.push(this.last);
    const step = from.pop();
    this.put(step.places);
    this.setEntry(step.entry);
    this.last = step;
    this.kind = "";
    this.keep?.();
    this.buttons();
  }

  undo() {
    this.turn(this.past, this.future);
  }
  redo() {
    this.turn(this.future, this.past);
  }

  buttons() {
    this.root.querySelector("[data-undo]").disabled = !this.past.length;
    this.root.querySelector("[data-redo]").disabled = !this.future.length;
  }

  /**
   * @param {Iterable<string>} ids
   * @param {{ more?: boolean }} [options]
   */
  choose(ids, { more = false } = {}) {
    if (!more) this.chosen.clear();
    for (const id of ids) {
      if (more && this.chosen.has(id)) this.chosen.delete(id);
      else this.chosen.add(id);
    }
    for (const card of this.cards.values()) card.element.setAttribute("aria-pressed", String(this.chosen.has(card.id)));
    this.view.changed();
    this.side();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   * @param {string} [kind]
   */
  move(dx, dy, kind) {
    /** @type {[string, Place][]} */
    const places = [...this.chosen].map((id) => [id, { x: this.cards.get(id).x + dx, y: this.cards.get(id).y + dy }]);
    if (!places.length) return;
    this.put(places);
    this.commit(kind);
    this.say();
  }

  say() {
    const [id] = this.chosen;
    const card = this.cards.get(id);
    if (!card) return;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      this.root.querySelector("[data-say]").textContent =
        this.chosen.size > 1
          ? fill(this.words.several, { count: this.chosen.size })
          : fill(this.words.place, { ...card, x: plain(card.x), y: plain(card.y) });
    }, 400);
  }

  side() {
    const ids = [...this.chosen];
    const card = this.cards.get(ids[0]);
    const name = this.root.querySelector("[data-side-name]");
    name.dataset.none ??= name.textContent;
    name.textContent =
      ids.length > 1 ? fill(this.words.several, { count: ids.length }) : card ? card.name : name.dataset.none;
    for (const axis of /** @type {const} */ (["x", "y"])) {
      const field = document.getElementById(`side-${axis}`);
      field.disabled = !card;
      if (document.activeElement !== field) field.value = card ? plain(card[axis]) : "";
    }
    this.root.querySelector("[data-entry]").disabled = ids.length !== 1 || this.entry === ids[0];
  }

  /** @param {Card} card */
  meta(card) {
    const moved = !card.added && (card.x !== card.was.x || card.y !== card.was.y);
    const place = fill(this.words.at, { x: plain(card.x), y: plain(card.y) });
    return [card.element.dataset.length, place, card.added ? this.words.added : moved ? this.words.moved : ""]
      .filter(Boolean)
      .join(", ");
  }
}

/** @param {number} value */
export function plain(value) {
  return String(Math.round(value * 100) / 100);
}

/**
 * @param {string} words
 * @param {Record<string, unknown>} values
 */
export function fill(words, values) {
  return words.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

if (root) {
  const board = new Board(root);
  hands(board);
  frame(board);
  keeper(board);
  board.view.fit(0.6);
  board.side();
  root.dataset.ready = "";
}
