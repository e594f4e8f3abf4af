// The words of a film beside it, for the tests of their scripts: rows of two seconds, and a room that notes what it is
// told.
import { load, openDashboard } from "./dashboard.mjs";

export const rowOf = (n, { from = n * 2, to = n * 2 + 2, words = `words ${n}`, quote = true } = {}) => `
  <li class="sentence" data-n="${n}" data-from="${from}" data-to="${to}"><a class="sentence__link" href="?t=${from}">
    <span class="sentence__time">0:0${n}</span> <span class="sentence__words"> ${words} </span></a>
    <span class="sentence__end">${
      quote
        ? `<a class="button" href="?quote=${n}" data-quote><svg><use href="/i.svg#i-quote"></use></svg><span>Quote ${n}</span></a>`
        : ""
    }</span></li>`;
export const rowsOf = (from, to) => Array.from({ length: to - from }, (_one, place) => rowOf(from + place)).join("");
export const partOf = (rows) => `<div id="transcript"><ol class="sentences">${rows}</ol></div>`;

const pageOf = ({ rows, total, threads, more }) => `
  <div class="watch__pinned"></div><div class="talk__foot"></div><ol id="threads">${threads}</ol><input id="elsewhere">
  <div id="transcript" data-total="${total}"><div data-words-list tabindex="0">
    <a data-more="earlier" href="/film?words=de&find=x&from=0">Earlier</a><ol class="sentences" data-remove="Remove {time}">${rows}</ol>
    <a data-more="later" href="/film?words=de&find=x&from=0">Later</a>
    <template data-badge data-one="1 at {time}" data-many="{n} at {time}"><a class="sentence__talk" href="#threads"><svg><use
      href="/s.svg#s-open"></use></svg><span></span><span></span></a></template>
    <div data-follow hidden><button></button></div></div></div>${more}`;

/** Opens the page; `answers` is what the server has, one after the other, each a text or a status. */
export async function openTranscript(t, options = {}) {
  const { rows = rowsOf(0, 4), total = 4, threads = "", more = "", answers = [], calm = false, room = {} } = options;
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const observed = [];
  class Observer {
    constructor(act) {
      this.act = act;
      observed.push(this);
    }
    seen = [];
    observe(element) {
      this.seen.push(element.dataset.more);
    }
    disconnect() {
      this.gone = true;
    }
  }
  const page = openDashboard(pageOf({ rows, total, threads, more }), {
    url: "https://reelroom.example/film",
    matchMedia: () => ({ matches: calm }),
    IntersectionObserver: Observer,
  });
  globalThis.KeyboardEvent = page.window.KeyboardEvent;
  const [asked, done] = [[], []];
  const player = Object.assign(new page.window.EventTarget(), {
    ...{ time: 0, paused: false, length: 100 },
    seek: (seconds) => done.push(["seek", seconds]),
    play: () => done.push(["play"]),
    pause() {
      player.paused = true;
      done.push(["pause"]);
    },
  });
  Object.defineProperty(player, "second", { get: () => Math.floor(player.time) });
  const { fill } = await load("review_portal/words.js");
  const { format } = await load("review_portal/clock.js");
  (await load("review_portal/given.js")).take({
    ...{ player, fill, format, setting: () => true, table: () => [["->", "→"]] },
    async ask(address) {
      asked.push(address);
      const answer = await answers.shift();
      if (typeof answer === "number") return { status: answer };
      const part = page.document.createElement("div");
      part.innerHTML = answer;
      return { status: 200, part };
    },
    ...room,
  });
  const sentences = await load("review_portal/sentences.js");
  const scrolled = [];
  const box = page.one("[data-words-list]");
  for (const one of [box, page.document.documentElement])
    one.scrollBy = ({ top, behavior }) => scrolled.push([one === box ? "list" : "page", top, behavior]);
  Object.defineProperty(page.document, "scrollingElement", { value: page.document.documentElement });
  return Object.assign(page, {
    sentences,
    player,
    asked,
    done,
    scrolled,
    observed,
    row: (n) => page.one(`[data-n="${n}"]`),
    numbers: () => sentences.rows().map(sentences.number),
    now: () => page.all("[aria-current]").map(sentences.number),
    offer: () => !page.one("[data-follow]").hidden,
    link: (way) => page.one(`[data-more="${way}"]`),
    /** Where things are on the screen, by what finds them. */
    place(places) {
      for (const [selector, [top, bottom, left = 0, right = 100]] of Object.entries(places))
        page.one(selector).getBoundingClientRect = () => ({ top, bottom, left, right });
    },
    scrolls(height = 100, view = 0) {
      for (const [name, value] of [
        ["scrollHeight", height],
        ["clientHeight", view],
      ])
        Object.defineProperty(box, name, { value, configurable: true });
    },
    at(seconds) {
      player.time = seconds;
      player.dispatchEvent(new page.window.Event("time"));
    },
    pass: (milliseconds) => t.mock.timers.tick(milliseconds),
  });
}
