// A page of the dashboard for scripts: openPage with what jsdom lacks and scripts ask for, and hands to press with.
import { load, openPage, skip } from "./page.mjs";

export { load, skip };
const MORE =
  "Element HTMLButtonElement HTMLFormElement HTMLMediaElement HTMLInputElement MutationObserver AbortController sessionStorage";
/** What the browser knows of an element and jsdom does not, as an attribute that a test sets. */
const STATES = {
  ":modal": "[open]",
  ":popover-open": "[data-shown]",
  ":active": "[data-active]",
  ":hover": "[data-hover]",
};

/** Everything that was begun has ended: nothing here waits for a clock. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

function addStates({ Document, Element }) {
  const known = (selector) => Object.entries(STATES).reduce((text, [name, as]) => text.replaceAll(name, as), selector);
  for (const [prototype, methods] of [
    [Document.prototype, ["querySelector", "querySelectorAll"]],
    [Element.prototype, ["querySelector", "querySelectorAll", "matches", "closest"]],
  ])
    for (const name of methods) {
      const native = prototype[name];
      prototype[name] = function find(selector) {
        return native.call(this, known(selector));
      };
    }
}

/**
 * Opens a page of these elements; `given` are further globals. `visited` has the addresses that were gone to, `followed`
 * the links whose click nothing prevented, `submitted` the forms that left, with the button.
 */
export function openDashboard(body, { url = "https://reelroom.example/dashboard/", ...given } = {}) {
  const window = openPage(body, { url });
  const { document } = window;
  addStates(window);
  const { HTMLDialogElement: Dialog, Element } = window;
  Dialog.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
  Dialog.prototype.close = function close() {
    this.removeAttribute("open");
  };
  Element.prototype.hidePopover = function hidePopover() {
    this.removeAttribute("data-shown");
  };
  Element.prototype.setPointerCapture = () => {};
  const page = {
    window,
    document,
    visited: [],
    followed: [],
    submitted: [],
    one: (selector) => document.querySelector(selector),
    all: (selector) => [...document.querySelectorAll(selector)],
    fire(target, type, { detail, kind = "Event", ...more } = {}) {
      const init = { bubbles: true, cancelable: true, detail, ...more };
      const event = new window[detail === undefined ? kind : "CustomEvent"](type, init);
      const element = typeof target === "string" ? page.one(target) : target;
      element.dispatchEvent(event);
      return event;
    },
    /** Presses a key there; says whether somebody took it. */
    press(target, key, more = {}) {
      return page.fire(target, "keydown", { kind: "KeyboardEvent", key, ...more }).defaultPrevented;
    },
    /** Clicks there; says whether somebody took it. */
    click(target, more = {}) {
      const before = page.followed.length;
      const event = page.fire(target, "click", { kind: "MouseEvent", ...more });
      return event.defaultPrevented && page.followed.length === before;
    },
    type(target, value) {
      const field = typeof target === "string" ? page.one(target) : target;
      field.focus();
      field.value = value;
      page.fire(field, "input");
      return field;
    },
    /** Whether this has the focus. Two elements of one kind are the same to deepEqual: they are never compared with it. */
    hasFocus: (target) => document.activeElement === (typeof target === "string" ? page.one(target) : target),
    hide(hidden = true) {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    },
  };
  window.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && !event.defaultPrevented) page.followed.push(link.getAttribute("href"));
    if (link) event.preventDefault();
  });
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) page.submitted.push([event.target, event.submitter]);
    event.preventDefault();
  });
  const { href, origin, pathname, search } = window.location;
  const go = (address) => page.visited.push(address);
  const globals = {
    ...Object.fromEntries(MORE.split(" ").map((name) => [name, window[name]])),
    location: { href, origin, pathname, search, assign: go, replace: go, reload: () => go("reload") },
    CSS: { escape: (text) => text, supports: () => true },
    ...given,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return page;
}

/** htmx as scripts use it, which notes what it was asked; events with the id of their element. */
export function fakeHtmx(page) {
  const htmx = {
    triggered: [],
    asked: [],
    swapped: [],
    trigger(element, name) {
      htmx.triggered.push(`${name} ${element.id}`);
      page.fire(element, name);
    },
    async ajax(verb, address, options) {
      htmx.asked.push([verb, address, options]);
    },
    swap(...parts) {
      htmx.swapped.push(parts);
    },
  };
  globalThis.htmx = htmx;
  page.window.htmx = htmx;
  return htmx;
}
