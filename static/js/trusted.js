// @ts-check
// Trusted Types, where browsers have them: text becomes elements only if nothing in it would run, and a script's
// address only if it is ours. htmx hands text over without asking, so the policy is the default one; whatever it
// refuses throws.
const DATA = "application/json"; // every other type may be one that runs
const ADDRESSES = ["action", "data", "formaction", "href", "src", "xlink:href"];

/** @param {string} address */
const isOurs = (address) => new URL(address, document.baseURI).origin === location.origin;
/**
 * Browsers leave control characters and spaces out of an address's scheme.
 * @param {string} value
 */
const isScheme = (value) =>
  value
    .replace(/[\u0000-\u0020]/g, "")
    .toLowerCase()
    .startsWith("javascript:");

/** @param {ParentNode} root */
function isHarmless(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.localName === "template" && !isHarmless(/** @type {any} */ (element).content)) return false;
    if (element.localName === "script" && !mayStand(/** @type {any} */ (element))) return false;
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || (ADDRESSES.includes(name) && isScheme(value))) return false;
    }
  }
  return true;
}

/** @param {HTMLScriptElement} script */
function mayStand(script) {
  const address = script.getAttribute("src");
  return address === null ? script.type === DATA : isOurs(address);
}

if (window.trustedTypes) {
  const parsing = trustedTypes.createPolicy("parsing", { createHTML: (text) => text }); // for what is only looked at
  trustedTypes.createPolicy("default", {
    createHTML: (text) =>
      isHarmless(new DOMParser().parseFromString(parsing.createHTML(text), "text/html")) ? text : null,
    createScriptURL: (address) => (isOurs(address) ? address : null),
    createScript: (text) => (text === "" ? text : null), // htmx copies the empty text of a script that has an address
  });
}
