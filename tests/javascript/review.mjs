// The page of a review with its threads, its box and what it says, for the tests of its scripts; the server answers what
// a test has it answer.
import { openDashboard, settled } from "./dashboard.mjs";

export const idOf = (n) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;
const WORDS =
  "offline online trouble signedOut replied posted waits takeBack answer undo saved withdrawn withdrawal reopened " +
  "resolved resolvedHidden copied copyHere newOne newMany show range";
const wordsOf = (names) =>
  names.map((name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter}`)}="${name}."`).join(" ");
const NAME = `<details data-name data-nameless open><summary>As <b></b></summary><input name="user_name">
  <p data-error="user_name" hidden></p><button type="button" data-fix-name data-words="Use {name}"></button></details>`;
const ASSIST = `<div data-assist hidden><p data-words="{character}"></p>
  <button type="button" data-fix data-words="{repair}"></button></div>`;
const END = '<p data-error="" tabindex="-1" hidden></p><button type="submit">Send</button>';
const LEAVE = '<a href="/film" data-leave>Close</a>';
const CSRF = '<input type="hidden" name="csrfmiddlewaretoken" value="token">';

export const COMPOSER = `
  <form class="composer" action="/film/comments" data-composer data-draft="main">${CSRF}
    <input name="key" value="k0"><input name="frame"><input name="drawing" data-suffix="9"><input name="repeat" value="1">
    <input name="time" value="0:00"><p data-error="time" hidden></p><button type="button" data-fix-time data-words=""></button>
    <textarea name="text"></textarea>${ASSIST}${NAME}${END}
  </form>`;
export const TEMPLATES = `
  <template id="reply-form"><form class="reply-box" id="reply" action="/film/comments" data-composer>${CSRF}
    <input name="key"><input name="repeat" value="1"><input name="reply_to"><label><span data-to="Reply to {name}">Reply</span>
    <textarea name="text"></textarea></label>${ASSIST}${NAME}${END}${LEAVE}</form></template>
  <template id="edit-form"><form class="reply-box" id="edit" data-composer data-edit-form>${CSRF}
    <input name="key"><input name="opened_text"><textarea name="text"></textarea>
    <div data-attach data-timed><input name="drawing" data-suffix="9" disabled></div>
    <label data-timed><input name="time"></label><p data-error="time" hidden></p>
    <button type="button" data-fix-time data-words="" data-timed></button>${END}${LEAVE}</form></template>
  <template id="withdraw-form"><form class="reply-box" id="withdraw" data-withdraw-form>${CSRF}
    <input name="key"><input name="withdraw" value="1"><p>Sure?</p>${END}${LEAVE}</form></template>`;

const actsOf = (n) => `
  <div class="comment__actions"><a href="?reply=${idOf(n)}#reply" data-reply>Reply</a><a href="?edit=${idOf(n)}#edit" data-edit>Edit</a>
    <a href="?withdraw=${idOf(n)}#withdraw" data-withdraw>Withdraw</a><button type="button" data-loop>Loop</button>
    <a href="#c-${idOf(n)}" data-copy>Copy link</a>
    <button form="act" formaction="/film/comments/${idOf(n)}" name="status" value="resolved"> Resolve </button>
    <button form="act" formaction="/film/comments/${idOf(n)}" name="status" value="resolved-next">Next</button></div>`;
/** A thread, `t` seconds into the film; resolved ones are folded. */
export const threadOf = (
  n,
  { t = n * 10, text = `Text ${n}`, folded = false, more = "", replies = "", v = 1, body } = {},
) => {
  const attributes = `id="c-${idOf(n)}" data-t="${t}" data-born="${n}" data-v="${v}" ${more}`;
  const end = `<p class="comment__text">${text}</p>${actsOf(n)}<ol class="replies">${replies}</ol>`;
  return folded
    ? `<li><details class="thread is-resolved" ${attributes}><summary><h3>Ann${n}</h3></summary>${end}</details></li>`
    : `<li><article class="thread is-open" ${attributes}><header><a class="timecode" href="?t=${t}">${t}</a>
        <h3 class="comment__author">Ann${n} <b>(you)</b></h3></header>${body ?? ""}${end}</article></li>`;
};
export const replyOf = (n, { of = 1, text = `Reply ${n}`, own = true } = {}) => `
  <li id="c-${idOf(n).slice(0, 8)}" data-born="${n}"><header><h4>Bo${n} <b></b></h4></header><p>${text}</p>${
    own
      ? `<div class="comment__actions"><a href="?reply=${idOf(of)}" data-reply>Reply</a><a href="?edit=${idOf(n)}" data-edit>Edit</a></div>`
      : ""
  }</li>`;
