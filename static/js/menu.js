// @ts-check
// Menus are disclosures: Esc closes the one in use and gives the focus back; so does a click anywhere else. A list that
// would begin left of the screen begins at its edge.
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener(
  "toggle",
  ({ target }) => {
    const list = target.matches("details.menu[open]") && target.querySelector(".menu__list");
    if (!list) return;
    list.style.translate = "";
    list.style.translate = `${Math.max(0, 8 - list.getBoundingClientRect().left)}px`;
  },
  true,
);
