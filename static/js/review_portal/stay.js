// @ts-check
// A form that is sent without a connection would leave for the browser's own page: it stays and says what to do.
document.addEventListener(
  "submit",
  (event) => {
    if (navigator.onLine || !event.target.matches("[data-decision], [data-checks]")) return;
    event.preventDefault();
    event.stopPropagation();
    tell(true);
  },
  true,
);
addEventListener("online", () => tell(false));

/** @param {boolean} offline */
function tell(offline) {
  document.querySelector("[data-offline]")?.toggleAttribute("hidden", !offline);
}
