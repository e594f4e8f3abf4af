// @ts-check
// The planner: ticking a video ticks the free cells of the chosen languages, as the server does without script.
/** @param {HTMLInputElement} row */
function follow(row) {
  const offered = row.closest("tr").querySelector("input[name=offered]");
  if (!offered) return;
  offered.disabled = !row.checked;
  const [video, ...languages] = offered.value.split(".");
  const cells = new Set(languages.map((language) => `${video}.${language}`));
  for (const cell of row.closest("tr").querySelectorAll("input[name=cell]")) {
    if (cells.has(cell.value)) cell.checked = row.checked;
  }
}

/** @param {HTMLElement} planner */
function every(planner) {
  const label = planner.querySelector("[data-all]");
  if (!label) return;
  label.hidden = false;
  planner.querySelector("[data-all-words]").hidden = true;
  const rows = [...planner.querySelectorAll("[data-row]")];
  label.querySelector("input").checked = rows.length > 0 && rows.every((row) => row.checked);
}

for (const planner of document.querySelectorAll("[data-planner]")) {
  every(planner);
  // Capturing, so that the cells are ticked before htmx sends the form.
  planner.addEventListener(
    "change",
    (event) => {
      if (event.target.matches("[data-row]")) {
        follow(/** @type {HTMLInputElement} */ (event.target));
        every(planner);
      }
      if (!event.target.closest("[data-all]")) return;
      const rows = [...planner.querySelectorAll("[data-row]")].filter((row) => row.checked !== event.target.checked);
      for (const row of rows) {
        row.checked = event.target.checked;
        follow(row);
      }
      rows.at(-1)?.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { capture: true },
  );
  document.addEventListener("htmx:afterSwap", () => every(planner));
}

// A sending that was too long for one request goes on by itself; without script its button does it.
