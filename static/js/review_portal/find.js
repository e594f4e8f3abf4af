// @ts-check
// Filters, order and search without losing the picture: the same addresses, fetched and put in place.
import { opensTab } from "./actions.js";
import { toast } from "./announce.js";
import { apply } from "./patch.js";
import { ask, OFFLINE } from "./sending.js";
import { say } from "./words.js";

const form = document.querySelector("[data-find]");
const list = document.querySelector("[data-scroller]");
/** @type {number | undefined} */
let typing;
let latest = "";

/**
 * @param {string} search
 * @param {{ push?: boolean }} [options]
 */
async function show(search, { push = true } = {}) {
  latest = search;
  const query = new URLSearchParams(search);
  query.delete("t");
  fillIn(query);
  const { status, part } = await ask(`${location.pathname}/comments?${query}&v=`);
  if (search !== latest) return; // a later choice is on its way
  if (status !== 200) {
    if (status !== OFFLINE) location.search = search;
    else if (push) stay();
    return;
  }
  if (push) history.pushState(null, "", `${location.pathname}${search ? `?${query}` : ""}`);
  apply(part, { mine: true, whole: true });
  carry();
  if (list) list.scrollTop = 0;
}

// Nothing comes without a connection: the page goes on saying what it shows, and a word that is typed waits in its box.
function stay() {
  fillIn(new URLSearchParams(location.search));
  toast(say("offline"));
}

function carry() {
  const query = new URLSearchParams(location.search);
  for (const name of [...query.keys()]) if (!["show", "sort", "by", "q", "since"].includes(name)) query.delete(name);
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
    if (document.activeElement !== field) field.value = query.get(name) ?? (name === "sort" ? "time" : "");
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
    show(chip.search).then(() => document.querySelector(`#chips [data-show="${kind ?? "new"}"]`)?.focus());
  });
  addEventListener("popstate", () => show(location.search, { push: false }));
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
