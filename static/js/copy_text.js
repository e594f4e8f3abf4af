// Copies what stands in a field. Without script the field is there to copy from by hand, and the button stays hidden.
const said = document.getElementById("toasts");

for (const button of document.querySelectorAll("[data-copy-text]")) {
  const field = document.getElementById(button.dataset.copyText);
  if (!field) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.focus();
    field.select();
    // Plain http has no clipboard: the text is selected, one key copies it.
    if (!navigator.clipboard) return;
    await navigator.clipboard.writeText(field.value);
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.textContent = button.dataset.copied;
    said?.append(toast);
  });
}
