// @ts-check
// Reading subtitles with the film: a line leads to its moment, and the line that is being said is marked.
for (const reader of document.querySelectorAll("[data-cues]")) {
  const film = reader.querySelector("[data-film]");
  const lines = [...reader.querySelectorAll("[data-at-second]")];
  if (!film) continue;
  const starts = lines.map((line) => Number(line.dataset.atSecond));

  reader.addEventListener("click", (event) => {
    const line = event.target.closest("[data-at-second]");
    if (!line) return;
    film.currentTime = Number(line.dataset.atSecond);
    film.play();
  });

  film.addEventListener("timeupdate", () => {
    const now = film.currentTime + 0.05;
    const current = starts.indexOf(starts[starts.findLastIndex((start) => start <= now)]);
    lines.forEach((line, index) => {
      if (index === current) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    });
    const list = lines[current]?.closest("ol");
    if (!list || list.matches(":hover, :focus-within")) return;
    list.scrollTop = lines[current].parentElement.offsetTop - list.offsetTop - list.clientHeight / 3;
  });
}
