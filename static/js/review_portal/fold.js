// @ts-check
// On narrow screens the composer rests as one line. It unfolds after the tap that enters it and folds after the press
// that leaves it, never in between: a control that moves under the finger would take the tap meant for another.
const foot = document.querySelector(".talk__foot");
let pressed = false;

function settle() {
  if (!pressed && !foot.contains(document.activeElement)) delete foot.dataset.open;
}

if (foot) {
  foot.dataset.folds = "";
  foot.addEventListener("focusin", (event) => {
    if (event.target.matches("textarea, input"))
      setTimeout(() => {
        foot.dataset.open = "";
      }, 50);
  });
  foot.addEventListener("focusout", () => setTimeout(settle, 200));
  foot.addEventListener("pointerdown", () => {
    pressed = true;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      pressed = false;
      setTimeout(settle, 200);
    });
  }
}
