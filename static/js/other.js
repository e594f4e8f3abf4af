// @ts-check
// A field that counts only with one choice (data-chooses="name=value"): typing in it makes that choice. Choosing something
// else empties it only where it holds what the page brought; what somebody typed stays, and the server asks about it.

document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (!field.dataset?.chooses || !field.value) return;
  const [name, value] = field.dataset.chooses.split("=");
  // Radio buttons of one name, or a list: both have a value.
  const control = /** @type {any} */ (field.form?.elements.namedItem(name));
  if (control && control.value !== value) control.value = value;
});

document.addEventListener("change", (event) => {
  const choice = /** @type {HTMLInputElement} */ (event.target);
  if (!choice.matches?.("select, [type=radio]")) return;
  const fields = /** @type {NodeListOf<HTMLInputElement> | undefined} */ (
    choice.form?.querySelectorAll("[data-chooses]")
  );
  for (const field of fields ?? []) {
    const [name, value] = field.dataset.chooses.split("=");
    if (name === choice.name && choice.value !== value && field.value === field.defaultValue) field.value = "";
  }
});
