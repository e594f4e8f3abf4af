// A page for scripts: what they find as `document` and `window`. With jsdom a real one, without it only what the test
// gives.
import { createRequire, register } from "node:module";

register("./hooks.mjs", import.meta.url);
const STATIC = new URL("../../static/js/", import.meta.url);
const NAMES =
  "document DOMParser CustomEvent Event EventTarget FormData HTMLElement HTMLVideoElement " +
  "Option history localStorage location window";
const NativeEventTarget = EventTarget;
let pages = 0;

function findJsdom() {
  try {
    return createRequire(import.meta.url)("jsdom");
  } catch {
    return {};
  }
}

const { JSDOM, VirtualConsole } = findJsdom();
/** For `test(name, { skip }, …)`: why tests that need a whole page are left out, or false. */
export const skip = JSDOM
  ? false
  : "jsdom is not installed: npm install --global jsdom@26, NODE_PATH=$(npm root --global)";

/** Loads a script of static/js, and all that it imports, as a page that was just opened does. */
export function load(path) {
  return import(new URL(`${path}?page=${process.env.TRIAL ?? ""}${pages}`, STATIC));
}

function setGlobals(values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** Storage of a browser; `full`: it refuses to keep anything. */
export class FakeStorage {
  constructor({ full = false } = {}) {
    Object.defineProperty(this, "full", { value: full });
  }
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key, text) {
    if (this.full) throw new Error("full");
    this[key] = String(text);
  }
  removeItem(key) {
    delete this[key];
  }
}

/** Opens a page that has no elements but the root of the room, for scripts that draw nothing. */
export function openBarePage({ storage = new FakeStorage(), link = "film" } = {}) {
  pages += 1;
  const document = Object.assign(new NativeEventTarget(), {
    querySelector: () => ({ dataset: { room: link } }),
    getElementById: () => null,
  });
  const target = new NativeEventTarget();
  setGlobals({
    document,
    window: { localStorage: storage },
    addEventListener: target.addEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
  });
  return { document, storage };
}

class Observer {
  observe() {}
  disconnect() {}
}

// An error that a listener throws fails the test; that jsdom does not go to other pages is no error.
function failOnErrors() {
  return new VirtualConsole().on("jsdomError", (error) => {
    if (error.type !== "not implemented") throw error.detail ?? error;
  });
}

/** Opens a page of these elements. Returns its window. */
export function openPage(body, { url = "https://reelroom.example/film" } = {}) {
  pages += 1;
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${body}</body></html>`, {
    url,
    pretendToBeVisual: true,
    virtualConsole: failOnErrors(),
  });
  window.Element.prototype.checkVisibility = () => true;
  window.Element.prototype.scrollTo = () => {};
  window.Element.prototype.scrollBy = () => {};
  window.Element.prototype.scrollIntoView = () => {};
  setGlobals({
    ...Object.fromEntries(NAMES.split(" ").map((name) => [name, window[name]])),
    ...{
      addEventListener: window.addEventListener.bind(window),
      scrollY: 0,
      innerHeight: 800,
      CSS: { escape: (text) => text },
    },
    requestAnimationFrame: (draw) => setTimeout(draw, 0),
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    ...{ ResizeObserver: Observer, IntersectionObserver: Observer },
    navigator: { onLine: true, sendBeacon: () => true },
  });
  return window;
}
