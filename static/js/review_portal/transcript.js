// @ts-check
// The transcript beside the film. It comes with its tab, and changes only what is beside the film: its search and its
// languages are answers of the server to the same addresses as without script.
import { room, take } from "./given.js";
import * as quotes from "./quotes.js";
import * as sentences from "./sentences.js";
import { panel } from "./sentences.js";

const talk = document.querySelector("[data-tab]");
const PATIENCE = 1500;
const TRIES = 20;
/** @type {number | undefined} */
let typing;
/** @type {number | undefined} */
let waiting;
let latest = 0;
let started = false;

/** @param {string} name */
const tab = (name) => /** @type {HTMLAnchorElement} */ (document.querySelector(`[data-panel="${name}"]`));

const finder = () => /** @type {HTMLFormElement | null} */ (panel().querySelector("[data-words-find]"));

/** @param {string} query */
async function bring(query) {
  const { status, part } = await room.ask(`${location.pathname}/transcript?${query}`);
  if (status === 200) return part.querySelector("#transcript");
  if (status === "offline") document.dispatchEvent(new CustomEvent("room:reach", { detail: false }));
  return null;
}

// Its own style sheet, before anything of it shows.
function dress() {
  const href = tab("transcript").dataset.style;
  if (!href || document.querySelector(`link[href="${CSS.escape(href)}"]`)) return undefined;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((done) => {
    sheet.addEventListener("load", done);
    sheet.addEventListener("error", done);
    document.head.append(sheet);
  });
}

/**
 * Show one of the two panels.
 * @param {string} name
 * @param {{ push?: boolean }} [options]
 */
export async function show(name, { push = true } = {}) {
  const link = tab(name);
  if (name === "transcript" && !panel()) {
    const [fresh] = await Promise.all([bring(`t=${room.player.second}`), dress()]);
    if (!fresh && navigator.onLine) return location.assign(link.href);
    if (!fresh) return room.toast(room.say("offline"));
    if (!panel()) document.querySelector(".talk > .tabs").after(fresh);
    adopt();
  }
  turn(name);
  if (push) history.pushState(null, "", link.href);
  if (name === "transcript") sentences.follow(true);
  return undefined;
}

/** @param {string} name */
function turn(name) {
  talk.dataset.tab = name === "transcript" ? name : "";
  talk.setAttribute("aria-labelledby", name === "transcript" ? "transcript-title" : "talk-title");
  for (const link of document.querySelectorAll("[data-panel]"))
    if (link.dataset.panel === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
}

// What is new on the page: its rows, and what it waits for.
function adopt(tries = 0) {
  clearTimeout(waiting);
  const hit = panel().querySelector(".hit--now");
  if (hit || new URLSearchParams(location.search).has("from")) sentences.follow(false);
  sentences.settle();
  quotes.equip();
  if (hit) sentences.reveal(hit.closest(".sentence"), "instant");
  if (panel().dataset.state === "loading" && tries < TRIES)
    waiting = setTimeout(() => change(`t=${room.player.second}`, tries + 1), PATIENCE);
}

/**
 * Another search, result or language. What is being typed in stays as it is.
 * @param {string} query
 * @param {number} [tries]
 */
async function change(query, tries = 0) {
  latest += 1;
  const own = latest;
  const fresh = await bring(query);
  if (own !== latest) return; // a later one is on its way
  if (!fresh) {
    if (navigator.onLine && !tries) location.search = `?tab=transcript&${query}`;
    return;
  }
  const form = finder();
  const freshForm = fresh.querySelector("[data-words-find]");
  if (form && freshForm) {
    const focused = document.activeElement?.closest("[data-hit]")?.getAttribute("data-hit");
    form.querySelector(".find-row__count").textContent = freshForm.querySelector(".find-row__count").textContent;
    form.querySelector(".button-row")?.remove();
    form.querySelector(".find-row__count").after(...freshForm.querySelectorAll(".button-row"));
    freshForm.replaceWith(form);
    panel().replaceWith(fresh);
    if (focused) form.querySelector(`[data-hit="${focused}"]`)?.focus();
  } else panel().replaceWith(fresh);
  adopt(tries);
}

function search() {
  const form = finder();
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (!query.get("find")) query.delete("find");
  history.replaceState(null, "", `?${query}`);
  if (!query.has("find")) query.set("t", String(room.player.second));
  const field = /** @type {HTMLInputElement} */ (form.querySelector("#find"));
  const place = field.selectionStart;
  const hadFocus = document.activeElement === field;
  return change(String(query)).then(() => {
    if (hadFocus && document.activeElement !== field) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(place, place);
    }
    if (!query.has("find")) sentences.follow(true);
  });
}

/** @param {Heard<MouseEvent>} event */
function clicked(event) {
  if (event.defaultPrevented || event.button || room.opensTab(event) || !panel()?.contains(event.target)) return;
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("a"));
  if (event.target.closest("[data-follow] button")) sentences.follow(true);
  else if (link?.matches(".sentence__link")) sentences.play(link.closest(".sentence"));
  else if (link?.matches("[data-hit]")) {
    history.replaceState(null, "", link.search);
    change(link.search.slice(1));
  } else if (link?.closest("[data-state=failed], [data-state=loading]")) change(`t=${room.player.second}`);
  else return;
  event.preventDefault();
}

/** @param {RoomParts} parts */
export function start(parts) {
  if (started) return;
  started = true;
  take(parts);
  sentences.start();
  quotes.start();
  talk.addEventListener("click", clicked);
  talk.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-words-find]")) return;
    event.preventDefault();
    clearTimeout(typing);
    search();
  });
  talk.addEventListener("input", (event) => {
    if (!event.target.closest("[data-words-find]")) return;
    event.stopPropagation();
    clearTimeout(typing);
    typing = setTimeout(search, event.target.name === "find" ? 300 : 0);
  });
  document.addEventListener("room:thread", () => turn("comments"));
  addEventListener("popstate", () =>
    show(new URLSearchParams(location.search).get("tab") ?? "comments", { push: false }),
  );
  if (panel()) {
    adopt();
    if (location.hash.startsWith("#c-")) turn("comments");
  }
}
