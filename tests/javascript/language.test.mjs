import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

for (const onLine of [true, false])
  test(
    `a language that is chosen ${onLine ? "is sent at once" : "without a connection is taken back"}`,
    { skip },
    async () => {
      const page = openDashboard(
        `<form data-language><select name="language"><option>en</option><option>es</option></select></form><select id="other"></select>`,
        { navigator: { onLine } },
      );
      await load("language.js");
      const select = page.one("select");
      select.value = "es";
      page.fire("#other", "change");
      page.fire(select, "change");
      assert.deepEqual([select.value, page.submitted.length], onLine ? ["es", 1] : ["en", 0]);
    },
  );
