// @ts-check
// The outline by keyboard: one stop for Tab, arrows between topics, the moves on the topic in hand. The buttons do the
// same.
import { find, isCommand, names } from "../keyboard.js";
import { hold } from "./typing.js";

const labels = () => [...document.querySelectorAll("[data-outline] [data-label]")];
const visibleLabels = () => labels().filter((label) => !label.closest("[data-node]").hidden);
/** @param {Element} element */
const row = (element) => element.closest("[data-node]");

/** @returns {HTMLVideoElement | null} */
const film = () => document.querySelector("[data-film]");

/** @param {HTMLInputElement} label */
function choose(label) {
  for (const each of labels()) each.tabIndex = each === label ? 0 : -1;
  for (const own of document.querySelectorAll("[data-outline] :is([data-time], [data-seek])"))
    own.tabIndex = row(own) === row(label) ? 0 : -1;
  row(label).querySelector("input[name=node]").checked = true;
}

function ready() {
  const all = labels();
  if (!all.length) return;
  for (const extra of document.querySelectorAll("[data-outline] :is([name=node], [name=closed])")) extra.tabIndex = -1;
  for (const time of document.querySelectorAll("[data-outline] [data-time]"))
    time.setAttribute("aria-invalid", String(row(time).querySelector("[data-wrong]") !== null));
  for (const needy of document.querySelectorAll("[data-outline] :is([data-take-time], [data-film-keys])"))
    needy.hidden = !film();
  choose(all.find((label) => row(label).querySelector("input[name=node]").checked) ?? all[0]);
}

/**
 * @param {HTMLInputElement} label
 * @param {string} what
 */
function act(label, what) {
  const form = label.form;
  choose(label);
  hold();
  form.requestSubmit(form.querySelector(`button[value="${what}"]`));
}

function fold() {
  const closed = [...document.querySelectorAll("[data-fold]:checked")].map((box) => row(box).dataset.node);
  for (const each of document.querySelectorAll("[data-node]")) {
    const path = each.dataset.node;
    each.hidden = closed.some((above) => path !== above && (above === "" || path.startsWith(`${above}.`)));
  }
}

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-outline] :is([data-label], [data-time])"))
    choose(row(event.target).querySelector("[data-label]"));
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-fold]")) fold();
});

/** The moment of the video becomes the time of the chosen topic. */
function takeTime() {
  const chosen = document.querySelector("[data-outline] input[name=node]:checked");
  const time = /** @type {HTMLInputElement | null} */ (chosen && row(chosen).querySelector("[data-time]"));
  if (!film() || !time) return;
  const thousandths = Math.round(film().currentTime * 1000);
  time.value = new Date(thousandths).toISOString().slice(11, -1);
  time.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @type {Record<string, string>} */
const MOVES = { ArrowLeft: "outdent", ArrowRight: "indent", ArrowUp: "up", ArrowDown: "down" };

document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("[data-outline] :is([data-label], [data-time])");
  if (!field || event.isComposing) return;
  const own = event.altKey && !event.ctrlKey && find(event, (name) => ["p", "t"].includes(name));
  if (own && film()) {
    event.preventDefault();
    if (own === "t") takeTime();
    else row(field).querySelector("[data-seek]")?.click();
    return;
  }
  if (!field.matches("[data-label]")) return;
  const label = /** @type {HTMLInputElement} */ (field);
  const strong = event.ctrlKey || event.metaKey;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  let done = true;
  if (event.altKey && MOVES[event.key]) act(label, MOVES[event.key]);
  else if (event.key === "Enter") act(label, strong ? "add_inside" : "add_below");
  else if (event.key === "Backspace" && (strong || (!label.value && row(label).dataset.node))) act(label, "delete");
  else if (isCommand(event) && names(event).includes(".")) row(label).querySelector("[data-fold]")?.click();
  else if (step && !strong && !event.shiftKey) visibleLabels()[visibleLabels().indexOf(label) + step]?.focus();
  else done = false;
  if (done) event.preventDefault();
});

// The moment of a topic plays here, from the outline and from the diagram; without the video on this page the link of
// the outline leads to the page of the video.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-take-time]")) takeTime();
  const moment = event.target.closest?.(":is([data-outline], .drawing) [data-seek]");
  if (!moment || !film() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  film().currentTime = Number(moment.dataset.seek);
  film().scrollIntoView({ block: "nearest" });
  film().play();
});

// Folding is how one looks at the outline, not a change of it.
document.addEventListener(
  "input",
  (event) => {
    if (event.target.matches?.("[data-fold], [data-outline] [name=node]")) event.stopPropagation();
  },
  true,
);

document.addEventListener("htmx:afterSettle", ready);
ready();
fold();
