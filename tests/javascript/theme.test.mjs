import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

for (const [theme, isDark, next, stored] of [
  ["", false, "dark", "light"],
  ["", true, "light", "dark"],
  ["light", true, "dark", "light"],
  ["dark", false, "light", "dark"],
])
  test(`${theme || "no choice"} on a ${isDark ? "dark" : "light"} system becomes ${next}`, { skip }, async () => {
    const page = openDashboard(
      '<form data-theme-switch><input name="theme"><button></button></form><form id="other"></form>',
      {
        matchMedia: (query) => ({ matches: isDark && query === "(prefers-color-scheme: dark)" }),
      },
    );
    const root = page.document.documentElement;
    if (theme) root.dataset.theme = theme;
    await load("theme.js");
    page.fire("#other", "submit");
    assert.equal(root.dataset.theme, theme || undefined);
    page.fire("form", "submit");
    assert.deepEqual(
      page.submitted.map(([form]) => form.id),
      ["other"],
      "the page stays",
    );
    assert.deepEqual(
      [root.dataset.theme, page.one("input").value, page.document.cookie],
      [next, stored, `theme=${next}`],
    );
  });
