// @ts-check
// Choosing a language sends its form at once; without script its button does. Without a connection the page stays.
for (const select of document.querySelectorAll("[data-language] select")) {
  select.addEventListener("change", () => {
    if (navigator.onLine) select.form.requestSubmit();
    else select.form.reset();
  });
}
