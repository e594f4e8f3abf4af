// @ts-check
// A frame as people read it: the clock, and which frame of that second; milliseconds where no rate is known. Needed
// only where somebody draws: elsewhere the server writes it (frames.py).

/** @type {Record<string, number>} */
const NTSC = { 23.976: 24000 / 1001, 29.97: 30000 / 1001, 59.94: 60000 / 1001 };
/** @param {number} number */
const two = (number) => String(Math.floor(number)).padStart(2, "0");

// Frames a second as this browser measured them (rate.js), else as stepping found them; 0 where neither did.
import { room } from "./drawing_room.js";
export function rate() {
  const film = location.pathname.slice(1, 9);
  const measured = document.cookie.match(/(?:^|; )film_rates=([^;]*)/)?.[1].match(new RegExp(`${film}:([\\d.]+)`))?.[1];
  if (measured) return NTSC[measured] ?? Number(measured);
  const length = room.player.inner.frames?.length;
  return length ? Math.round(1 / length) : 0;
}

/** @param {number} microseconds */
export function timecode(microseconds) {
  const seconds = Math.floor(microseconds / 1e6);
  const within = microseconds % 1e6;
  const clock = `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  const frames = rate();
  if (!frames) return `${clock}.${String(Math.floor(within / 1000)).padStart(3, "0")}`;
  return `${clock}:${two((within / 1e6) * frames + 0.001)}`;
}
