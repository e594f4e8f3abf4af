// Scripts of static/js are modules without a package that says so, and each page of a test loads them anew: the query
// of the first one goes along to what it imports.
import { existsSync, readFileSync } from "node:fs";

const OURS = "/static/js/";
const { MUTATED } = process.env; // the folder of changed scripts, where mutate.mjs tries them

export async function resolve(specifier, context, next) {
  if (MUTATED && specifier === "node:test" && context.parentURL?.includes(".test.mjs"))
    return { url: new URL("./trial.mjs", import.meta.url).href, shortCircuit: true };
  const resolved = await next(specifier, context);
  const page = context.parentURL?.includes(OURS) ? new URL(context.parentURL).search : "";
  return page && !resolved.url.includes("?") ? { ...resolved, url: resolved.url + page } : resolved;
}

export function load(url, context, next) {
  const changed = MUTATED && url.includes(OURS) && `${MUTATED}/${new URL(url).pathname.split(OURS).at(-1)}`;
  if (changed && existsSync(changed)) return { format: "module", source: readFileSync(changed), shortCircuit: true };
  return next(url, url.includes(OURS) ? { ...context, format: "module" } : context);
}
