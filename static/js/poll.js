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

// An answer may replace a form that is on its way: htmx then finds no place for what the form is answered with, and a
// fresh form beside it could be sent once more. It may also replace what is held down, and the press would do nothing.
// Both come first; the next question brings the news again.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.requestConfig?.elt?.matches("[data-poll]")) return;
  if (document.querySelector("form.htmx-request, :is(a, button, label):active")) event.detail.shouldSwap = false;
});

// The other way round: what an element asked ends when it is replaced, because its answer is old and has no place.
document.addEventListener("htmx:beforeCleanupElement", (event) => {
  if (event.target.matches?.("[data-poll]")) htmx.trigger(event.target, "htmx:abort");
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.body.dispatchEvent(new Event("wake"));
});
