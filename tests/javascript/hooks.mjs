// Scripts of static/js are modules without a package that says so, and each page of a test loads them anew: the query
// of the first one goes along to what it imports.
const OURS = "/static/js/";

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const page = context.parentURL?.includes(OURS) ? new URL(context.parentURL).search : "";
  return page && !resolved.url.includes("?") ? { ...resolved, url: resolved.url + page } : resolved;
}

export function load(url, context, next) {
  return next(url, url.includes(OURS) ? { ...context, format: "module" } : context);
}
