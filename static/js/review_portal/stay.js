// @ts-check
// A form that is sent without a connection would leave for the browser's own page: it stays and says what to do.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (navigator.onLine || !form.matches("[data-stay]")) return;
    event.preventDefault();
    event.stopPropagation();
    const notice = form.querySelector("[data-offline]") ?? document.querySelector("[data-offline]");
    notice?.removeAttribute("hidden");
  },
  true,
);
addEventListener("online", () => {
  for (const notice of document.querySelectorAll("[data-offline]")) notice.setAttribute("hidden", "");
});
