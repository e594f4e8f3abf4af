import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openDashboard, skip } from "./dashboard.mjs";

async function openVoice(body = `<p data-announce></p><div id="toasts"><p>old</p></div>`) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(body);
  const script = await load("review_portal/announce.js");
  return Object.assign(page, script, {
    after(milliseconds) {
      mock.timers.tick(milliseconds);
      return page.one("[data-announce]").textContent;
    },
  });
}

test("what is said is put in anew, so that it is read again, and taken away later", { skip }, async () => {
  const page = await openVoice();
  page.announce("Muted");
  assert.deepEqual([page.after(59), page.after(1)], ["", "Muted"]);
  page.announce("Muted");
  assert.deepEqual([page.after(0), page.after(60)], ["", "Muted"], "the same twice is two sayings");
  assert.deepEqual([page.after(5939), page.after(1)], ["Muted", ""], "six seconds after the last one");
  page.announce("Muted");
  page.after(60);
  page.announce("");
  assert.equal(page.after(100), "Muted", "nothing is not said");
});

test("a toast takes the place of the one before, and is text", { skip }, async () => {
  const page = await openVoice();
  page.toast("Link <b>copied</b>");
  assert.equal(page.one("#toasts").innerHTML, `<div class="toast"><span>Link &lt;b&gt;copied&lt;/b&gt;</span></div>`);
  page.toast("");
  assert.equal(page.one(".toast").textContent, "Link <b>copied</b>");
});

test("a toast can be acted on once", { skip }, async () => {
  const page = await openVoice();
  let acts = 0;
  page.toast("Withdrawn", "Undo", () => (acts += 1));
  const button = page.one(".toast button");
  assert.deepEqual([button.type, button.className, button.textContent], ["button", "toast__action", "Undo"]);
  button.click();
  assert.deepEqual([acts, page.one(".toast")], [1, null]);
});

test("a page that has no place for it says nothing", { skip }, async () => {
  const page = await openVoice("<p></p>");
  page.announce("Muted");
  page.toast("Muted");
  assert.equal(page.one("p").textContent, "");
});
