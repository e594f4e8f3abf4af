// @ts-check
// A part that was tried again takes the place of the button that was pressed, so the focus goes on to what came: to the
// button, where there still is one, else to the heading. Nobody loses the place that they did not press from.
let pressed = false;

document.addEventListener("htmx:beforeSwap", (event) => {
  const button = event.detail.requestConfig?.elt;
  pressed = button?.matches?.("[data-again]") && button === document.activeElement;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!pressed) return;
  pressed = false;
  const part = document.getElementById(event.detail.target.id) ?? event.detail.elt;
  const place = part.querySelector("[data-again]") ?? part.querySelector("h2");
  if (place?.matches("h2")) place.tabIndex = -1;
  place?.focus();
});
