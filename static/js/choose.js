// @ts-check
// Several at once: says how many are chosen, chooses all or none. Words come from the page; # stands for the number.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose-all], [data-choose-none]");
  const form = button?.closest("[data-choose]");
  if (!form) return;
  for (const box of boxes(form)) box.checked = "chooseAll" in button.dataset;
  tell(form);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-choose]");
  if (form) tell(form);
});

/** @param {HTMLFormElement} form */
function boxes(form) {
  return form.querySelectorAll("input[type=checkbox][name=video]");
}

/** @param {HTMLFormElement} form */
function tell(form) {
  const words = form.querySelector("[data-choose-count]");
  if (!words) return;
  const count = [...boxes(form)].filter((box) => box.checked).length;
  const { none, one, many } = words.dataset;
  words.textContent = count === 0 ? none : count === 1 ? one : many.replace("#", String(count));
  form.querySelector("[data-choose-none]").hidden = count === 0;
}

/** @param {ParentNode} root */
function ready(root) {
  for (const form of root.querySelectorAll("[data-choose]")) {
    const all = form.querySelector("[data-choose-all]");
    if (all) all.hidden = false;
    tell(form);
  }
}

ready(document);
document.addEventListener("htmx:afterSwap", () => ready(document));
addEventListener("pageshow", () => ready(document));
