import assert from "node:assert/strict";
import { test } from "node:test";

import { load, settled, skip } from "./dashboard.mjs";
import { openInbox, threadOf } from "./inbox.mjs";

async function openRows(options) {
  const page = openInbox(options);
  Object.assign(page, await load("inbox/rows.js"));
  await settled();
  return page;
}

test("a row that is clicked opens beside the list", { skip }, async () => {
  const page = await openRows();
  const isTaken = page.click(page.one("#row-c b"));
  await settled();
  assert.deepEqual([isTaken, page.opened(), page.marked(), page.address()], [true, ["c"], ["c"], "c"]);
  const [[, , options]] = page.htmx.asked;
  assert.deepEqual([options.source.id, options.target, options.swap], ["inbox-opener", "#thread", "outerHTML"]);
  assert.ok(page.hasFocus(page.link("c")) && page.inbox.classList.contains("inbox--open"));
  page.click(page.link("d"));
  assert.deepEqual(page.marked(), ["d"]);
});

test("a click with a modifier, and one where only one column fits, follow the link", { skip }, async () => {
  const page = await openRows();
  for (const modifier of ["ctrlKey", "metaKey", "shiftKey"])
    assert.equal(page.click(page.link("c"), { [modifier]: true }), false, modifier);
  const narrow = await openRows({ wide: false });
  assert.equal(narrow.click(narrow.link("c")), false);
  await narrow.open(narrow.row("c"));
  assert.deepEqual(narrow.visited, ["https://reelroom.example/dashboard/review-links/inbox/c/"]);
  assert.deepEqual([page.htmx.asked, narrow.htmx.asked, narrow.marked()], [[], [], []]);
});

test("where nothing is open the first row opens, and the focus stays", { skip }, async () => {
  const page = await openRows({ open: "" });
  assert.deepEqual([page.opened(), page.marked(), page.hasFocus("body")], [["a"], ["a"], true]);
  const narrow = await openRows({ open: "", wide: false });
  const open = await openRows();
  assert.deepEqual([narrow.htmx.asked, narrow.visited, open.htmx.asked], [[], [], []]);
});

test("a step goes from the row in focus, else from the open one, and not beyond the ends", { skip }, async () => {
  const page = await openRows();
  page.step(1);
  page.step(1);
  page.step(-1);
  page.link("d").focus();
  page.step(-1);
  await settled();
  assert.deepEqual([page.opened(), page.followed], [["b", "c", "b", "c"], []]);
  page.link("d").focus();
  page.step(1);
  page.link("a").focus();
  page.step(-1);
  await settled();
  assert.deepEqual([page.opened().length, page.followed], [4, ["?page=3", "?page=1"]]);
});

test(
  "in one column a step moves the focus in the list, and goes to the next item from an open one",
  { skip },
  async () => {
    const page = await openRows({ open: "", wide: false });
    page.step(1);
    assert.ok(page.hasFocus(page.link("a")));
    page.step(1);
    assert.ok(page.hasFocus(page.link("b")));
    const alone = await openRows({ wide: false });
    alone.step(1);
    alone.step(-1);
    assert.deepEqual(
      alone.followed.map((address) => address.split("/").at(-2)),
      ["next", "previous"],
    );
  },
);

test("an action is sent with its rows, the key of the form and the open item", { skip }, async () => {
  const page = await openRows();
  await page.act("read", [page.row("a"), page.row("c")]);
  const [[, address, { source, swap, values }]] = page.htmx.asked;
  assert.match(address, /inbox\/act\/$/);
  assert.deepEqual([source.id, swap], ["row-a", "none"]);
  assert.deepEqual(values, { act: "read", pick: ["a", "c"], key: "key-of-rows", open: "a" });
  await page.act("read", []);
  assert.equal(page.htmx.asked.length, 1);
});

test("while another row is about to open, no thread changes along", { skip }, async () => {
  const page = await openRows();
  assert.equal(page.settledItem(), "a");
  page.open(page.row("c"));
  assert.equal(page.settledItem(), "");
  page.bring("c");
  assert.equal(page.settledItem(), "c");
});

test("the buttons beside the list act on the open row", { skip }, async () => {
  const page = await openRows();
  assert.ok(page.click('[data-do="unread"] b'));
  await settled();
  assert.deepEqual(page.acts(), [["unread", "a"]]);
  assert.ok(page.click('[data-do="resolve"]'));
  await settled();
  assert.deepEqual(
    [page.acts(), page.opened()],
    [
      [
        ["unread", "a"],
        ["resolve", "a"],
      ],
      ["c"],
    ],
  );
  assert.equal(page.click("#text"), false);
  const narrow = await openRows({ wide: false });
  const other = await openRows({ open: "elsewhere" });
  for (const one of [narrow, other]) assert.equal(one.click('[data-do="resolve"]'), false);
});

