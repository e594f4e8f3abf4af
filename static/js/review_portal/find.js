// @ts-check
// Filters, order and search without losing the picture: the same addresses, fetched and put in place.
import { opensTab } from "./actions.js";
import { toast } from "./announce.js";
import { apply } from "./patch.js";
import { ask, FILTERS, OFFLINE, placeOfFocus } from "./sending.js";
import { say } from "./words.js";

const form = document.querySelector("[data-find]");
const box = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=q]"));
const list = document.querySelector("[data-scroller]");
/**
 * What an address asks of the list.
 * @param {string} search
 */
const filtersOf = (search) =>
  new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => FILTERS.includes(name)));
/** @type {number | undefined} */
let typing;
let latest = location.search;
let shown = filtersOf(location.search);
/** @type {string | undefined} */
let word; // in the box for words before an answer was asked for

/**
 * @param {string} search
 * @param {{ push?: boolean }} [options]
 */
async function show(search, { push = true } = {}) {
  latest = search;
  const query = new URLSearchParams(search);
  query.delete("t");
  word ??= box?.value;
  fillIn(query);
  const { status, part } = await ask(`${location.pathname}/comments?${query}&v=`);
  if (search !== latest) return; // a later choice is on its way
  if (status === OFFLINE) return stay();
  if (status !== 200) return void (location.search = search);
  if (push) history.pushState(null, "", `${location.pathname}${search ? `?${query}` : ""}`);
  shown = filtersOf(location.search);
  word = undefined;
  apply(part, { mine: true, whole: true });
  carry();
  if (list) list.scrollTop = 0;
}

/**
 * Nothing comes without a connection: the page and its address, which Back has changed already, go on saying what is
 * shown, and a word that is typed waits in its box.
 * @returns {void}
 */
function stay() {
  if (String(filtersOf(location.search)) !== String(shown)) {
    const others = [...new URLSearchParams(location.search)].filter(([name]) => !FILTERS.includes(name));
    const query = String(new URLSearchParams([...others, ...shown]));
    history.pushState(null, "", `${location.pathname}${query && `?${query}`}`);
  }
  latest = location.search;
  fillIn(shown);
  if (box && document.activeElement !== box) box.value = word;
  word = undefined;
  toast(say("offline"));
}

// Back and Forward also lead to other moments, comments and tabs of the shown list: there is nothing to ask for.
function goBack() {
  if (String(filtersOf(location.search)) !== String(shown)) show(location.search, { push: false });
  else if (String(filtersOf(latest)) !== String(shown)) {
    latest = location.search;
    word = undefined;
    fillIn(shown);
  }
}

function carry() {
  const query = filtersOf(location.search);
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = query.toString();
  for (const fields of document.querySelectorAll("[data-carry-fields]"))
    fields.replaceChildren(
      ...[...query].map(([name, value]) =>
        Object.assign(document.createElement("input"), { type: "hidden", name, value }),
      ),
    );
}

/**
 * The form says what is shown, from the moment it is asked for: the next choice adds to it.
 * @param {URLSearchParams} query
 */
function fillIn(query) {
  if (!form) return;
  for (const name of ["q", "by", "sort"]) {
    const field = /** @type {any} */ (form.elements)[name];
    if (name !== "q" || document.activeElement !== field)
      field.value = query.get(name) ?? (name === "sort" ? "time" : "");
  }
  form.elements.show?.remove();
  if (query.get("show"))
    form.append(
      Object.assign(document.createElement("input"), { type: "hidden", name: "show", value: query.get("show") }),
    );
}

function asked() {
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  for (const [name, value] of [...query]) if (!value || (name === "sort" && value === "time")) query.delete(name);
  return query.toString() ? `?${query}` : "";
}

export function start() {
  document.addEventListener("click", (event) => {
    const chip = /** @type {HTMLAnchorElement | null} */ (event.target.closest?.("a[data-show], [data-new-chip]"));
    if (!chip || opensTab(event)) return;
    event.preventDefault();
    const kind = chip.dataset.show;
    const stays = placeOfFocus(document.getElementById("chips"));
    show(chip.search).then(() => {
      if (stays()) document.querySelector(`#chips [data-show="${kind ?? "new"}"]`)?.focus();
    });
  });
  addEventListener("popstate", goBack);
  if (!form) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(asked());
  });
  form.addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => show(asked()), event.target.name === "q" ? 300 : 0);
  });
}
