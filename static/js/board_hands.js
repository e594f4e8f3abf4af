// @ts-check
// What people do with the board: drag, keys, fields, buttons. Nothing here needs a pointer: keys and fields do it all.
import { tidy } from "./board_tidy.js";
import { find, isCommand } from "./keyboard.js";

const GRID = 20;
const FAR = 100;
/** @type {Record<string, number>} */
const WALKS = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Board} board */
export function hands(board) {
  const { root, plane, scroller } = board;
  /** @param {Element} target */
  const of = (target) => target.closest?.("[data-card]")?.dataset.card;
  /**
   * @type {{ id: string; more: boolean; x: number; y: number; left: number; top: number; moved: boolean;
   *   from?: Map<string, Place> } | null}
   */
  let drag = null;

  plane.addEventListener("pointerdown", (event) => {
    const id = of(event.target);
    if (!id || event.button) return;
    const more = board.several || event.shiftKey || event.ctrlKey || event.metaKey;
    drag = {
      id,
      more,
      x: event.clientX,
      y: event.clientY,
      left: scroller.scrollLeft,
      top: scroller.scrollTop,
      moved: false,
    };
    if (!more && !board.chosen.has(id)) board.choose([id]);
    event.target.closest("[data-card]").setPointerCapture(event.pointerId);
  });

  plane.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = (event.clientX - drag.x + scroller.scrollLeft - drag.left) / board.view.zoom;
    const dy = (event.clientY - drag.y + scroller.scrollTop - drag.top) / board.view.zoom;
    if (!drag.moved && Math.hypot(dx, dy) < 5) return;
    if (!drag.moved) {
      if (!board.chosen.has(drag.id)) board.choose([drag.id], { more: drag.more });
      drag.from = new Map([...board.chosen].map((id) => [id, { x: board.cards.get(id).x, y: board.cards.get(id).y }]));
      drag.moved = true;
    }
    /** @param {number} value */
    const step = (value) => (event.altKey ? Math.round(value) : Math.round(value / GRID) * GRID);
    board.put([...drag.from].map(([id, { x, y }]) => [id, { x: x + step(dx), y: y + step(dy) }]));
  });

  /** @param {PointerEvent} event */
  const drop = (event) => {
    if (!drag) return;
    if (drag.moved && event.type === "pointercancel") board.put(drag.from);
    else if (drag.moved) board.commit();
    else if (event.type === "pointerup") board.choose([drag.id], { more: drag.more });
    drag = null;
  };
  plane.addEventListener("pointerup", drop);
  plane.addEventListener("pointercancel", drop);

  // The cards are links to their fields where there is no script.
  plane.addEventListener("click", (event) => {
    if (of(event.target)) event.preventDefault();
  });
  plane.addEventListener("focusin", (event) => {
    const id = of(event.target);
    if (!id) return;
    board.stop(id);
    if (!board.chosen.size && !drag) board.choose([id]);
  });

  /**
   * From card to card in reading order. The choice goes along; with Shift it grows, with Ctrl or Cmd it stays as it is.
   * @param {string} id
   * @param {number} by
   * @param {KeyboardEvent} event
   */
  function walk(id, by, event) {
    const order = board.order();
    const index = order.findIndex((card) => card.id === id);
    const target = order[Math.min(order.length - 1, Math.max(0, index + by))];
    if (event.shiftKey && !board.chosen.has(target.id)) board.choose([target.id], { more: true });
    else if (!event.shiftKey && !event.ctrlKey && !event.metaKey) board.choose([target.id]);
    target.element.focus();
    board.say();
  }

  scroller.addEventListener("keydown", (event) => {
    const id = of(event.target);
    const step = ARROWS[event.key];
    const command = isCommand(event);
    const name = command && find(event, (known) => ["a", "y", "z", "shift+z"].includes(known));
    if (step && id && !command && !event.altKey) {
      const far = event.shiftKey ? FAR : GRID;
      if (!board.chosen.has(id)) board.choose([id]);
      board.move(step[0] * far, step[1] * far, `arrows ${[...board.chosen].join()}`);
    } else if (id && event.key in WALKS) walk(id, WALKS[event.key], event);
    else if (event.key === " " && id) board.choose([id], { more: true });
    else if (event.key === "Enter" && id) fields(id);
    else if (event.key === "Escape") board.choose([]);
    else if (name === "a") board.choose(board.cards.keys());
    else if (name === "z") board.undo();
    else if (name === "y" || name === "shift+z") board.redo();
    else return;
    event.preventDefault();
  });

  /** @param {string} id */
  function fields(id) {
    board.choose([id]);
    const field = document.getElementById("side-x");
    field.focus();
    field.select();
  }

  for (const axis of /** @type {const} */ (["x", "y"])) {
    const field = document.getElementById(`side-${axis}`);
    field.addEventListener("change", () => place([...board.chosen], axis, field));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        place([...board.chosen], axis, field);
      }
      if (event.key === "Escape") board.cards.get([...board.chosen][0])?.element.focus();
    });
  }

  /**
   * A field moves the first chosen card there and the others along with it.
   * @param {string[]} ids
   * @param {"x" | "y"} axis
   * @param {HTMLInputElement} field
   */
  function place(ids, axis, field) {
    const value = Number(field.value.trim().replace(",", "."));
    const first = board.cards.get(ids[0]);
    if (!first || !field.value.trim() || !Number.isFinite(value)) return board.side();
    const by = value - first[axis];
    if (by) board.move(axis === "x" ? by : 0, axis === "y" ? by : 0);
  }

  for (const card of board.cards.values()) {
    for (const axis of /** @type {const} */ (["x", "y"])) {
      const field = card.fields[axis];
      field.addEventListener("change", () => {
        const value = Number(field.value.trim().replace(",", "."));
        if (!field.value.trim() || !Number.isFinite(value)) return; // the server says what is wrong with it
        board.put([[card.id, { x: card.x, y: card.y, [axis]: value }]]);
        board.commit();
      });
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        field.dispatchEvent(new Event("change"));
      });
    }
    card.radio?.addEventListener("change", () => {
      board.setEntry(card.id);
      board.commit();
    });
  }

  root.querySelector("[data-entry]").addEventListener("click", () => {
    const [id] = board.chosen;
    board.setEntry(id);
    board.commit();
    board.cards.get(id).element.focus();
  });
  root.querySelector("[data-undo]").addEventListener("click", () => board.undo());
  root.querySelector("[data-redo]").addEventListener("click", () => board.redo());
  root.querySelector("[data-fit]").addEventListener("click", () => board.view.fit());
  for (const button of root.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => board.view.times(Number(button.dataset.zoom)));
  root.querySelector("[data-tidy]").addEventListener("click", (event) => {
    event.preventDefault();
    board.put(tidy([...board.cards.values()], board.entry));
    board.commit();
    board.view.fit();
  });
}
