import assert from "node:assert/strict";
import { test } from "node:test";

import { load, openPage, skip } from "./page.mjs";

const PAGE = `
  <div id="live" data-v="7"></div>
  <form><input type="hidden" name="csrfmiddlewaretoken" value="token"></form>`;

async function sendFrom(url, values) {
  openPage(PAGE, { url });
  const bodies = [];
  globalThis.fetch = async (address, { body }) => {
    bodies.push(Object.fromEntries(body));
    return new Response('<div id="live"></div>');
  };
  const { send } = await load("review_portal/sending.js");
  await send("/film/comments/1", values);
  return bodies[0];
}

test("what the list was asked for goes along, so that the answer shows the same list", { skip }, async () => {
  const sent = await sendFrom("https://reelroom.example/film?show=open&q=logo&by=Ana", { text: "Lower it." });
  assert.deepEqual(sent, {
    text: "Lower it.",
    v: "7",
    show: "open",
    by: "Ana",
    q: "logo",
    csrfmiddlewaretoken: "token",
  });
});

test("an address that was made up adds nothing that a form did not say", { skip }, async () => {
  const url = "https://reelroom.example/film?withdraw=1&repeat=1&drawing=&status=resolved&text=Other&show=all";
  const sent = await sendFrom(url, { text: "Lower it." });
  assert.deepEqual(sent, { text: "Lower it.", v: "7", show: "all", csrfmiddlewaretoken: "token" });
});

const FIELDS = `<input id="words"><textarea id="text"></textarea><select id="list"></select><input type="radio" id="one">
  <input type="checkbox" id="tick"><div id="written" contenteditable tabindex="0"></div><button id="press"></button>
  <div id="home"><button id="inside"></button><input id="field"></div>`;

/** Opens a page whose server says `answer`: a text, an object, or an error that is thrown. */
async function openSending(answer = '<div id="live"></div>', { body = PAGE + FIELDS } = {}) {
  const { document } = openPage(body);
  const requests = [];
  globalThis.fetch = async (address, options) => {
    requests.push([address, options]);
    if (answer instanceof Error) throw answer;
    const { status = 200, html = answer, headers = {} } = answer;
    return new Response(status === 204 ? null : html, { status, headers });
  };
  return { document, requests, by: (id) => document.getElementById(id), ...(await load("review_portal/sending.js")) };
}

test(
  "a form is posted with this site's session as a part of a page, and outlives the page if asked to",
  { skip },
  async () => {
    const { send, requests } = await openSending();
    await send("/film/sent/1", { do: "send" });
    await send("/film/sent/2", { do: "send" }, { keepalive: true });
    for (const [place, [address, { method, headers, credentials, keepalive }]] of requests.entries())
      assert.deepEqual(
        [address, method, headers, credentials, keepalive],
        [`/film/sent/${place + 1}`, "POST", { "Reelroom-Part": "1" }, "same-origin", place === 1],
      );
  },
);

test("what a form says of the list goes before what the address says", { skip }, async () => {
  const sent = await sendFrom("https://reelroom.example/film?show=open&sort=newest&since=3", { show: "mine" });
  assert.deepEqual(sent, { show: "mine", v: "7", sort: "newest", since: "3", csrfmiddlewaretoken: "token" });
});

test("without a connection nothing is sent, and a form is not said to be in trouble", { skip }, async () => {
  const { send, requests, OFFLINE, TROUBLE } = await openSending();
  globalThis.navigator.onLine = false;
  assert.deepEqual([await send("/film", {}), requests], [{ status: OFFLINE }, []]);
  assert.notEqual(OFFLINE, TROUBLE);
  assert.ok(OFFLINE && TROUBLE);
});

test("an answer that does not arrive, or breaks off, is no connection", { skip }, async () => {
  const { ask, OFFLINE } = await openSending(new TypeError("refused"));
  assert.deepEqual(await ask("/film"), { status: OFFLINE });
  globalThis.fetch = async () => ({ status: 200, text: () => Promise.reject(new TypeError("broke off")) });
  assert.deepEqual(await ask("/film"), { status: OFFLINE });
});

