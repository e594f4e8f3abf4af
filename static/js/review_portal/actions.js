// @ts-check
// Everything that can be done by a button (`data-do`) or a key, by name.
const actionsByName = new Map();

/** @param {Record<string, () => unknown>} actions */
export const register = (actions) => {
  for (const [name, act] of Object.entries(actions)) actionsByName.set(name, act);
};
/**
 * Whether a click asks the browser for a new tab or window.
 * @param {MouseEvent} event
 */
export const opensTab = (event) => event.ctrlKey || event.metaKey || event.shiftKey;

/** @param {string} name */
export const act = (name) => actionsByName.get(name)?.();

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-do]")?.dataset.do;
  if (name) act(name);
});
