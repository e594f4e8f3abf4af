// A held act leaves by itself when its time is over; until then the bar shows what is left.
const bar = document.querySelector("[data-hold]");

if (bar) {
  const end = performance.now() + Number(bar.dataset.hold) * 1000;
  const timer = setInterval(() => {
    const left = (end - performance.now()) / 1000;
    bar.value = Math.max(0, left);
    if (left > 0) return;
    clearInterval(timer);
    document.getElementById(bar.dataset.holdForm).requestSubmit();
  }, 250);
  // Whoever leaves the page has not decided: nothing is sent, the list says that it waits.
  addEventListener("pagehide", () => clearInterval(timer));
}
