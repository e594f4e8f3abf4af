// @ts-check
// A chart as PNG, drawn in the browser from the same drawing that the SVG file is: twice its size, on its own paper.
const SCALE = 2;

/**
 * @param {string} address
 * @param {string} name
 */
async function picture(address, name) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
  if (!blob) throw new Error("no picture");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-picture]");
  if (!link) return;
  event.preventDefault();
  try {
    await picture(link.href, link.dataset.picture);
  } catch {
    const words = document.createElement("div");
    words.className = "toast";
    words.textContent = link.dataset.failed;
    document.getElementById("toasts")?.append(words);
  }
});
