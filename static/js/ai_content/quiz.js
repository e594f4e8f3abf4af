// The quiz by keyboard: the list with arrows, questions moved with Alt and arrows or by dragging, answers with Enter.
import { hold } from "./typing.js";

const list = document.querySelector("[data-quiz-rows]");
const links = () => [...list.querySelectorAll(".quiz-row__link")];
const current = () => document.querySelector("[data-question]")?.dataset.question;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function mark() {
  for (const link of links()) {
    const chosen = link.parentElement.dataset.handle === current();
    if (chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.tabIndex = chosen ? 0 : -1;
    if (chosen) link.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  }
  const first = links()[0];
  if (first && !links().some((link) => link.tabIndex === 0)) first.tabIndex = 0;
}

function move(row, to) {
  const address = `${row.querySelector("a").getAttribute("href")}move/`;
  const again = () => document.getElementById(row.id)?.querySelector("a").focus();
  htmx.ajax("POST", address, { source: list, swap: "none", values: { to } }).then(() => {
    // The question that opens beside it takes the focus when it settles; whoever moves a row goes on moving it.
    document.addEventListener("htmx:afterSettle", again, { once: true });
    setTimeout(() => document.removeEventListener("htmx:afterSettle", again), 1000); // refused: nothing settles
  });
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
  let held, start, target, after;
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
      held = event.target.closest(".quiz-row");
      start = event.clientY;
    }
  });
  addEventListener("pointermove", (event) => {
    if (!held || (!target && Math.abs(event.clientY - start) < 8)) return;
    held.classList.add("quiz-row--held");
    clear();
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest(".quiz-row");
    if (!over) return;
    const box = over.getBoundingClientRect();
    target = over;
    after = event.clientY > box.top + box.height / 2;
    over.classList.add(after ? "quiz-row--target-after" : "quiz-row--target");
  });
  addEventListener("pointerup", () => {
    if (held && target && target !== held) {
      const rows = [...list.children];
      const from = rows.indexOf(held);
      const at = rows.indexOf(target) + (after ? 1 : 0);
      move(held, String(at > from ? at : at + 1));
    }
    if (held && target) {
      // The click that ends the dragging opens nothing. Where it ends outside of the list there is none, and the next
      // one counts.
      list.addEventListener("click", ignore, { capture: true, once: true });
      setTimeout(() => list.removeEventListener("click", ignore, { capture: true }));
    }
    held?.classList.remove("quiz-row--held");
    clear();
    held = target = undefined;
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
    const button = answer.querySelector(`[value^="${event.key === "ArrowUp" ? "up" : "down"}:"]`);
    if (!button.disabled) press(form, button);
  }
});

function press(form, button) {
  hold();
  form.requestSubmit(button);
}

// Fields that grow with their text, for browsers that cannot do it by themselves.
if (!CSS.supports("field-sizing", "content")) {
  const grow = (field) => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + 2}px`;
  };
  const all = () => document.querySelectorAll("[data-answer-text], [data-question-text]").forEach(grow);
  document.addEventListener(
    "input",
    (event) => event.target.matches?.("[data-answer-text], [data-question-text]") && grow(event.target),
  );
  document.addEventListener("htmx:afterSettle", all);
  all();
}
