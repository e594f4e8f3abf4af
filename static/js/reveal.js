// Shows and hides what a password field holds. The button's words come from the server.
for (const button of document.querySelectorAll("[data-reveal]")) {
  const field = document.getElementById(button.dataset.reveal);
  const words = button.querySelector("span");
  const show = words.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!shown));
    words.textContent = shown ? show : button.dataset.hide;
  });
}
