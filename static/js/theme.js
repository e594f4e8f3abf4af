// @ts-check
// The button is a form that stores the choice in a cookie; with script it switches at once and stores the same.
const root = document.documentElement;

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-switch]");
  if (!form) return;
  event.preventDefault();
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  form.elements.theme.value = dark ? "dark" : "light";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
});
