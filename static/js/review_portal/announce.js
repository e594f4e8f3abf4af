// @ts-check
// Saying things: to screen readers once and politely, and in a toast that can carry one action.
const region = document.querySelector("[data-announce]");
/** @type {number | undefined} */
let clear;

/** @param {string} text */
export function announce(text) {
  if (!region || !text) return;
  clearTimeout(clear);
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 60);
  clear = setTimeout(() => {
    region.textContent = "";
  }, 6000);
}

/**
 * @param {string} text
 * @param {string} [action]
 * @param {() => void} [act]
 */
export function toast(text, action, act) {
  const stack = document.getElementById("toasts");
  if (!stack || !text) return;
  const element = document.createElement("div");
  element.className = "toast";
  element.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (act) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "toast__action" });
    button.textContent = action;
    button.addEventListener("click", () => {
      element.remove();
      act();
    });
    element.append(button);
  }
  stack.replaceChildren(element);
}
