// Texts that were not sent: one per place ("main", "reply-<id>", "edit-<id>"), with its time and its key, so that two
// tabs, a reload and a retry all speak of the same attempt. A draft goes only after a success was confirmed.
import { all, drop, get, set, watch } from "./store.js";

const listeners = new Set();
const told = () => {
  for (const listener of listeners) listener(list());
};

export const read = (place) => get(`draft:${place}`);
export const onChange = (listener) => {
  listeners.add(listener);
};

export function write(place, draft) {
  if (draft.text.trim()) set(`draft:${place}`, { ...draft, at: Date.now() });
  else drop(`draft:${place}`);
  told();
}

export function clear(place) {
  drop(`draft:${place}`);
  told();
}

export const list = () => all("draft:").map(([name, draft]) => ({ place: name.slice("draft:".length), ...draft }));

// What left the box and is not confirmed yet: kept beside the drafts under the attempt's key.
export const hold = (key, sent) => set(`sent:${key}`, { ...sent, at: Date.now() });
export const held = () => all("sent:").map(([name, sent]) => ({ key: name.slice("sent:".length), ...sent }));
export const release = (key) => drop(`sent:${key}`);

// What waits for the connection: the very form fields, sent again under the same key.
export const queue = (key, post) => set(`queue:${key}`, { ...post, at: Date.now() });
export const queued = () =>
  all("queue:")
    .map(([name, post]) => ({ key: name.slice("queue:".length), ...post }))
    .sort((a, b) => a.at - b.at);
export const unqueue = (key) => drop(`queue:${key}`);

watch("draft:", (name, draft) => {
  document.dispatchEvent(new CustomEvent("room:draft", { detail: { place: name.slice("draft:".length), draft } }));
  told();
});
watch("queue:", () => document.dispatchEvent(new CustomEvent("room:queue")));
