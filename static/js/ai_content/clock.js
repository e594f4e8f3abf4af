// @ts-check
// How long a save has been on its way: minutes and seconds beside the sentence.
function tick() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const passed = Math.max(0, Math.floor((Date.now() - Date.parse(clock.dateTime)) / 1000));
    clock.textContent = `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`;
  }
}

setInterval(tick, 1000);
tick();
