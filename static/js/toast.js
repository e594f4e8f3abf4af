// @ts-check
// A toast leaves after 8 seconds, but never while it is looked at with pointer or focus.
const STAY = 8000;
const toasts = document.getElementById("toasts");

/** @param {HTMLElement} toast */
function watch(toast) {
  /** @type {number | undefined} */
  let timer;
  const wait = () => {
    timer = setTimeout(() => toast.remove(), STAY);
  };
  const stop = () => clearTimeout(timer);
  for (const event of ["pointerenter", "focusin"]) toast.addEventListener(event, stop);
  for (const event of ["pointerleave", "focusout"]) toast.addEventListener(event, wait);
  wait();
}

if (toasts) {
  for (const toast of toasts.children) watch(/** @type {HTMLElement} */ (toast));
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeType === 1) watch(/** @type {HTMLElement} */ (node));
  }).observe(toasts, { childList: true });
}

// A form that could not be kept stays as it is, and the server's notice says why.
document.addEventListener("htmx:responseError", ({ detail: { xhr, requestConfig } }) => {
  if (!toasts || xhr.status !== 503 || requestConfig.verb === "get") return;
  const notice = new DOMParser().parseFromString(xhr.responseText, "text/html").body.firstElementChild;
  if (notice?.matches(".toast")) toasts.append(notice);
});
