// @ts-check
// After a full load or a swap with errors, the summary takes the focus.
/** @param {ParentNode} root */
const focus = (root) => root.querySelector("[data-error-summary]")?.focus();
focus(document);
document.addEventListener("htmx:afterSwap", (event) => focus(event.target));
