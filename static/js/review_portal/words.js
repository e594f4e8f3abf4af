// Every sentence comes from the server, in the reader's language.
const source = document.getElementById("words")?.dataset ?? {};

export const fill = (words, values = {}) => words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
export const say = (name, values) => fill(source[name] ?? "", values);
export const count = (one, many, n) => (n === 1 ? one : fill(many, { n }));
export const table = (name) => JSON.parse(source[name] ?? "[]");
