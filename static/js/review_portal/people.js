// @ts-check
// Who else is here, and what the reader lets others know: that they are here, and for the owner what they watched.
// While a switch is off nothing of it leaves the page, and only what was played since it is on counts.
import { room, take } from "./given.js";

const menu = document.querySelector("[data-people]");
const place = menu.querySelector("[data-people-list]");
const address = location.pathname;
const EVERY = 30000;
let isSeen = "seen" in menu.dataset;
let shares = "shares" in menu.dataset;
let started = false;
let last = -1;
let known = "";
/** @type {Set<number>} */
const fresh = new Set(); // seconds that were played and not sent

const spans = () => {
  /** @type {number[][]} */
  const runs = [];
  for (const at of [...fresh].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === at) run[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
};

/** @param {boolean} hasLeft */
function form(hasLeft) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  body.set(
    "spans",
    spans()
      .join()
      .replace(/(\d+),(\d+)/g, "$1-$2"),
  );
  if (hasLeft) body.set("left", "1");
  return body;
}

async function send() {
  if (!shares || !fresh.size) return;
  const batch = [...fresh];
  const response = await fetch(`${address}/watched`, { method: "POST", body: form(false) }).catch(
    () => /** @type {null} */ (null),
  );
  if (response?.status !== 204) return;
  for (const at of batch) fresh.delete(at);
  room.set("unsent", spans());
}

// The page is left: nobody hears whether it arrived, so what was sent is sent once more next time.
function leave() {
  room.set("unsent", spans());
  if ((shares && fresh.size) || isSeen) navigator.sendBeacon(`${address}/watched`, form(true));
}

function count() {
  const at = room.player.second;
  if (shares && !room.player.paused && at !== last && at - last <= 3) fresh.add(at);
  last = at;
}

/** @param {string | null} header */
function hear(header) {
  const people = header ?? "";
  if (people === known) return;
  known = people;
  menu.querySelector("[data-people-count]").textContent = people ? String(JSON.parse(people).length) : "";
  if (menu.open && !place.contains(document.activeElement)) load();
}

async function load() {
  const { part } = await room.ask(`${address}/people`);
  const fetched = part?.querySelector("#people");
  if (fetched) place.replaceChildren(fetched);
}

// One after the other: the switch as it stands is what the server hears last.
let saving = Promise.resolve();
/** @param {Event} event */
function choose({ currentTarget }) {
  const switches = /** @type {HTMLFormElement} */ (/** @type {HTMLElement} */ (currentTarget).querySelector("form"));
  saving = saving.then(() => save(switches));
}

/** @param {HTMLFormElement} choices */
async function save(choices) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", choices.querySelector("[name=csrfmiddlewaretoken]").value);
  const checked = new FormData(choices);
  const [seen, share] = [checked.has("is_seen"), checked.has("shares")];
  body.set("is_seen", seen ? "on" : "off");
  body.set("shares", share ? "on" : "off");
  if (!share) forget();
  const { status } = await room.ask(`${address}/people`, { method: "POST", body });
  const said = choices.querySelector("[data-people-status]");
  said.textContent = status === 200 ? said.dataset.saved : said.dataset.failed;
  if (status !== 200) return;
  if (share && !shares) forget();
  isSeen = seen;
  shares = share;
  for (const note of document.querySelectorAll("small[data-shares]")) note.hidden = !shares;
}

function forget() {
  fresh.clear();
  room.set("unsent", []);
}

/**
 * @param {RoomParts} parts
 * @param {string | null} [header]
 */
export function start(parts, header) {
  if (!started) {
    started = true;
    take(parts);
    if (shares) for (const [from, to] of room.get("unsent") ?? []) for (let at = from; at < to; at++) fresh.add(at);
    room.tell(() => (isSeen ? `&at=${room.player.second}` : ""));
    room.player.addEventListener("time", count);
    room.player.addEventListener("state", () => {
      if (room.player.paused) send();
    });
    setInterval(send, EVERY);
    addEventListener("pagehide", leave);
    document.addEventListener("room:here", ({ detail }) => hear(detail));
    menu.addEventListener("toggle", () => {
      if (menu.open) load();
    });
    place.addEventListener("change", choose);
    if (menu.open) load();
  }
  if (header !== undefined && typeof header === "string") hear(header);
}
