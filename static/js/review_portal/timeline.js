// @ts-check
// The bar: position, what is buffered, what was watched, and the time under the pointer.
import { format } from "./clock.js";
import { player } from "./player.js";
import { runs, share, unseen } from "./watched.js";
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const slider = document.querySelector("[data-seek]");
const lane = slider?.parentElement;
const hover = document.querySelector("[data-hover]");
const progress = document.querySelector("[data-watched]");
let drawn = -1;

/**
 * @param {Element} group
 * @param {[number, number][]} pairs
 * @param {string} name
 */
function rects(group, pairs, name) {
  /** @param {number} seconds */
  const wide = (seconds) => (seconds / player.length) * 1000;
  group.replaceChildren(
    ...pairs.map(([from, to]) => {
      const rect = document.createElementNS(SVG, "rect");
      rect.setAttribute("class", name);
      rect.setAttribute("x", wide(from));
      rect.setAttribute("width", Math.max(0, wide(Math.min(to, player.length)) - wide(from)));
      rect.setAttribute("height", 8);
      return rect;
    }),
  );
}

function draw() {
  if (!player.length) return;
  lane.querySelector("[data-played]").setAttribute("width", Math.min(1000, (player.time / player.length) * 1000));
  const at = player.second;
  if (at === drawn) return;
  drawn = at;
  if (document.activeElement !== slider || Number(slider.value) !== at) slider.value = String(at);
  slider.setAttribute("aria-valuetext", say("position", { now: format(at), length: format(player.length) }));
  rects(lane.querySelector("[data-seen]"), runs(), "bar-lane__seen");
  loaded();
  watched();
}

function loaded() {
  if (player.length) rects(lane.querySelector("[data-buffered]"), player.buffered(), "bar-lane__buffered");
}

function watched() {
  if (!progress) return;
  const percent = Math.floor(share() * 100);
  progress.hidden = percent === 0;
  progress.querySelector("[data-watched-part]").textContent = `${percent}%`;
  progress.querySelector("progress").value = percent;
  const next = unseen();
  progress.querySelector("[data-watched-rest]").hidden = next < 0;
  if (next >= 0) progress.querySelector("[data-watched-next]").href = `?t=${next}`;
}

if (slider) {
  slider.addEventListener("input", () => player.seek(Number(slider.value)));
  lane.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || !player.length) return;
    const box = slider.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    hover.hidden = false;
    hover.textContent = format(part * player.length);
    hover.style.setProperty("--at", `${part * 100}%`);
  });
  lane.addEventListener("pointerleave", () => {
    hover.hidden = true;
  });
  player.addEventListener("time", draw);
  player.addEventListener("buffer", loaded);
  player.addEventListener("length", () => {
    slider.max = String(player.length);
    slider.closest("[data-unknown-length]")?.removeAttribute("data-unknown-length");
    draw();
  });
  draw();
}
