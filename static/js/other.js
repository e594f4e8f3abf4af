// @ts-check
// A field that counts only with one choice (data-chooses="name=value"): typing in it makes that choice. Choosing something
// else empties it only where it holds what the page brought; what somebody typed stays, and the server asks about it.

/**
 * The control of a choice (radio buttons, or a list), and the value that goes with the field.
 * @param {HTMLInputElement} field
 * @returns {[RadioNodeList | HTMLSelectElement | null, string]}
 */
export function choiceOf(field) {
  const [name, value] = field.dataset.chooses.split("=");
  return [/** @type {RadioNodeList | HTMLSelectElement | null} */ (field.form?.elements.namedItem(name)), value];
}

/** @param {HTMLInputElement} field */
export function choose(field) {
  const [control, value] = choiceOf(field);
  if (control && field.value && control.value !== value) control.value = value;
}

/** @param {HTMLInputElement} control */
export function leave(control) {
  for (const field of control.form?.querySelectorAll("[data-chooses]") ?? []) {
    const [name, value] = field.dataset.chooses.split("=");
    if (name === control.name && control.value !== value && field.value === field.defaultValue) field.value = "";
  }
}

document.addEventListener("input", (event) => {
  if (event.target.dataset?.chooses) choose(/** @type {HTMLInputElement} */ (event.target));
});
document.addEventListener("change", (event) => {
  if (event.target.matches?.("select, [type=radio]")) leave(/** @type {HTMLInputElement} */ (event.target));
});
