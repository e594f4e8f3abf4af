// A room for scripts: a page with the words of the server, and a film that does what a test says.
import { load, openDashboard, settled, skip } from "./dashboard.mjs";

export { load, settled, skip };

const begin = setTimeout; // also where a test has set the clock

/** Until this is so: a script that was asked for comes from another thread. It gives up, and what is asserted says why. */
export async function until(isSo) {
  for (let turn = 0; turn < 1000 && !isSo(); turn += 1) await new Promise((done) => begin(done, 1));
}

/** A film as the player takes it, which notes what it was asked. */
export const openFilm = (values = {}) =>
  Object.assign(new EventTarget(), {
    ...{ kind: "native", paused: true, time: 0, length: 60, speed: 1, volume: 100, muted: false, asked: [] },
    ...{ ranges: [], spoken: [] },
    play() {
      this.paused = false;
      this.asked.push("play");
      this.dispatchEvent(new Event("state"));
    },
    pause() {
      this.paused = true;
      this.asked.push("pause");
      this.dispatchEvent(new Event("state"));
    },
    seek(seconds) {
      this.asked.push(seconds);
      this.at(seconds);
    },
    /** It plays to this second by itself. */
    at(seconds) {
      this.time = seconds;
      this.dispatchEvent(new Event("time"));
    },
    step(frames) {
      this.asked.push(`step ${frames}`);
    },
    captions(language) {
      this.asked.push(`captions ${language}`);
    },
    buffered() {
      return this.ranges;
    },
    languages() {
      return this.spoken;
    },
    full() {
      this.asked.push("full");
    },
    took() {
      return this.asked.splice(0);
    },
    ...values,
  });

/** Opens a room of these elements; `words` are those of the server, `film` is what plays, null for none; `counts`: the browser tells frames. */
export async function openRoom(body, { words = {}, film = {}, settings, url, kept = {}, counts, ...given } = {}) {
  const page = openDashboard(`<main id="main" data-room="film">${body}</main><div id="words"></div>`, {
    url: url ?? "https://reelroom.example/12345678/reel",
    ...given,
  });
  Object.assign(page.one("#words").dataset, words);
  if (settings) page.window.localStorage.setItem("review:settings", JSON.stringify(settings));
  for (const [name, value] of Object.entries(kept))
    page.window.localStorage.setItem(`review:film:${name}`, JSON.stringify(value));
  if (counts) page.window.HTMLVideoElement.prototype.requestVideoFrameCallback = () => {};
  const { player } = await load("review_portal/player.js");
  page.player = player;
  if (film) {
    page.film = openFilm(film);
    player.take(page.film);
  }
  page.act = (await load("review_portal/actions.js")).act;
  page.kept = (name) => JSON.parse(page.window.localStorage.getItem(`review:film:${name}`));
  page.settings = () => JSON.parse(page.window.localStorage.getItem("review:settings"));
  page.heard = [];
  for (const name of ["room:drawing", "room:live", "room:reach"])
    page.document.addEventListener(name, () => page.heard.push(name));
  return page;
}
