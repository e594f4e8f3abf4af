// @ts-check
// Times as people read and type them. Whole seconds, floored: a comment is never beyond its moment.
/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {number} seconds */
export function format(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// 1:15, 0:75, 1:02:03, 75, 1m15s or the timecode 00:01:15:12; NaN for anything else.
const UNITS = /^(?=\d)(?:(\d{1,3})\s*h\s*)?(?:(\d{1,4})\s*m\s*)?(?:(\d{1,6})(?:[.,]\d+)?\s*s?)?$/i;

/** @param {string} typed */
export function parse(typed) {
  const units = UNITS.exec(typed.trim());
  if (units) return units.slice(1).reduce((total, part) => total * 60 + Number(part ?? 0), 0);
  const clock = typed
    .trim()
    .replace(/[.,]\d+$/, "")
    .replace(/^(\d{2}:\d{2}:\d{2})[:;]\d{2,3}$/, "$1");
  const parts = clock.split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d{1,6}$/.test(part))) return NaN;
  return parts.reduce((total, part) => total * 60 + Number(part), 0);
}
