// @ts-check
// How many frames a second the film has: measured while it plays, kept in a cookie by link, and offered where markers
// are exported. Loaded with the first film that plays. It imports nothing, so that no other file is split for it.

const RATES = [12, 12.5, 15, 23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60];
const ENOUGH = 4; // seconds in a row: 24 and 23.976 are told apart
const LONGEST = 0.25; // a longer step is a jump
const KEPT = 20; // films
const YEAR = 31536000;
const film = location.pathname.slice(1, 9);

const storedRates = () => document.cookie.match(/(?:^|; )film_rates=([^;]*)/)?.[1].split("|") ?? [];
export const isKnown = () => storedRates().some((one) => one.startsWith(`${film}:`));

/** @param {HTMLVideoElement} video */
export function measure(video) {
  /** @type {number[]} */
  let times = [];
  /**
   * @param {number} _now
   * @param {VideoFrameCallbackMetadata} frame
   */
  const look = (_now, { mediaTime }) => {
    const step = mediaTime - times.at(-1);
    if (!(step > 0 && step < LONGEST) || video.playbackRate !== 1) times = [];
    times.push(mediaTime);
    if (mediaTime - times[0] >= ENOUGH) {
      const rate = rateOf(times);
      if (rate) {
        keep(rate);
        return;
      }
      times = []; // a busy machine shows too few frames to tell: then those that follow do
    }
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
}

/**
 * Frames that the browser leaves out make longer steps, of whole frames. Null where the film keeps no rate.
 * @param {number[]} times
 */
export function rateOf(times) {
  const steps = times.slice(1).map((time, place) => time - times[place]);
  const frame = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 4)];
  const frames = steps.map((step) => Math.round(step / frame));
  if (steps.some((step, place) => Math.abs(step - frames[place] * frame) > frame / 4)) return null;
  const rate = frames.reduce((sum, count) => sum + count, 0) / (times.at(-1) - times[0]);
  return RATES.find((standard) => Math.abs(rate / standard - 1) < 0.0004) ?? null;
}

/** @param {number} rate */
function keep(rate) {
  const rates = [`${film}:${rate}`, ...storedRates().filter((entry) => !entry.startsWith(`${film}:`))].slice(0, KEPT);
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `film_rates=${rates.join("|")}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
  for (const menu of document.querySelectorAll("[data-film-rate]")) offer(menu, rate);
}

/**
 * The menu begins with it, unless another one was chosen there meanwhile.
 * @param {HTMLElement} hint
 * @param {number} rate
 */
function offer(hint, rate) {
  const select = hint.closest("label").querySelector("select");
  const fits = [1, 2, 3, 4].flatMap((times) =>
    [...select.options].filter(
      (option) => !option.value.endsWith("df") && Math.abs(Number(option.value) - rate * times) < 0.01,
    ),
  );
  const untouched = select.selectedOptions[0]?.defaultSelected;
  if (fits.length && untouched) select.value = fits[0].value;
  hint.textContent = hint.dataset.filmRate.replace("{rate}", String(rate));
  hint.hidden = false;
}
