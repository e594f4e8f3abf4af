import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

async function openPolicies() {
  const page = openDashboard("<p></p>");
  const policies = {};
  globalThis.DOMParser = page.window.DOMParser;
  globalThis.trustedTypes = { createPolicy: (name, rules) => (policies[name] = rules) };
  page.window.trustedTypes = globalThis.trustedTypes;
  await load("trusted.js");
  return policies;
}

for (const [what, text] of [
  ["plain words", "Hello"],
  ["elements", '<p class="one">Hello <b>you</b></p>'],
  ["an address", '<a href="https://other.example/">Out</a><img src="/logo.png">'],
  ["words that only name a script", '<p title="javascript:x">x</p>'],
  ["data", '<script type="application/json">{}</script>'],
  ["a script of ours", '<script src="/static/js/app.js"></script>'],
  ["a template without a script", "<template><b>x</b></template>"],
])
  test(`${what} may become elements`, { skip }, async () => {
    const policies = await openPolicies();
    assert.equal(policies.default.createHTML(text), text);
  });

for (const [what, text] of [
  ["a script", "<script>run()</script>"],
  ["a module", '<script type="module">run()</script>'],
  ["a script of others", '<script src="https://other.example/a.js"></script>'],
  ["a script in a template", "<template><p><script>run()</script></p></template>"],
  ["a script in a template of a template", "<template><template><script>run()</script></template></template>"],
  ["a handler", '<img src="/x" onerror="run()">'],
  ["a page in a frame", '<iframe srcdoc="x"></iframe>'],
  ...["href", "src", "action", "formaction", "data", "xlink:href"].map((name) => [
    `a script in ${name}`,
    `<p>Hello</p><a ${name}="javascript:run()"></a>`,
  ]),
  ["a script with a capital letter", '<a href="JavaScript:run()"></a>'],
  ["a script with signs that browsers leave out", '<a href=" java\tscr\nipt:run()"></a>'],
])
  test(`${what} becomes no element`, { skip }, async () => {
    const policies = await openPolicies();
    assert.equal(policies.default.createHTML(text), null);
  });

test("only scripts of ours are loaded, and no text is run", { skip }, async () => {
  const { default: policy, parsing } = await openPolicies();
  for (const address of ["/static/js/app.js", "https://reelroom.example/a.js", "a.js"])
    assert.equal(policy.createScriptURL(address), address);
  for (const address of ["https://other.example/a.js", "//other.example/a.js", "data:text/javascript,run()"])
    assert.equal(policy.createScriptURL(address), null);
  assert.deepEqual([policy.createScript(""), policy.createScript("run()")], ["", null]);
  assert.equal(parsing.createHTML("<script>"), "<script>");
});

test("a browser without such policies is left as it is", { skip }, async () => {
  openDashboard("<p></p>");
  delete globalThis.trustedTypes;
  await load("trusted.js");
});
