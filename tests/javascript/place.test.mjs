import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = '<i data-at="20%" data-to="40%" data-other="1"></i><i data-x="3px" data-y="4px"></i><i data-y="4px"></i>';

for (const isTyped of [true, false])
  test(
    `places are ${isTyped ? "left to a browser that reads them" : "copied where a browser does not read them"}`,
    { skip },
    async () => {
      const page = openDashboard(`${PAGE}<p></p>`, { CSS: { supports: () => isTyped } });
      await load("place.js");
      page.one("p").innerHTML = '<b data-at="5%"></b>';
      page.fire("p", "htmx:afterSwap", { detail: {} });
      const styles = page.all("i, b").map((element) => element.style.cssText);
      assert.deepEqual(
        styles,
        isTyped ? ["", "", "", ""] : ["--at: 20%; --to: 40%;", "--x: 3px; --y: 4px;", "", "--at: 5%;"],
      );
    },
  );
