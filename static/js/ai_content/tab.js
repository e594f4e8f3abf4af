// @ts-check
// Every window has a name, so that the server can tell its own changes from those of another window.
let name = "";
try {
  name = sessionStorage.getItem("tab") ?? crypto.randomUUID();
  sessionStorage.setItem("tab", name);
} catch {
  name = Math.random().toString(36).slice(2);
}
export const tab = name;

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-Tab"] = tab;
});
