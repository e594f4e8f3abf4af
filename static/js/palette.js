// @ts-check
// Find anything: Ctrl K or Cmd K, "/" outside fields, or the link in the sidebar. Without script the link is the search
// page. The list comes from the server; here it is only walked through (combobox pattern: the focus stays in the
// field).
import { load } from "./htmx.js";
import { isCommand, isField, isPlain, names } from "./keyboard.js";

const palette = document.querySelector("[data-palette]");

if (palette) {
  const field = palette.querySelector("[role=combobox]");
  const list = palette.querySelector("[role=listbox]");
  const output = palette.querySelector("[data-palette-said]");

  document.addEventListener("keydown", (event) => {
    const jump = isCommand(event) && names(event).includes("k");
    const slash = isPlain(event) && names(event).includes("/") && singleKeys() && !busy(event.target);
    if (!jump && !slash) return;
    event.preventDefault();
    open();
  });

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("[data-find]")) return;
    event.preventDefault();
    open();
  });

  palette.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const all = options();
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown") choose(event, all[(at + 1) % all.length]);
    else if (event.key === "ArrowUp") choose(event, all.at(at <= 0 ? -1 : at - 1));
    else if (event.key === "Enter" && event.target === field && all[Math.max(at, 0)]) {
      event.preventDefault();
      all[Math.max(at, 0)].click();
    }
  });

  // A click beside the palette closes it.
  palette.addEventListener("click", (event) => {
    if (event.target === palette) palette.close();
  });

  palette.addEventListener("htmx:afterSettle", () => {
    choose(null, options()[0]);
    output.textContent = list.querySelector("[data-said]")?.dataset.said ?? "";
  });

  function open() {
    if (palette.open) return field.select();
    const other = document.querySelector("dialog:modal");
    if (other) return; // a dialog over a dialog loses people
    document.querySelector("[popover]:popover-open")?.hidePopover();
    empty();
    palette.showModal();
    field.focus();
    load().then(
      () => field.form.dispatchEvent(new CustomEvent("palette-open")),
      () => {},
    );
  }

  // Not when it closes: browsers say so later, and by then somebody may have opened it again and typed.
  function empty() {
    field.value = "";
    list.replaceChildren();
    output.textContent = "";
    field.removeAttribute("aria-activedescendant");
  }

  function options() {
    return [...list.querySelectorAll("[role=option]")];
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} option
   */
  function choose(event, option) {
    event?.preventDefault();
    for (const item of options()) {
      item.setAttribute("aria-selected", String(item === option));
      item.classList.toggle("palette__item--current", item === option);
    }
    if (!option) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
}

/** @param {EventTarget} target */
function busy(target) {
  return isField(target) || /** @type {Element} */ (target).closest?.("input, dialog, [role=tree]");
}

// The same switch as every other single key (shortcuts.js).
function singleKeys() {
  try {
    return localStorage.getItem("single-keys") !== "off";
  } catch {
    return true;
  }
}
