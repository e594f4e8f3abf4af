// The inbox with four rows, of which one may be open, for the tests of its scripts.
import { fakeHtmx, openDashboard } from "./dashboard.mjs";

const HERE = "/dashboard/review-links/inbox/";
const rowOf = ([id, state, more = ""]) => `
  <li class="inbox-row ${more}" id="row-${id}" data-row="${id}" data-state="${state}" ${more.includes("dec") ? "" : "data-comment"}>
    <input type="checkbox" name="pick" value="${id}"><a class="inbox-row__link" href="${HERE}${id}/"><b>${id}</b></a>
  </li>`;
export const ROWS = [
  ["a", "unanswered", "inbox-row--unread"],
  ["b", "resolved"],
  ["c", "unanswered"],
  ["d", "answered", "decision"],
];
export const threadOf = (id, more = "") =>
  `<section id="thread" data-item="${id}" data-address="${HERE}${id}/">
    <button data-do="resolve"></button><button data-do="unread"><b></b></button>
    <a data-step="1" href="${HERE}next/"></a><a data-step="-1" href="${HERE}previous/"></a>${more}
  </section>`;
export const answerOf = (text = "", key = "key-1") => `
  <form id="answer"><input name="key" value="${key}"><textarea id="answer-text">${text}</textarea>
    <button type="button" data-then="resolve"></button><button type="button" data-then=""></button>
    <details open><summary></summary><button type="button" data-insert="Thank you."><b></b></button></details>
  </form>`;
const pageOf = (thread, open, more) => `
  <input type="checkbox" data-single-keys checked><input id="field"><p id="text"></p>
  <div class="inbox__bar"><a href="#"></a></div><div id="toasts"></div>${more}
  <div class="inbox ${open ? "inbox--open" : ""}" data-inbox="7" data-act="${HERE}act/" data-not-sent="Not sent">
    <form data-picks>
      <span id="picks-key"><input name="key" value="key-of-rows"></span><input name="open">
      <div data-bulk>
        <button type="reset" data-choose-nothing hidden></button><b data-one="1 selected" data-many="# selected"></b>
        ${["resolve", "reopen", "read"].map((act) => `<button type="submit" value="${act}" data-counts="${act}"></button>`).join("")}
      </div>
      <ol>${ROWS.map(rowOf).join("")}</ol>
      <div class="inbox__pages"><a rel="prev" href="?page=1"></a><a rel="next" href="?page=3"></a></div>
    </form>
    ${thread}
  </div>
  <span id="inbox-opener"></span>`;

export function openInbox({
  open = "a",
  wide = true,
  thread = threadOf(open, answerOf()),
  more = "",
  change,
  ...given
} = {}) {
  const page = openDashboard("", {
    url: `https://reelroom.example${HERE}?show=open&page=2`,
    matchMedia: () => ({ matches: wide }),
    ...given,
  });
  page.document.body.innerHTML = pageOf(thread, open, more);
  change?.(page);
  const htmx = fakeHtmx(page);
  return Object.assign(page, {
    htmx,
    row: (id) => page.one(`#row-${id}`),
    link: (id) => page.one(`#row-${id} a`),
    marked: () => page.all("[aria-current]").map((row) => row.dataset.row),
    /** What was asked of the server, and for which rows. */
    opened: () => htmx.asked.filter(([verb]) => verb === "GET").map(([, address]) => address.split("/").at(-2)),
    acts: () => htmx.asked.filter(([verb]) => verb === "POST").map(([, , { values }]) => [values.act, ...values.pick]),
    address: () => page.window.location.pathname.split("/").at(-2) + page.window.location.search,
    /** The server's answer brings another row beside the list. */
    bring(id, part = threadOf(id, answerOf())) {
      page.fire("#thread", "htmx:beforeSwap", { detail: {} });
      page.one("#thread").outerHTML = part;
      page.fire("#thread", "htmx:afterSwap", { detail: {} });
    },
  });
}
