// Saying things: to screen readers once and politely, and in a toast that can carry one action.
const region = document.querySelector("[data-announce]");
let clear;

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

export function toast(text, action, act) {
  const stack = document.getElementById("toasts");
  if (!stack || !text) return;
  const one = document.createElement("div");
  one.className = "toast";
  one.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (act) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "toast__action" });
    button.textContent = action;
    button.addEventListener("click", () => {
      one.remove();
      act();
    });
    one.append(button);
  }
  stack.replaceChildren(one);
}
