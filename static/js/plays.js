// @ts-check
// Watches the video of the check: once it runs, the page says so to the server; where nothing is heard, it shows what
// helps.
import { Embedded } from "./review_portal/embedded.js";

const PATIENCE = 12_000; // after play was pressed
const film = document.querySelector("[data-film]");
const frame = film.querySelector("iframe");
/** @type {number | undefined} */
let timer;

function plays() {
  clearTimeout(timer);
  const form = document.querySelector("[data-plays]");
  if (form && !form.dataset.sent) {
    form.dataset.sent = "1";
    form.requestSubmit();
  }
}

function helps() {
  const help = document.querySelector("[data-fails]");
  if (help) help.hidden = false;
}

if (frame) {
  const player = new Embedded(frame);
  player.addEventListener("time", () => {
    if (player.time > 0) plays();
  });
  player.addEventListener("mute", helps);
} else {
  const video = film.querySelector("video");
  video.addEventListener("timeupdate", () => {
    if (video.currentTime > 0) plays();
  });
  video.addEventListener("play", () => {
    timer = setTimeout(helps, PATIENCE);
  });
  video.addEventListener("error", helps, { capture: true }); // a source's error does not bubble
}
