// Everything that can be done by a button (`data-do`) or a key, by name.
const known = new Map();

export const register = (actions) => {
  for (const [name, act] of Object.entries(actions)) known.set(name, act);
};
export const act = (name) => known.get(name)?.();

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-do]")?.dataset.do;
  if (name) act(name);
});
