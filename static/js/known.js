// A page that was drawn from what was known shows what is newer by itself, unless somebody has begun to do something on it.
let touched = false;
for (const kind of ["input", "change", "submit"]) document.addEventListener(kind, () => { touched = true; }, true);

function busy() {
  const here = document.activeElement;
  const open = document.querySelector("dialog[open], [popover]:popover-open, details[data-menu][open]");
  return touched || Boolean(open) || (here && here !== document.body && document.querySelector("#main")?.contains(here));
}

document.addEventListener("htmx:afterSettle", async () => {
  const known = document.querySelector("#known[data-newer]");
  if (!known || busy()) return;
  const page = known.dataset.newer;
  delete known.dataset.newer;
  const answer = await fetch(page).catch(() => null); // without htmx's header: the whole page, not a part of it
  if (!answer?.ok || answer.redirected) return;
  const text = await answer.text();
  if (!busy()) window.htmx.swap("#main", text, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { select: "#main" });
});
