// @ts-check
// Single keys for links that carry one (data-key). One switch turns them off and is remembered; they never act in
// fields, in dialogs, while composing, on a focused chart, or together with Ctrl, Alt or Meta.
const KEPT = "single-keys";

function on() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

for (const box of document.querySelectorAll("[data-single-keys]")) {
  box.checked = on();
  box.addEventListener("change", () => {
    for (const other of document.querySelectorAll("[data-single-keys]")) other.checked = box.checked;
    try {
      localStorage.setItem(KEPT, box.checked ? "on" : "off");
    } catch {
      // Private windows forget it: the switch then holds for this page.
    }
  });
}

// "?" shows every key of the page. It is no single letter that speech could say, so the switch does not turn it off.
const sheet = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-all-keys]"));

function show() {
  document.querySelector("[data-palette]")?.close();
  if (!document.querySelector("dialog:modal")) sheet.showModal();
}

if (sheet) {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) show();
  });
  document.addEventListener("keydown", (event) => {
    if (
      event.key !== "?" ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      event.isComposing ||
      event.defaultPrevented
    )
      return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, dialog, [contenteditable]"))
      return;
    event.preventDefault();
    show();
  });
}

document.addEventListener("keydown", (event) => {
  const box = document.querySelector("[data-single-keys]");
  if (!box?.checked || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented)
    return;
  if (
    event.target.closest(
      "input, select, textarea, dialog, [contenteditable], [data-cursor], [data-atlas], .table-scroll",
    )
  )
    return;
  const link = document.querySelector(
    `[data-key="${CSS.escape(event.key.length === 1 ? event.key.toLowerCase() : event.key)}"]`,
  );
  if (!link) return;
  event.preventDefault();
  link.click();
});
