// @ts-check
// The video beside the open row: the browser's own player, else the platform's. Rows of the same video share one, so
// that it is loaded once.
import { Native } from "../review_portal/native.js";

const HLS = "application/vnd.apple.mpegurl";
/** @type {{ key: string, element: HTMLElement, player: FilmPlayer | null } | null} */
let film = null;

/** @param {HTMLVideoElement} video */
function plays(video) {
  const kinds = [...video.querySelectorAll("source")].map((source) => source.type);
  return kinds.some((kind) => kind !== HLS) || video.canPlayType(HLS) !== "";
}

/** @param {HTMLElement} place */
async function embed(place) {
  const spare = place.querySelector("[data-embed]");
  place.querySelector("video, img")?.remove();
  const module = spare && (await import("../review_portal/embedded.js").catch(() => /** @type {null} */ (null)));
  if (film?.element !== place) return;
  if (!module) {
    place.querySelector("[data-no-picture]").hidden = false;
    return;
  }
  spare.replaceWith(spare.content.cloneNode(true));
  film.player = new module.Embedded(place.querySelector("iframe"));
}

/** @param {HTMLElement} place */
function begin(place) {
  film = { key: place.dataset.film, element: place, player: null };
  const video = place.querySelector("video");
  if (!video || !plays(video)) {
    embed(place);
    return;
  }
  const player = new Native(video);
  video.controls = true;
  player.addEventListener("broken", () => embed(place));
  film.player = player;
}

function take() {
  const place = document.querySelector("#thread [data-film]");
  if (place === (film?.element ?? null)) return;
  film?.player?.pause();
  if (!place) film = null;
  else if (film?.key === place.dataset.film && film.player?.kind === "native") {
    place.replaceWith(film.element);
    film.player.seek(Number(place.dataset.start));
  } else begin(place);
}

export function toggle() {
  const player = film?.player;
  if (player?.paused) player.play();
  else player?.pause();
}

/** @param {number} frames */
export function stepFrames(frames) {
  if (film?.player?.paused) film.player.step(frames);
}

// Times beside the video seek in it; without one their links load the page at that moment.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".desk-watch__card a[href]");
  if (!link || !film?.player || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = new URL(link.href);
  const second = Number.parseInt(address.searchParams.get("t") ?? "", 10);
  const item = document.getElementById("thread").dataset.item;
  if (!Number.isFinite(second) || !address.pathname.endsWith(`/inbox/${item}/`)) return;
  event.preventDefault();
  film.player.seek(second);
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "thread") take();
});
take();
