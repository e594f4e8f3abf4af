// @ts-check
// A pressed chat changes at once and goes visibly back when the platform refuses. Focus stays on the choice.
const form = document.querySelector("[data-chats]");
const toasts = document.getElementById("toasts");

/**
 * @param {HTMLElement} cell
 * @param {string} shape
 * @param {Iterable<Node>} inner
 * @param {string} to
 */
function paint(cell, shape, inner, to) {
  cell.className = `cell chat is-${shape}`;
  cell.querySelector(".chat__state").replaceChildren(...inner);
  for (const choice of cell.querySelectorAll("[data-chat]"))
    choice.setAttribute("aria-pressed", choice.value.endsWith(to));
}

/** @param {Element | null} node */
function tell(node) {
  toasts?.append(node);
}

/** @param {string} words */
function sentence(words) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.append(Object.assign(document.createElement("span"), { textContent: words }));
  return toast;
}

/**
 * @param {HTMLElement} cell
 * @param {string} value
 */
async function press(cell, value) {
  const state = cell.querySelector(".chat__state");
  const before = {
    look: cell.className,
    inner: [...state.childNodes],
    pressed: cell.querySelector("[aria-pressed=true]"),
  };
  const back = () => {
    paint(cell, "", before.inner, before.pressed ? before.pressed.value.slice(-2) : " none");
    cell.className = before.look;
  };
  const look = form.querySelector(`template[data-look="${value.slice(-1)}"]`);
  const body = new FormData(form);
  body.set("switch", value);
  paint(cell, look.dataset.shape, look.content.cloneNode(true).childNodes, value.slice(-2));
  cell.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = part.querySelector("[data-chat-cell]");
    if (answer.headers.get("HX-Redirect")) location.assign(answer.headers.get("HX-Redirect"));
    if (!fresh) throw new Error("no cell");
    const key = part.querySelector("[name=write_key]");
    if (key) form.elements.write_key.value = key.value; // the next press is another write
    const pressed = fresh.querySelector("[aria-pressed=true]");
    paint(cell, "", fresh.querySelector(".chat__state").childNodes, pressed ? pressed.value.slice(-2) : " none");
    cell.className = fresh.className;
    tell(part.querySelector(".toast"));
  } catch {
    back();
    tell(sentence(form.dataset.failed));
  }
  cell.removeAttribute("aria-busy");
}

if (form) {
  document.addEventListener(
    "submit",
    (event) => {
      const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
      if (event.target !== form || !pressed?.hasAttribute("data-chat")) return;
      event.preventDefault();
      const cell = pressed.dataset.chat
        ? document.getElementById(pressed.dataset.chat)
        : pressed.closest("[data-chat-cell]");
      if (!cell || cell.hasAttribute("aria-busy") || pressed.getAttribute("aria-pressed") === "true") return;
      if (!cell.contains(pressed)) {
        [...cell.querySelectorAll("[data-chat]")].find((choice) => choice.value === pressed.value).focus();
        pressed.closest(".toast").remove();
      }
      press(cell, pressed.value);
    },
    true,
  );
}
