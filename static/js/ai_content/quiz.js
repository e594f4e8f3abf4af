// @ts-check
// The quiz by keyboard: the list with arrows, questions moved with Alt and arrows or by dragging, answers with Enter.
import { hold } from "./typing.js";

const list = document.querySelector("[data-quiz-rows]");
const links = () => [...list.querySelectorAll(".quiz-row__link")];
const current = () => document.querySelector("[data-question]")?.dataset.question;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function mark() {
  for (const link of links()) {
    const isCurrent = link.parentElement.dataset.handle === current();
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.tabIndex = isCurrent ? 0 : -1;
    if (isCurrent) link.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  }
  const first = links()[0];
  if (first && !links().some((link) => link.tabIndex === 0)) first.tabIndex = 0;
}

/**
 * @param {HTMLElement} row
 * @param {string} to
 */
function move(row, to) {
  const address = `${row.querySelector("a").getAttribute("href")}move/`;
  // The question that opens beside it takes the focus when it comes; whoever moves a row goes on moving it.
  htmx
    .ajax("POST", address, { source: list, swap: "none", values: { to } })
    .then(() => document.getElementById(row.id)?.querySelector("a").focus());
}

if (list) {
  mark();
  document.addEventListener("htmx:afterSettle", mark);
  list.addEventListener("keydown", (event) => {
    const link = event.target.closest(".quiz-row__link");
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!link) return;
    if (step && event.altKey) {
      event.preventDefault();
      move(link.parentElement, step < 0 ? "up" : "down");
    } else if (step && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const next = links()[links().indexOf(link) + step];
      if (next) {
        link.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      links()
        .at(event.key === "Home" ? 0 : -1)
        ?.focus();
    }
  });
  dragging();
}

// With a mouse a row can be dragged to its place; the keys and the menu do the same.
function dragging() {
  /** @type {HTMLElement | undefined} */
  let dragged;
  /** @type {HTMLElement | undefined} */
  let target;
  let start = 0;
  let after = false;
  /** @param {Event} event */
  const ignore = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const clear = () =>
    list
      .querySelectorAll(".quiz-row--target, .quiz-row--target-after")
      .forEach((row) => row.classList.remove("quiz-row--target", "quiz-row--target-after"));
  list.addEventListener("dragstart", (event) => event.preventDefault());
  list.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0) {
      dragged = event.target.closest(".quiz-row");
      start = event.clientY;
    }
  });
  addEventListener("pointermove", (event) => {
    if (!dragged || (!target && Math.abs(event.clientY - start) < 8)) return;
    dragged.classList.add("quiz-row--held");
    clear();
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest(".quiz-row");
    if (!over) return;
    const box = over.getBoundingClientRect();
    target = over;
    after = event.clientY > box.top + box.height / 2;
    over.classList.add(after ? "quiz-row--target-after" : "quiz-row--target");
  });
  addEventListener("pointerup", () => {
    if (dragged && target && target !== dragged) {
      const rows = /** @type {HTMLElement[]} */ ([...list.children]);
      const from = rows.indexOf(dragged);
      const at = rows.indexOf(target) + (after ? 1 : 0);
      move(dragged, String(at > from ? at : at + 1));
    }
    if (dragged && target) {
      // The click that ends the dragging opens nothing. Where it ends outside of the list there is none, and the next
      // one counts.
      list.addEventListener("click", ignore, { capture: true, once: true });
      setTimeout(() => list.removeEventListener("click", ignore, { capture: true }));
    }
    dragged?.classList.remove("quiz-row--held");
    clear();
    dragged = target = undefined;
  });
}

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("[data-question-form]");
  if (!form || event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    document.querySelector("[data-next]")?.click();
    return;
  }
  const answer = event.target.closest("[data-answer]");
  if (!answer || !event.target.matches("[data-answer-text]")) return;
  if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    const next = answer.nextElementSibling?.querySelector("[data-answer-text]");
    if (next) next.focus();
    else press(form, form.querySelector("[data-add-answer]"));
  } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    const button = answer.querySelector(`button[value^="${event.key === "ArrowUp" ? "up" : "down"}:"]`);
    if (!button.disabled) press(form, button);
  }
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
function press(form, button) {
  hold();
  form.requestSubmit(button);
}

// Fields that grow with their text, for browsers that cannot do it by themselves.
if (!CSS.supports("field-sizing", "content")) {
  /** @param {HTMLTextAreaElement} field */
  const grow = (field) => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + 2}px`;
  };
  const all = () =>
    /** @type {NodeListOf<HTMLTextAreaElement>} */ (
      document.querySelectorAll("[data-answer-text], [data-question-text]")
    ).forEach(grow);
  document.addEventListener(
    "input",
    (event) =>
      event.target.matches?.("[data-answer-text], [data-question-text]") && grow(/** @type {any} */ (event.target)),
  );
  document.addEventListener("htmx:afterSettle", all);
  all();
}