test("a resolved row leads to the next that waits, also from the beginning", { skip }, async () => {
  const page = await openRows({ open: "c" });
  const done = page.resolve(page.row("c"));
  assert.equal(page.row("c").dataset.state, "resolving");
  await done;
  assert.deepEqual([page.acts(), page.opened(), page.visited], [[["resolve", "c"]], ["a"], []]);
  assert.equal(page.htmx.asked.find(([verb]) => verb === "POST")[2].values.open, "", "its thread goes");
  assert.equal(page.row("c").dataset.state, "unanswered", "it was not resolved: it waits again");
});

test("a row that is not open is resolved where it stands, and the focus goes on", { skip }, async () => {
  const page = await openRows({ open: "b" });
  await page.resolve(page.row("a"));
  assert.deepEqual([page.acts(), page.opened(), page.hasFocus(page.link("c"))], [[["resolve", "a"]], [], true]);
  assert.equal(page.htmx.asked[0][2].values.open, "b");
});

test("what is resolved already, or no comment, is passed over", { skip }, async () => {
  const page = await openRows({ open: "b" });
  await page.resolve(page.row("b"));
  await page.resolve(page.row("d"));
  assert.deepEqual([page.acts(), page.opened(), page.row("d").dataset.state], [[], ["c"], "answered"]);
});

test("a row that the answer changed keeps its new state", { skip }, async () => {
  const page = await openRows({ open: "c" });
  const done = page.resolve(page.row("c"));
  page.row("c").dataset.state = "resolved";
  await done;
  assert.equal(page.row("c").dataset.state, "resolved");
});

test("when nothing on the page waits, the list begins anew, where it has pages", { skip }, async () => {
  for (const [pages, visited] of [
    [true, ["/dashboard/review-links/inbox/?show=open"]],
    [false, []],
  ]) {
    const page = await openRows();
    if (!pages) page.one(".inbox__pages").remove();
    page.row("c").dataset.state = "answered";
    await page.resolve(page.row("a"));
    assert.deepEqual([page.visited, page.opened(), page.htmx.asked[0][2].values.open], [visited, [], "a"]);
  }
});

test("the list follows the row that an answer opens", { skip }, async () => {
  const page = await openRows();
  page.bring("c");
  assert.deepEqual([page.marked(), page.address(), page.hasFocus(page.link("c"))], [["c"], "c", true]);
  page.row("c").removeAttribute("aria-current");
  page.fire("#row-c", "htmx:afterSwap", { detail: {} });
  assert.deepEqual(page.marked(), ["c"], "rows come without the mark");
  assert.deepEqual(page.visited, []);
});

test("the focus leaves the open row's thread for its row, and nothing else", { skip }, async () => {
  const page = await openRows();
  page.one("#field").focus();
  page.bring("a");
  assert.ok(page.hasFocus(page.one("#field")));
  page.one("#thread button").focus();
  page.fire("#thread", "htmx:afterSwap", { detail: {} });
  assert.ok(page.hasFocus(page.link("a")));
});

test("a row that is not in the list is shown as a page, and an empty thread as the list", { skip }, async () => {
  const page = await openRows();
  page.bring("elsewhere");
  assert.deepEqual(
    page.visited.map((address) => address.split("/").at(-2)),
    ["elsewhere"],
  );
  page.bring("", '<section id="thread"></section>');
  assert.deepEqual([page.visited.length, page.address()], [1, "inbox?show=open"]);
});

test("in one column an answer is brought into view, and the focus stays", { skip }, async () => {
  const page = await openRows({ wide: false });
  const seen = [];
  page.window.Element.prototype.scrollIntoView = function scrollIntoView() {
    seen.push(this.id);
  };
  page.bring("c", threadOf("c"));
  assert.deepEqual([seen, page.hasFocus("body"), page.marked()], [["thread"], true, ["c"]]);
  page.bring("elsewhere");
  assert.deepEqual(page.visited, []);
  const wide = await openRows();
  wide.window.Element.prototype.scrollIntoView = page.window.Element.prototype.scrollIntoView;
  wide.bring("c");
  assert.deepEqual(seen, ["thread", "thread", "row-c"]);
});
