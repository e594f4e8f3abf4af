import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

const PAGE = `<button commandfor="ask" command="show-modal"><b></b></button><button id="close" commandfor="ask" command="close"></button>
  <dialog id="ask"></dialog><dialog id="printed" open data-modal></dialog><dialog id="plain" open></dialog>`;

for (const isKnown of [true, false])
  test(
    `a button opens its dialog ${isKnown ? "by the browser alone" : "where the browser cannot"}`,
    { skip },
    async () => {
      const page = openDashboard(PAGE);
      if (isKnown) page.window.HTMLButtonElement.prototype.command = "";
      const shown = [];
      page.window.HTMLDialogElement.prototype.showModal = function showModal() {
        assert.equal(this.open, false, "one that is open cannot be opened");
        shown.push(this.id);
      };
      await load("commands.js");
      assert.deepEqual(shown, ["printed"], "what the server printed open becomes modal");
      page.click("#close");
      page.click("#ask");
      page.click("b");
      assert.deepEqual(shown, isKnown ? ["printed"] : ["printed", "ask"]);
    },
  );
