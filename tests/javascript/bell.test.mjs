import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

const bellOf = (count) => `<b id="bell-count" data-new="${count}"> ${count} new </b>`;
const PAGE = `<div class="bell">${bellOf(2)}</div><button data-notify data-on="On" data-denied="Refused" hidden><span>Ask</span></button>`;

async function openBell(
  t,
  { permission = "granted", kept = "on", answer = "granted", body = PAGE, knows = true } = {},
) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(body);
  page.document.head.innerHTML = '<meta name="htmx-script" content="/htmx.js">';
  page.document.title = "Inbox";
  page.window.localStorage.clear();
  if (kept) page.window.localStorage.setItem("notices", kept);
  const shown = [];
  class Notification extends EventTarget {
    static permission = permission;
    static async requestPermission() {
      Notification.permission = answer;
      return answer;
    }
    constructor(title, { body: words, tag }) {
      super();
      shown.push([title, words, tag]);
      page.notice = this;
    }
  }
  globalThis.Notification = Notification;
  if (knows) page.window.Notification = Notification;
  page.focused = 0;
  page.window.focus = () => (page.focused += 1);
  await load("bell.js");
  const button = page.one("[data-notify]");
  return Object.assign(page, {
    shown,
    counts(count) {
      page.one(".bell").innerHTML = bellOf(count);
      page.fire(".bell", "htmx:afterSwap", { detail: {} });
      return page.document.title;
    },
    button: () => [button.hidden, button.disabled, button.textContent],
  });
}

test("a hidden tab has the count in its title, until it is looked at", { skip }, async (t) => {
  const page = await openBell(t);
  assert.equal(page.counts(3), "Inbox");
  page.hide();
  assert.equal(page.counts(3), "Inbox", "nothing is new");
  assert.deepEqual(
    [page.counts(4), page.counts(1), page.counts(0), page.counts(5)],
    ["(4) Inbox", "(1) Inbox", "Inbox", "(5) Inbox"],
  );
  page.fire(page.document, "visibilitychange");
  assert.equal(page.document.title, "(5) Inbox");
  page.hide(false);
  page.fire(page.document, "visibilitychange");
  assert.equal(page.document.title, "Inbox");
});

test("a notice is shown when something new is counted in a hidden tab", { skip }, async (t) => {
  const page = await openBell(t);
  page.counts(3);
  page.hide();
  page.counts(1);
  assert.deepEqual(page.shown, [], "not where it is seen, nor when less is new");
  page.counts(2);
  assert.deepEqual(page.shown, [["Reelroom", "2 new", "notices"]]);
  page.notice.dispatchEvent(new Event("click"));
  assert.equal(page.focused, 1);
});

for (const [what, options] of [
  ["the browser does not allow it", { permission: "default" }],
  ["nobody asked for it here", { kept: null }],
  ["it was turned off", { kept: "off" }],
  ["the browser knows none", { knows: false }],
])
  test(`no notice is shown where ${what}`, { skip }, async (t) => {
    const page = await openBell(t, options);
    page.hide();
    page.counts(9);
    assert.deepEqual(page.shown, []);
  });

for (const [what, options, expected] of [
  ["knows no notices", { knows: false }, [true, false, "Ask"]],
  ["was not asked", { permission: "default", kept: null }, [false, false, "Ask"]],
  ["shows them", {}, [false, true, "On"]],
  ["refused them", { permission: "denied" }, [false, true, "Refused"]],
  ["allows them, and nobody asked", { kept: null }, [false, false, "Ask"]],
])
  test(`the button where the browser ${what}`, { skip }, async (t) => {
    assert.deepEqual((await openBell(t, options)).button(), expected);
  });

for (const [answer, expected, kept] of [
  ["granted", [false, true, "On"], "on"],
  ["denied", [false, true, "Refused"], null],
  ["default", [false, false, "Ask"], null],
])
  test(`an answer of ${answer} is remembered as it is`, { skip }, async (t) => {
    const page = await openBell(t, { permission: "default", kept: null, answer });
    page.click("[data-notify]");
    await settled();
    assert.deepEqual([page.button(), page.window.localStorage.getItem("notices")], [expected, kept]);
  });

test("a page without a bell counts nothing", { skip }, async (t) => {
  const page = await openBell(t, { body: "<p></p>" });
  page.hide();
  page.fire("p", "htmx:afterSwap", { detail: {} });
  assert.deepEqual([page.document.title, page.shown], ["Inbox", []]);
});

for (const [what, come] of [
  ["comes near", (page) => page.fire(".bell", "pointerenter")],
  ["reaches it", (page) => page.fire(".bell", "focusin")],
  ["stays for twenty seconds", (_page, t) => t.mock.timers.tick(1)],
])
  test(`what counts is loaded when somebody ${what}`, { skip }, async (t) => {
    const page = await openBell(t);
    t.mock.timers.tick(19_999);
    assert.equal(page.all("head script").length, 0);
    come(page, t);
    assert.equal(page.all("head script").length, 1);
  });
