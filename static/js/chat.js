// A pressed chat changes at once and goes visibly back when the platform refuses. Focus stays on the button.
const form = document.querySelector("[data-chats]");
const toasts = document.getElementById("toasts");

function paint(button, shape, inner) {
  button.className = `cell is-${shape}`;
  button.replaceChildren(...inner);
}

function tell(node) {
  toasts?.append(node);
}

function sentence(words) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.append(Object.assign(document.createElement("span"), { textContent: words }));
  return toast;
}

async function press(button, value) {
  const before = { look: button.className, value: button.value, inner: [...button.childNodes] };
  const back = () => {
    button.className = before.look;
    button.value = before.value;
    button.replaceChildren(...before.inner);
  };
  const look = form.querySelector(`template[data-look="${value.slice(-1)}"]`);
  const body = new FormData(form);
  body.set("switch", value);
  paint(button, look.dataset.shape, look.content.cloneNode(true).childNodes);
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = part.querySelector("button.cell");
    if (answer.headers.get("HX-Redirect")) location.assign(answer.headers.get("HX-Redirect"));
    if (!fresh) throw new Error("no cell");
    const key = part.querySelector("[name=write_key]");
    if (key) form.elements.write_key.value = key.value; // the next press is another write
    button.className = fresh.className;
    button.value = fresh.value;
    button.replaceChildren(...fresh.childNodes);
    tell(part.querySelector(".toast"));
  } catch {
    back();
    tell(sentence(form.dataset.failed));
  }
  button.removeAttribute("aria-busy");
}

if (form) {
  document.addEventListener("submit", (event) => {
    const pressed = event.submitter;
    if (event.target !== form || !pressed?.hasAttribute("data-chat")) return;
    event.preventDefault();
    const cell = pressed.dataset.chat ? document.getElementById(pressed.dataset.chat) : pressed;
    if (!cell || cell.hasAttribute("aria-busy")) return;
    if (pressed !== cell) {
      cell.focus();
      pressed.closest(".toast").remove();
    }
    press(cell, pressed.value);
  }, true);
}
