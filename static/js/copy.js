// Copies an address. Without script the same element opens it, or is a field to copy from by hand; then it stays hidden.
const said = document.getElementById("toasts");

const armed = new WeakSet();

function arm(element) {
  if (armed.has(element)) return;
  armed.add(element);
  const words = element.querySelector("[data-copy-words]");
  if (words) words.textContent = words.dataset.copyWords;
  element.hidden = false;
  element.addEventListener("click", async (event) => {
    const address = new URL(element.dataset.copy, location.href).href;
    if (!navigator.clipboard) return select(element, event);
    event.preventDefault();
    await navigator.clipboard.writeText(address);
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.textContent = element.dataset.copied;
    said?.append(toast);
  });
}

for (const element of document.querySelectorAll("[data-copy]")) arm(element);
document.addEventListener("htmx:load", (event) => event.detail.elt.querySelectorAll("[data-copy]").forEach(arm));

// Plain http has no clipboard: the field beside is selected, so that one key copies it; a link simply opens.
function select(element, event) {
  const field = document.getElementById(element.dataset.copyField ?? "");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}
