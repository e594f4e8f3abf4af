// @ts-check
// An answer may bring a button or its form anew while it is pressed, or before what was pressed could be done. Whoever
// pressed the old one means the one that stands there now, by its id.

/**
 * The element that stands there now: this one, the one that was brought in its place (of the same kind), or null.
 * @param {Element} element
 * @returns {any}
 */
export const present = (element) => (element.isConnected ? element : document.getElementById(element.id));

/** @type {Element | null} */
let down;

document.addEventListener("mousedown", (event) => {
  down = event.button === 0 ? event.target.closest("button[id]") : null;
});

// Browsers make a click only of a press and a release on the same element.
document.addEventListener("mouseup", (event) => {
  const up = /** @type {HTMLElement | null} */ (event.target.closest("button[id]"));
  if (down && !down.isConnected && up?.id === down.id) up.click();
  down = null;
});
