// @ts-check
// Choosing several cards by drawing a frame around them: with a mouse on an empty place, with a finger only while
// “Choose several” is pressed, because a finger scrolls the board.
import { CARD } from "./board_view.js";

/** @param {Board} board */
export function frame(board) {
  const { plane, scroller } = board;
  const several = board.root.querySelector("[data-several]");
  /** @type {{ from: Place; kept: Set<string>; element: HTMLElement | null } | null} */
  let drawn = null;

  several.addEventListener("click", () => {
    board.several = !board.several;
    several.setAttribute("aria-pressed", String(board.several));
    scroller.toggleAttribute("data-choosing", board.several);
  });

  /**
   * In the board's own units, so that scrolling and zooming meanwhile do no harm.
   * @param {PointerEvent} event
   */
  const at = (event) => {
    const box = plane.getBoundingClientRect();
    return { x: (event.clientX - box.left) / board.view.zoom, y: (event.clientY - box.top) / board.view.zoom };
  };

  plane.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.closest("[data-card]")) return;
    if (event.pointerType === "touch" && !board.several) return;
    const keep = board.several || event.shiftKey || event.ctrlKey || event.metaKey;
    drawn = { from: at(event), kept: keep ? new Set(board.chosen) : new Set(), element: null };
    plane.setPointerCapture(event.pointerId);
    event.preventDefault();
  });

  plane.addEventListener("pointermove", (event) => {
    if (!drawn) return;
    const to = at(event);
    const box = {
      x: Math.min(drawn.from.x, to.x),
      y: Math.min(drawn.from.y, to.y),
      w: Math.abs(to.x - drawn.from.x),
      h: Math.abs(to.y - drawn.from.y),
    };
    if (!drawn.element && Math.hypot(box.w, box.h) < 5) return;
    if (!drawn.element) {
      drawn.element = document.createElement("span");
      drawn.element.className = "board__choice";
      plane.append(drawn.element);
    }
    for (const [name, value] of Object.entries(box)) drawn.element.style.setProperty(`--${name}`, `${value}px`);
    const inside = [...board.cards.values()].filter((card) => {
      const { x, y } = board.view.place(card);
      return x < box.x + box.w && x + CARD.w > box.x && y < box.y + box.h && y + CARD.h > box.y;
    });
    board.choose([...drawn.kept, ...inside.map((card) => card.id).filter((id) => !drawn.kept.has(id))]);
  });

  const end = () => {
    if (!drawn) return;
    if (!drawn.element && !drawn.kept.size) board.choose([]);
    drawn.element?.remove();
    drawn = null;
    const [first] = board.order().filter((card) => board.chosen.has(card.id));
    first?.element.focus({ preventScroll: true }); // from here on the arrow keys move them all
    board.say();
  };
  plane.addEventListener("pointerup", end);
  plane.addEventListener("pointercancel", end);
}
