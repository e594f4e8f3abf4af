// @ts-check
// Reading a map city by city: arrow keys with the map focused walk from the largest bubble to the smallest, the pointer
// (or a tap) names the one it is on. The words are the bubble's own title; they are written into the map's output,
// which is spoken.
/** @type {Record<string, number>} */
const STEPS = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
  PageDown: 10,
  PageUp: -10,
};

/**
 * @param {HTMLElement} atlas
 * @param {SVGElement} bubble
 */
function show(atlas, bubble) {
  for (const other of atlas.querySelectorAll(".world__bubble--here")) other.classList.remove("world__bubble--here");
  bubble.classList.add("world__bubble--here");
  const words = bubble.querySelector("title").textContent;
  const output = atlas.querySelector("output");
  if (output.textContent !== words) output.textContent = words;
}

document.addEventListener("keydown", (event) => {
  const atlas = event.target.closest?.("[data-atlas]");
  const step = STEPS[event.key];
  if (!atlas || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const bubbles = [...atlas.querySelectorAll(".world__bubble")];
  if (!bubbles.length) return;
  event.preventDefault();
  const now = bubbles.findIndex((bubble) => bubble.classList.contains("world__bubble--here"));
  show(atlas, bubbles[Math.min(bubbles.length - 1, Math.max(0, now + step))]);
});

for (const name of ["pointerover", "click"]) {
  document.addEventListener(name, (event) => {
    const bubble = /** @type {Element} */ (event.target).closest?.("[data-atlas] .world__bubble");
    if (bubble) show(bubble.closest("[data-atlas]"), bubble);
  });
}

// The land under the bubbles is a file of its own that comes when its map is near; without script it stands in the
// page.
const SVG = "http://www.w3.org/2000/svg";
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) draw(/** @type {HTMLElement} */ (target));
  },
  { rootMargin: "300px" },
);

/** @param {HTMLElement} map */
function draw(map) {
  near.unobserve(map);
  const land = map.querySelector("[data-land]:empty");
  if (!land) return;
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", land.dataset.land);
  land.append(use);
}

/** @param {ParentNode} within */
const maps = (within) => within.querySelectorAll(".world:has([data-land])");
maps(document).forEach((map) => near.observe(map));
document.addEventListener("htmx:load", (event) => maps(event.detail.elt).forEach((map) => near.observe(map)));
addEventListener("beforeprint", () => maps(document).forEach(draw));