for (const id of ["live", "problems", "outbox", "rest", "transcript", "people"])
  test(`an answer with #${id} is used, with what its headers say`, { skip }, async () => {
    const headers = { "Reelroom-Submission": "s1", "Reelroom-State": "sent", "Reelroom-Here": "[1]" };
    const { ask } = await openSending({ status: 422, html: `<p id="${id}">Yes</p>`, headers });
    const { part, ...rest } = await ask("/film");
    assert.deepEqual(rest, { status: 422, key: "s1", state: "sent", here: "[1]" });
    assert.equal(part.textContent, "Yes");
  });

test(
  "an answer that is another page is trouble, with its code and whether the review is closed",
  { skip },
  async () => {
    for (const [answer, code, closed] of [
      [{ status: 502, html: "<h1>Bad gateway</h1>" }, 502, false],
      [{ status: 200, html: "<h1>Sign in to this network</h1>" }, 200, false],
      [{ status: 410, html: "<main data-closed='film'></main>" }, 410, true],
    ]) {
      const { ask, TROUBLE } = await openSending(answer);
      assert.deepEqual(await ask("/film"), { status: TROUBLE, code, closed });
    }
  },
);

test("an answer that says that nothing changed has no part and is no trouble", { skip }, async () => {
  const { ask } = await openSending({ status: 204 });
  const { status, part, key } = await ask("/film");
  assert.deepEqual([status, part.innerHTML, key], [204, "", null]);
});

test("a page without a list has no version", { skip }, async () => {
  assert.equal((await openSending()).version(), "7");
  assert.equal((await openSending("", { body: FIELDS })).version(), "");
  assert.equal((await openSending("", { body: '<div id="live"></div>' })).version(), "");
});

test("a form's fields leave out the page's own token and have the button that was pressed", { skip }, async () => {
  const { document, fields } = await openSending("", {
    body: '<form><input name="csrfmiddlewaretoken" value="t"><input name="text" value="Hi"><button name="do" value="x">',
  });
  const form = document.querySelector("form");
  assert.deepEqual(fields(form), { text: "Hi" });
  assert.deepEqual(fields(form, form.querySelector("button")), { text: "Hi", do: "x" });
});

for (const [what, from, to, isGone, may] of [
  ["is where it was", "words", "words", false, true],
  ["is nowhere", "words", null, false, true],
  ["went into the box that was sent", "words", "field", false, true],
  ["went elsewhere, and what had it is there", "inside", "press", false, false],
  ["went elsewhere because what had it is gone", "inside", "press", true, true],
  ["went elsewhere, and somebody writes there", "inside", "text", true, false],
  ["went elsewhere, and somebody chooses there", "inside", "list", true, false],
  ["went elsewhere, to a text of its own", "inside", "written", true, false],
  ["went elsewhere, to a switch", "inside", "tick", true, true],
  ["went elsewhere, to a choice", "inside", "one", true, true],
])
  test(`the focus ${what}: it may ${may ? "" : "not "}be moved`, { skip }, async () => {
    const { document, by, placeOfFocus } = await openSending();
    by(from).focus();
    const stays = placeOfFocus(by("home"));
    if (to) by(to).focus();
    else document.activeElement.blur();
    if (isGone) by(from).remove();
    assert.equal(stays(), may);
  });

test("without a box of its own the focus may be moved from where it was alone", { skip }, async () => {
  const { by, placeOfFocus } = await openSending();
  by("inside").focus();
  const stays = placeOfFocus();
  assert.equal(stays(), true);
  by("field").focus();
  assert.equal(stays(), false);
});

test("who writes in another field than that of the box writes elsewhere", { skip }, async () => {
  const { by, isWritingElsewhere } = await openSending();
  for (const [id, elsewhere] of [
    ["text", true],
    ["press", false],
    ["field", false],
  ]) {
    by(id).focus();
    assert.equal(isWritingElsewhere(by("home")), elsewhere, id);
  }
});

test(
  "what was typed after the words were sent is what follows them, or all if they were changed",
  { skip },
  async () => {
    const { document, typedSince } = await openSending("", { body: '<form><textarea name="text"></textarea></form>' });
    const form = document.querySelector("form");
    for (const [sent, now, more] of [
      ["One", "One", ""],
      ["One", "One  two", "two"],
      ["One", "Two", "Two"],
      ["One\r\ntwo\r\n", "One\ntwo\nthree", "three"],
    ]) {
      form.elements.text.value = now;
      assert.equal(typedSince(form, { text: sent }), more, now);
    }
  },
);
