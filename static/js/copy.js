// @ts-check
// Copies an address, or what stands in a field. Without script the same element opens the address, or the field is
// there to copy from by hand; then it stays hidden.
const toasts = document.getElementById("toasts");

/** @param {ParentNode} within */
function show(within) {
  for (const element of within.querySelectorAll("[data-copy]")) {
    const words = element.querySelector("[data-copy-words]");
    if (words) words.textContent = words.dataset.copyWords;
    element.hidden = false;
  }
}

show(document);
document.addEventListener("htmx:load", (event) => show(event.detail.elt));

document.addEventListener("click", async (event) => {
  const element = event.target.closest("[data-copy]");
  if (!element) return;
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(element.dataset.copyField ?? ""));
  // Plain http has no clipboard: the field is selected, so that one key copies it; a link simply opens.
  if (!navigator.clipboard && !field) return;
  event.preventDefault();
  if (!navigator.clipboard) return select(field);
  const address = element.dataset.copy;
  await navigator.clipboard.writeText(address ? new URL(address, location.href).href : field.value);
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = element.dataset.copied;
  toasts?.append(toast);
});

/** @param {HTMLInputElement} field */
function select(field) {
  field.focus();
  field.select();
}
