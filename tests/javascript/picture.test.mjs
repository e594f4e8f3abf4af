import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openDashboard, settled, skip } from "./dashboard.mjs";

async function openChart(t, { fails = false, blob = {} } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = openDashboard(
    `<a href="/chart.svg" data-picture="chart.png" data-failed="No picture"><b></b></a><a id="plain" href="/x/"></a><div id="toasts"></div>`,
  );
  const drawn = [];
  globalThis.Image = class {
    naturalWidth = 300;
    naturalHeight = 200;
    async decode() {
      if (fails) throw new Error("no drawing");
    }
  };
  Object.assign(page.window.HTMLCanvasElement.prototype, {
    getContext: (kind) => ({ drawImage: ({ src }, ...box) => drawn.push(kind, src, ...box) }),
    toBlob(done, type) {
      drawn.push(this.width, this.height, type);
      done(blob);
    },
  });
  const revoked = [];
  t.mock.method(URL, "createObjectURL", () => "blob:picture");
  t.mock.method(URL, "revokeObjectURL", (address) => revoked.push(address));
  const saved = [];
  page.window.HTMLAnchorElement.prototype.click = function click() {
    saved.push([this.href, this.download]);
  };
  await load("picture.js");
  return Object.assign(page, {
    drawn,
    saved,
    revoked,
    said: () => page.all("#toasts .toast").map((toast) => toast.textContent),
  });
}

test("a chart is saved as a picture of twice its size", { skip }, async (t) => {
  const page = await openChart(t);
  assert.ok(page.click("b"));
  await settled();
  assert.deepEqual(page.drawn, ["2d", "https://reelroom.example/chart.svg", 0, 0, 600, 400, 600, 400, "image/png"]);
  assert.deepEqual([page.saved, page.said()], [[["blob:picture", "chart.png"]], []]);
  t.mock.timers.tick(9999);
  assert.deepEqual(page.revoked, []);
  t.mock.timers.tick(1);
  assert.deepEqual(page.revoked, ["blob:picture"]);
});

for (const [what, options] of [
  ["a drawing that does not come", { fails: true }],
  ["a picture that is too large", { blob: null }],
])
  test(`${what} is said`, { skip }, async (t) => {
    const page = await openChart(t, options);
    page.click("b");
    await settled();
    assert.deepEqual([page.saved, page.said()], [[], ["No picture"]]);
  });

test("other links are followed", { skip }, async (t) => {
  const page = await openChart(t);
  page.click("#plain");
  assert.deepEqual([page.followed, page.drawn], [["/x/"], []]);
});
