// @ts-check
// What drawing uses of the room, handed over when it is loaded. It imports none of it: a module that a later one
// imports would be a file of its own on every first visit.
/** @type {DrawingRoom} */
export let room;

/** @param {DrawingRoom} parts */
export function enter(parts) {
  room = parts;
}

// A drawing is shown over its frame alone: the poster, which stands there until the video is asked for, is another
// picture.
export function uncover() {
  const video = document.querySelector("[data-player] video[poster]");
  video?.removeAttribute("poster");
  if (video) room.player.seek(room.player.time);
}

/** @type {Promise<unknown> | null} */
let dressed = null;

// The style sheet, once: the page has it already where it shows a drawing.
export function dress() {
  const address = document.querySelector("[data-drawings]").dataset.drawings;
  if (document.querySelector(`link[href="${address}"]`)) return dressed ?? Promise.resolve();
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  dressed = new Promise((done) => {
    for (const sign of ["load", "error"]) sheet.addEventListener(sign, done);
  });
  document.head.append(sheet);
  return dressed;
}
