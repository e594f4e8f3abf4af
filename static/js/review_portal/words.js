// @ts-check
// Every sentence comes from the server, in the reader's language.
const source = document.getElementById("words")?.dataset ?? {};

/**
 * @param {string} words
 * @param {Values} [values]
 */
export const fill = (words, values = {}) => words.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
/**
 * @param {string} name
 * @param {Values} [values]
 */
export const say = (name, values) => fill(source[name] ?? "", values);
/**
 * @param {string} singular
 * @param {string} many
 * @param {number} n
 */
export const count = (singular, many, n) => (n === 1 ? singular : fill(many, { n }));
/** @param {string} name */
export const table = (name) => JSON.parse(source[name] ?? "[]");
