// @ts-check
// Reading a chart point by point: arrow keys with the chart focused, or the pointer over it. Each point is a row of the
// table twin; the row is written into the chart's output, which assistive technology speaks, and a line stands at the
// point.
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity, PageUp: -7, PageDown: 7 };

/**
 * @param {HTMLElement} chart
 * @returns {HTMLTableRowElement[]}
 */
function rowsOf(chart) {
  const table = /** @type {HTMLTableElement | null} */ (document.getElementById(chart.dataset.cursor));
  return /** @type {any} */ (table?.tBodies[0]?.rows ?? []);
}

/**
 * @param {HTMLElement} chart
 * @param {number} at
 */
function show(chart, at) {
  const rows = rowsOf(chart);
  if (!rows.length) return;
  const index = Math.min(rows.length - 1, Math.max(0, at));
  chart.dataset.cursorAt = String(index);
  const words = [...rows[index].cells]
    .map((cell) => cell.textContent.trim())
    .filter(Boolean)
    .join(", ");
  const output = chart.querySelector("output");
  if (output.textContent !== words) output.textContent = words;
  const line = chart.querySelector("[data-cursor-line]");
  const place = rows[index].dataset.at ?? (rows.length > 1 ? index / (rows.length - 1) : 0.5);
  line.hidden = false;
  line.style.setProperty("inset-inline-start", `${/** @type {number} */ (place) * 100}%`);
}

document.addEventListener("keydown", (event) => {
  const chart = event.target.closest?.("[data-cursor]");
  const step = STEPS[event.key];
  if (!chart || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const now = "cursorAt" in chart.dataset ? Number(chart.dataset.cursorAt) : step < 0 ? rowsOf(chart).length : -1;
  show(chart, now + step);
});

document.addEventListener("pointermove", (event) => {
  const plot = event.target.closest?.("[data-cursor] .chart__plot");
  if (!plot) return;
  const chart = plot.closest("[data-cursor]");
  const box = plot.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const rows = [...rowsOf(chart)];
  const places = rows.map((row, index) =>
    Number(row.dataset.at ?? (rows.length > 1 ? index / (rows.length - 1) : 0.5)),
  );
  let nearest = 0;
  places.forEach((place, index) => {
    if (Math.abs(place - share) < Math.abs(places[nearest] - share)) nearest = index;
  });
  show(chart, nearest);
});

/** @param {Heard<Event>} event */
function leave(event) {
  const chart = event.target.closest?.("[data-cursor]");
  if (!chart || chart.contains(event.relatedTarget)) return;
  chart.querySelector("[data-cursor-line]").hidden = true;
}
document.addEventListener("focusout", leave);
document.addEventListener("pointerout", leave);
