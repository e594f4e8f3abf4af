// Times as people read and type them. Whole seconds, floored: a comment is never beyond its moment.
const two = (number) => String(number).padStart(2, "0");

export function format(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// 1:15, 0:75, 1:02:03 or 75; NaN for anything else.
export function parse(typed) {
  const parts = typed.trim().replace(/[.,]\d+$/, "").split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d{1,6}$/.test(part))) return NaN;
  return parts.reduce((total, part) => total * 60 + Number(part), 0);
}
