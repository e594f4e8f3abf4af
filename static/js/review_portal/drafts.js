// @ts-check
// Texts that were not sent: one per place ("main", "reply-<id>", "edit-<id>"), with its time and its key, so that two
// tabs, a reload and a retry all speak of the same attempt. A draft goes only after a success was confirmed.
import { all, drop, get, set, watch } from "./store.js";

const listeners = new Set();
const notify = () => {
  for (const listener of listeners) listener(list());
};

/** @param {string} place */
export const read = (place) => get(`draft:${place}`);
/** @param {(drafts: Draft[]) => void} listener */
export const onChange = (listener) => {
  listeners.add(listener);
};

/**
 * @param {string} place
 * @param {NewDraft} draft
 */
export function write(place, draft) {
  if (draft.text.trim() || draft.drawing) set(`draft:${place}`, { ...draft, at: Date.now() });
  else drop(`draft:${place}`);
  notify();
}

/** @param {string} place */
export function clear(place) {
  drop(`draft:${place}`);
  notify();
}

/**
 * What is stored under names with this beginning; the rest of the name becomes a property.
 * @param {string} prefix
 * @param {string} property
 */
const listStored = (prefix, property) =>
  all(prefix).map(([name, value]) => ({ [property]: name.slice(prefix.length), ...value }));

/** @returns {Draft[]} */
export const list = () => listStored("draft:", "place");

/**
 * What left the box and is not confirmed yet: kept beside the drafts under the attempt's key.
 * @param {string} key
 * @param {Omit<Sent, "key" | "at">} sent
 */
export const hold = (key, sent) => set(`sent:${key}`, { ...sent, at: Date.now() });
/** @returns {Sent[]} */
export const listSent = () => listStored("sent:", "key");
/** @param {string} key */
export const release = (key) => drop(`sent:${key}`);

/**
 * What waits for the connection: the very form fields, sent again under the same key.
 * @param {string} key
 * @param {Omit<Queued, "key" | "at">} post
 */
export const queue = (key, post) => set(`queue:${key}`, { ...post, at: Date.now() });
/** @returns {Queued[]} */
export const queued = () => listStored("queue:", "key").sort((a, b) => a.at - b.at);
/** @param {string} key */
export const unqueue = (key) => drop(`queue:${key}`);

watch("draft:", (name, draft) => {
  document.dispatchEvent(new CustomEvent("room:draft", { detail: { place: name.slice("draft:".length), draft } }));
  notify();
});
watch("queue:", () => document.dispatchEvent(new CustomEvent("room:queue")));
