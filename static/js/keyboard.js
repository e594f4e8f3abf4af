// @ts-check
// Which key is meant, on every keyboard layout: the letter where the key gives a Latin one, else its place on the
// keyboard. Every page with keys of its own asks here.
const FIELDS =
  "textarea, select, [contenteditable]:not([contenteditable=false]), " +
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
/** @type {Record<string, string>} */
const PLACES = { Comma: ",<", Period: ".>", Slash: "/?", BracketLeft: "[{", BracketRight: "]}" };
/** @type {Record<string, string>} */
const TURKISH = { ı: "i", İ: "i" };

/**
 * What a key may be called, the likeliest first: "c", "shift+x", "shift+ArrowLeft", "<". Shift is named with letters and
 * with keys that have a name, since it stands at another character on each layout. A sign that is no letter is what the
 * key gives, and then what stands in that place on a US keyboard: "б" is ",", "é" is 2.
 * @param {KeyboardEvent} event
 * @returns {string[]}
 */
export function names({ key = "", code = "", shiftKey }) {
  const shift = shiftKey ? "shift+" : "";
  const sign = key.normalize("NFKC");
  const letter = TURKISH[sign] ?? sign.toLowerCase();
  if (/^[a-z ]$/.test(letter)) return [shift + letter];
  const isDead = ["Dead", "Unidentified"].includes(key);
  if (/^[A-Z][A-Za-z0-9]+$/.test(key) && !isDead) return [shift + key];
  const place = placeOf(sign, code, shiftKey);
  return [...(isDead || !sign ? [] : [sign]), ...(place && place !== sign ? [place] : [])];
}

/**
 * @param {string} sign
 * @param {string} code
 * @param {boolean} shiftKey
 */
function placeOf(sign, code, shiftKey) {
  const isSign = /^[!-~]$/.test(sign);
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1].toLowerCase() ?? "";
  if (/[a-z]/.test(place)) return /\p{Script=Latin}/u.test(sign) ? "" : (shiftKey ? "shift+" : "") + place;
  if (place) return shiftKey ? "" : place;
  return isSign && (shiftKey || code === "Slash") ? "" : (PLACES[code]?.[Number(shiftKey)] ?? "");
}

/**
 * The name under which `known` has something to do, if any.
 * @param {KeyboardEvent} event
 * @param {(name: string) => unknown} known
 */
export const find = (event, known) => names(event).find(known);

/** @param {KeyboardEvent} event */
const composes = (event) => event.defaultPrevented || event.isComposing || event.keyCode === 229;
/** @param {KeyboardEvent} event */
const isThirdLevel = (event) => event.altKey || Boolean(event.getModifierState?.("AltGraph"));

/**
 * A key by itself or with Shift: nobody writes a word of several strokes, or a character of the third level.
 * @param {KeyboardEvent} event
 */
export const isPlain = (event) => !composes(event) && !event.ctrlKey && !event.metaKey && !isThirdLevel(event);

/**
 * A key with Ctrl or Cmd; AltGr is Ctrl and Alt on some systems, and types.
 * @param {KeyboardEvent} event
 */
export const isCommand = (event) => !composes(event) && (event.ctrlKey || event.metaKey) && !isThirdLevel(event);

/**
 * Whether keys write or choose there.
 * @param {EventTarget} target
 */
export const isField = (target) => Boolean(/** @type {Element} */ (target).closest?.(FIELDS));
