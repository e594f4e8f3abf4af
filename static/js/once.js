// @ts-check
// A form that is on its way cannot be sent a second time; coming back through history makes it ready again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("data-again")) return;
  if (form.hasAttribute("aria-busy")) {
    event.preventDefault();
    return;
  }
  form.setAttribute("aria-busy", "true");
  for (const button of form.querySelectorAll("button[type=submit]")) button.setAttribute("aria-disabled", "true");
});

/** @param {HTMLFormElement} form */
function ready(form) {
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("button[type=submit]")) button.removeAttribute("aria-disabled");
}

addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach(ready));
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target.closest?.("form");
  if (form) ready(form);
});
