// @ts-check
// Choosing a language sends its form at once; without script its button does.
for (const select of document.querySelectorAll("[data-language] select")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}
