// @ts-check
// What is typed while the server makes room for it is not lost: it goes into the field that appears.
let waiting = false;
let typed = "";

export function hold() {
  waiting = true;
  typed = "";
}

/**
 * AltGr is Ctrl and Alt on some systems, and types.
 * @param {KeyboardEvent} event
 */
const isShortcut = (event) => (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState?.("AltGraph");

document.addEventListener(
  "keydown",
  (event) => {
    if (!waiting || event.isComposing || isShortcut(event)) return;
    if (event.key.length === 1) {
      typed += event.key;
      event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
    }
  },
  true,
);

function release() {
  if (!waiting) return;
  waiting = false;
  const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (typed && field?.matches("input, textarea")) {
    field.setRangeText(typed, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  typed = "";
}

document.addEventListener("htmx:afterSettle", release);
for (const name of ["htmx:sendError", "htmx:responseError"]) document.addEventListener(name, release);
