// @ts-check
// The bar of a held act shows what is left of the time to undo it. The server sends the act; the page then asks how it
// went.
const bar = document.querySelector("[data-hold]");

if (bar) {
  const end = performance.now() + Number(bar.dataset.hold) * 1000;
  const timer = setInterval(() => {
    const left = (end - performance.now()) / 1000;
    bar.value = Math.max(0, left);
    if (left > -1) return; // whoever sends it looks twice a second
    clearInterval(timer);
    document.body.dispatchEvent(new Event("wake"));
  }, 250);
}
