// @ts-check
// Polite polling for elements marked data-poll (seconds, the fastest) that htmx asks with `every …, wake from:body`:
// nothing in hidden tabs, at once on return, and slower after each answer that brought nothing (204).
const SLOWEST = 30_000;
const quiet = new WeakMap();

document.addEventListener("htmx:beforeRequest", (event) => {
  const element = event.target;
  if (!element.matches("[data-poll]") || event.detail.requestConfig.triggeringEvent?.type === "wake") return;
  if (document.hidden || performance.now() < (quiet.get(element)?.until ?? 0)) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  const element = event.target;
  if (!element.matches?.("[data-poll]") || event.detail.xhr?.status !== 204) return;
  const times = (quiet.get(element)?.times ?? 0) + 1;
  const pause = Math.min(SLOWEST, Number(element.dataset.poll) * 1000 * 1.25 ** times);
  quiet.set(element, { times, until: performance.now() + pause });
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.body.dispatchEvent(new Event("wake"));
});