export const liveOf = (v, { after = 0, more = 'data-poll="/film/poll"' } = {}) =>
  `<div id="live" data-v="${v}" data-after="${after}" ${more}></div>`;
export const problemOf = (sentence, field = "text") =>
  `<ul id="problems"><li data-field="${field}">${sentence}</li></ul>`;

const pageOf = ({ threads, composer, outbox, more, live }) => `
  <link rel="icon" href="/icon.svg" data-unseen="/unseen.svg"><main data-room="film"></main>
  <div data-player data-length="100"><p data-no-picture></p></div>
  <button data-range></button><button data-do="loop"></button><button data-do="clear"></button><i data-span></i>
  <div class="watch"><div class="watch__pinned"></div></div>
  <div class="talk"><h2 id="talk-title" tabindex="-1"></h2><div class="talk__list" data-scroller>${live}
    <ol id="threads">${threads}</ol></div><div class="talk__foot"></div></div>
  <div data-news hidden><button data-one="1 new" data-many="{n} new"></button></div>
  <p data-announce></p><div id="toasts"></div><div id="words" ${wordsOf(WORDS.split(" "))} data-repairs='[["->","→"]]'></div>
  <form id="act">${CSRF}</form><div id="composer">${composer}</div>${outbox}${TEMPLATES}<input id="elsewhere">${more}`;

/**
 * Opens the page. `answers`: what the server says, one after the other, at last always: a text, or { status, html,
 * headers }, or null for no connection; `stored` is what the browser kept of this review.
 */
export function openReview(
  t,
  {
    threads = threadOf(1) + threadOf(2),
    composer = COMPOSER,
    outbox = '<div id="outbox"></div>',
    live = liveOf(5),
    more = "",
    answers = [null],
    stored = {},
    settings = {},
    search = "",
    hash = "",
    change,
  } = {},
) {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  const page = openDashboard("", { url: `https://reelroom.example/film${search}${hash}` });
  page.document.body.innerHTML = pageOf({ threads, composer, outbox, more, live });
  change?.(page);
  Object.defineProperty(page.window.HTMLElement.prototype, "offsetParent", {
    get() {
      return this.closest("[hidden]") ? null : page.document.body;
    },
  });
  globalThis.location.hash = hash;
  for (const [name, value] of Object.entries(stored))
    localStorage.setItem(`review:film:${name}`, JSON.stringify(value));
  localStorage.setItem("review:settings", JSON.stringify(settings));
  const requests = [];
  globalThis.fetch = async (address, { body } = {}) => {
    requests.push([address, body && Object.fromEntries(body)]);
    const answer = await (answers.length > 1 ? answers.shift() : answers[0]);
    if (answer === null) throw new TypeError("no connection");
    const { status = 200, html = answer, headers = {} } = answer;
    return { status, ok: status < 300, text: async () => html, headers: new Headers(headers) };
  };
  const told = [];
  for (const name of [
    "room:close",
    "room:closed",
    "room:reply",
    "room:reopen",
    "room:reach",
    "room:here",
    "room:thread",
  ])
    page.document.addEventListener(name, ({ detail, target }) =>
      told.push([name, detail ?? target.dataset?.draft ?? null]),
    );
  return Object.assign(page, {
    requests,
    told,
    heard: (name) => told.filter(([one]) => one === name).map(([, detail]) => detail),
    /** What was sent with a form, of these names. */
    sent: (...names) =>
      requests.filter(([, body]) => body).map(([address, body]) => [address, ...names.map((name) => body[name])]),
    thread: (n) => page.one(`#c-${CSS.escape(idOf(n))}`),
    box: () => page.one("[data-draft=main]"),
    /** What stands in the toast, with its button, and what was said to screen readers last. */
    toast: () => page.one("#toasts").textContent,
    said() {
      t.mock.timers.tick(60);
      return page.one("[data-announce]").textContent;
    },
    keeps: (name) => JSON.parse(localStorage.getItem(`review:film:${name}`)),
    names: (prefix) =>
      Object.keys(localStorage)
        .filter((name) => name.startsWith(`review:film:${prefix}`))
        .map((name) => name.slice(`review:film:${prefix}`.length)),
    async submit(target, button = "[type=submit]") {
      const form = typeof target === "string" ? page.one(target) : target;
      const pressed = typeof button === "string" ? form.querySelector(button) : button;
      if (pressed) form.requestSubmit(pressed);
      else form.requestSubmit();
      await settled();
    },
    async pass(milliseconds) {
      t.mock.timers.tick(milliseconds);
      await settled();
    },
  });
}
