// @ts-check
// What this browser remembers: drafts, settings, position, what was watched. Never a token, never another link's.
// What storage refuses, because it is blocked or full, the page remembers until it is left.
const memory = new Map();
/** @type {Storage | null} */
let box = null;
try {
  box = window.localStorage;
} catch {
  // blocked: everything is in memory
}

const root = document.querySelector("[data-room], [data-closed], [data-finish]");
const link = root?.dataset.room ?? root?.dataset.closed ?? root?.dataset.finish ?? "none";
const own = `review:${link}:`;

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(memory.get(key) ?? box?.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function write(key, value) {
  const text = JSON.stringify(value);
  try {
    box.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

/** @param {string} name */
export const get = (name) => read(own + name);
/**
 * @param {string} name
 * @param {unknown} value
 */
export const set = (name, value) => write(own + name, value);

/** @param {string} name */
export function drop(name) {
  memory.delete(own + name);
  box?.removeItem(own + name);
}

/**
 * Names and values that begin with `prefix`, oldest name first.
 * @param {string} prefix
 */
export function all(prefix) {
  const keys = [...new Set([...Object.keys(box ?? {}), ...memory.keys()])];
  const start = own + prefix;
  return keys
    .filter((key) => key.startsWith(start))
    .sort()
    .map((key) => [key.slice(own.length), read(key)]);
}

/**
 * What another tab of the same link changes.
 * @param {string} prefix
 * @param {(name: string, value: any) => void} listener
 */
export function watch(prefix, listener) {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(own + prefix)) listener(event.key.slice(own.length), get(event.key.slice(own.length)));
  });
}

const defaults = {
  pause: true,
  resume: false,
  hold: true,
  keys: true,
  speed: 1,
  volume: 100,
  muted: false,
  captions: "",
};
/** @param {string} name */
export const setting = (name) => ({ ...defaults, ...read("review:settings") })[name];
/**
 * @param {string} name
 * @param {unknown} value
 */
export const keep = (name, value) => write("review:settings", { ...read("review:settings"), [name]: value });
