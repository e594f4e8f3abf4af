// @ts-check
// Shows and hides what a password field holds. The button's words come from the server.
for (const button of document.querySelectorAll("[data-reveal]")) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.reveal));
  const words = button.querySelector("span");
  const show = words.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isVisible = field.type === "text";
    field.type = isVisible ? "password" : "text";
    button.setAttribute("aria-pressed", String(!isVisible));
    words.textContent = isVisible ? show : button.dataset.hide;
  });
}
