// @ts-check
// How the board is drawn: the plane's size, zoom, ghosts at old places, and the small map.
const ROOM = 400;
export const CARD = { w: 192, h: 124 };
const SVG = "http://www.w3.org/2000/svg";

/** @param {Board} board */
export function view(board) {
  const { plane, scroller, root } = board;
  const origin = { x: Number(root.dataset.originX), y: Number(root.dataset.originY) };
  const map = root.querySelector("[data-map]");
  const spots = new Map();
  let zoom = 1;
  let waiting = false;

  for (const card of board.cards.values()) {
    const spot = document.createElementNS(SVG, "rect");
    spot.setAttribute("width", CARD.w);
    spot.setAttribute("height", CARD.h);
    spot.setAttribute("class", "board__spot");
    map.append(spot);
    spots.set(card.id, spot);
  }
  const frame = document.createElementNS(SVG, "rect");
  frame.setAttribute("class", "board__frame");
  map.append(frame);

  /**
   * @param {Card} card
   * @param {boolean} moved
   */
  function ghost(card, moved) {
    let mark = plane.querySelector(`[data-ghost="${card.id}"]`);
    if (!moved) return mark?.remove();
    if (!mark) {
      mark = document.createElement("span");
      mark.className = "card__ghost";
      mark.dataset.ghost = card.id;
      plane.prepend(mark);
    }
    set(mark, card.was.x - origin.x, card.was.y - origin.y);
  }

  /**
   * @param {HTMLElement} element
   * @param {number} x
   * @param {number} y
   */
  function set(element, x, y) {
    element.style.setProperty("--x", `${x}px`);
    element.style.setProperty("--y", `${y}px`);
  }

  /** @param {Card} card */
  function place(card) {
    return { x: card.x - origin.x, y: card.y - origin.y };
  }

  /** @param {Card} card */
  function draw(card) {
    const { x, y } = place(card);
    set(card.element, x, y);
    const moved = !card.added && (card.x !== card.was.x || card.y !== card.was.y);
    card.element.classList.toggle("card--moved", moved || card.added);
    card.element.querySelector(".card__meta").textContent = board.meta(card);
    ghost(card, moved);
  }

  function bounds() {
    const cards = [...board.cards.values()];
    return {
      left: Math.min(...cards.map((card) => card.x)),
      top: Math.min(...cards.map((card) => card.y)),
      right: Math.max(...cards.map((card) => card.x)) + CARD.w,
      bottom: Math.max(...cards.map((card) => card.y)) + CARD.h,
    };
  }

  /**
   * Whoever drags beyond the upper or left edge gets more room there, and what is seen stays where it is.
   * @param {{ left: number, top: number }} box
   */
  function widen(box) {
    const dx = Math.max(0, origin.x - box.left + ROOM / 4);
    const dy = Math.max(0, origin.y - box.top + ROOM / 4);
    if (box.left >= origin.x && box.top >= origin.y) return;
    if (box.left < origin.x) origin.x -= dx;
    if (box.top < origin.y) origin.y -= dy;
    for (const card of board.cards.values()) draw(card);
    scroller.scrollBy({
      left: box.left < origin.x + dx ? dx * zoom : 0,
      top: box.top < origin.y + dy ? dy * zoom : 0,
      behavior: "instant",
    });
  }

  function paint() {
    waiting = false;
    const box = bounds();
    widen(box);
    const width = box.right - origin.x + ROOM;
    const height = box.bottom - origin.y + ROOM;
    plane.style.setProperty("--w", `${Math.max(width, scroller.clientWidth / zoom)}px`);
    plane.style.setProperty("--h", `${Math.max(height, scroller.clientHeight / zoom)}px`);
    plane.style.setProperty("--zoom", zoom);
    map.setAttribute("viewBox", `${origin.x} ${origin.y} ${width} ${height}`);
    for (const card of board.cards.values()) {
      const spot = spots.get(card.id);
      spot.setAttribute("x", card.x);
      spot.setAttribute("y", card.y);
      spot.classList.toggle("board__spot--entry", card.id === board.entry);
      spot.classList.toggle("board__spot--chosen", board.chosen.has(card.id));
    }
    outline();
  }

  function outline() {
    frame.setAttribute("x", origin.x + scroller.scrollLeft / zoom);
    frame.setAttribute("y", origin.y + scroller.scrollTop / zoom);
    frame.setAttribute("width", scroller.clientWidth / zoom);
    frame.setAttribute("height", scroller.clientHeight / zoom);
  }

  function changed() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(paint);
  }

  /**
   * @param {number} left
   * @param {number} top
   */
  function show(left, top) {
    scroller.scrollTo({ left: (left - origin.x) * zoom, top: (top - origin.y) * zoom, behavior: "instant" });
    outline();
  }

  /** @param {number} next */
  function setZoom(next) {
    const middle = {
      x: (scroller.scrollLeft + scroller.clientWidth / 2) / zoom,
      y: (scroller.scrollTop + scroller.clientHeight / 2) / zoom,
    };
    zoom = Math.min(2, Math.max(0.1, next));
    paint();
    scroller.scrollTo({
      left: middle.x * zoom - scroller.clientWidth / 2,
      top: middle.y * zoom - scroller.clientHeight / 2,
      behavior: "instant",
    });
    outline();
  }

  /** @param {number} [least] */
  function fit(least = 0.1) {
    const box = bounds();
    const pad = 60;
    zoom = Math.min(
      1,
      Math.max(
        least,
        Math.min(
          scroller.clientWidth / (box.right - box.left + pad * 2),
          scroller.clientHeight / (box.bottom - box.top + pad * 2),
        ),
      ),
    );
    paint();
    show(box.left - pad, box.top - pad);
  }

  scroller.addEventListener("scroll", outline, { passive: true });
  new ResizeObserver(changed).observe(scroller);
  map.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    show(at.x - scroller.clientWidth / zoom / 2, at.y - scroller.clientHeight / zoom / 2);
  });

  return {
    draw,
    changed,
    fit,
    place,
    times: (/** @type {number} */ factor) => setZoom(zoom * factor),
    get zoom() {
      return zoom;
    },
  };
}
