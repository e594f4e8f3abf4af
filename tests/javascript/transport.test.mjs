import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { load, openRoom, skip } from "./room.mjs";

const button = (name, inner = "") => `<button type="button" data-do="${name}">${inner}<span></span></button>`;
const speeds = ["0.5", "1", "1.5", "2"].map((speed) => `<option value="${speed}">${speed}×</option>`).join("");
const PAGE = `
  <div class="stage"><video></video><button class="stage__play"></button></div><div data-player data-start="42"><p data-no-picture></p></div>
  <div data-transport>
    <button type="button" data-do="play" data-play="Play" data-pause="Pause"><svg></svg><svg hidden></svg><span></span></button>
    <b data-clock></b><b data-length-clock></b><b data-speed-badge hidden></b>
    <select id="speed" data-speed>${speeds}</select><label id="row"><select data-speed>${speeds}</select></label>
    ${["captions", "mute", "frame-back", "frame-forward", "full"].map((name) => button(name)).join("")}
    <small data-frame-guess hidden></small><label id="volume"><input type="range" min="0" max="100" data-volume></label>
    <select data-caption-language><option value="en"></option><option value="de"></option><option value="pt-br"></option></select>
  </div><i data-fullscreen="/full.css"></i><p data-announce></p>`;
const WORDS = { speed: "Speed {n}", mute: "Muted", unmute: "Sound on" };

async function openTransport({ counts = true, ...options } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = await openRoom(PAGE, { words: WORDS, counts, ...options });
  await load("review_portal/transport.js");
  return Object.assign(page, {
    is: (name) => page.one(`[data-do="${name}"]`),
    said() {
      mock.timers.tick(60);
      return page.one("[data-announce]").textContent;
    },
    text: (selector) => page.one(selector).textContent,
    icons: () => page.all("[data-do=play] svg").map((icon) => icon.hasAttribute("hidden")),
    speeds: () => page.all("select[data-speed]").map((select) => select.value),
  });
}

test("the button says what it does, and so does the large one on a film that was not begun", { skip }, async () => {
  const page = await openTransport();
  const big = page.one(".stage__play");
  assert.deepEqual([page.icons(), page.text("[data-do=play] span"), big.hidden], [[false, true], "Play", false]);
  page.act("play");
  assert.deepEqual([page.icons(), page.text("[data-do=play] span"), big.hidden], [[true, false], "Pause", true]);
  page.act("play");
  assert.equal(big.hidden, false);
  page.film.at(0.6);
  assert.equal(big.hidden, true);
  page.film.at(0.5);
  page.film.pause();
  assert.equal(big.hidden, false);
  page.film.at(5);
  page.film.pause();
  assert.equal(big.hidden, true, "not over a film that was begun");
  page.film.took();
  page.click("video");
  assert.deepEqual(page.film.took(), ["play"]);
});

for (const [name, time, expected] of [
  ["back", 12.5, [7.5]],
  ["forward", 12.5, [17.5]],
  ["second-back", 12.5, [11]],
  ["second-forward", 12.5, [13]],
  ["frame-back", 12.5, ["step -1"]],
  ["frame-forward", 12.5, ["step 1"]],
  ["start", 12.5, [0]],
  ["end", 12.5, [60]],
  ["tenth-0", 12.5, [0]],
  ["tenth-3", 12.5, [18]],
  ["tenth-9", 12.5, [54]],
  ["tenth-10", 12.5, []],
])
  test(`"${name}" from ${time} asks the film for ${expected}`, { skip }, async () => {
    const page = await openTransport({ film: { time } });
    page.film.took();
    page.act(name);
    assert.deepEqual(page.film.took(), expected);
  });

test("the clock follows the film", { skip }, async () => {
  const page = await openTransport();
  page.film.at(75.9 - 20);
  assert.equal(page.text("[data-clock]"), "0:55");
  page.film.length = 75;
  page.film.dispatchEvent(new Event("length"));
  assert.equal(page.text("[data-length-clock]"), "1:15");
});

test("speed goes by quarters between a quarter and double, is kept, and shown", { skip }, async () => {
  const page = await openTransport();
  for (const [name, from, to] of [
    ["faster", 1, 1.25],
    ["faster", 2, 2],
    ["slower", 0.5, 0.25],
    ["slower", 0.25, 0.25],
    ["normal-speed", 1.5, 1],
  ]) {
    page.film.speed = from;
    page.act(name);
    assert.deepEqual([page.film.speed, page.settings().speed], [to, to], `${name} from ${from}`);
    assert.equal(page.said(), `Speed ${to}`);
  }
  const told = () => page.film.dispatchEvent(new Event("speed"));
  const badge = page.one("[data-speed-badge]");
  page.film.speed = 1.5;
  told();
  assert.deepEqual([badge.hidden, badge.textContent, page.speeds()], [false, "1.5×", ["1.5", "1.5"]]);
  assert.equal(page.all(".select--set").length, 2);
  page.film.speed = 8;
  told();
  assert.deepEqual([page.speeds(), page.one("#speed").selectedOptions[0].text], [["8", "8"], "8×"]);
  assert.equal(page.one("#speed").selectedOptions[0].hidden, true, "it cannot be chosen");
  page.film.speed = 1;
  told();
  assert.deepEqual([badge.hidden, page.speeds(), page.all(".select--set").length], [true, ["1", "1"], 0]);
  page.one("#speed").value = "2";
  page.fire("#speed", "change");
  assert.deepEqual([page.film.speed, page.settings().speed, page.said()], [2, 2, "Speed 1"], "who chooses hears it");
});

test("sound is kept and said, and so is its volume", { skip }, async () => {
  const page = await openTransport();
  page.act("mute");
  page.film.dispatchEvent(new Event("sound"));
  assert.deepEqual([page.film.muted, page.settings().muted, page.said()], [true, true, "Muted"]);
  assert.equal(page.is("mute").getAttribute("aria-pressed"), "true");
  page.act("mute");
  page.film.dispatchEvent(new Event("sound"));
  assert.deepEqual([page.settings().muted, page.said()], [false, "Sound on"]);
  assert.equal(page.is("mute").getAttribute("aria-pressed"), "false");
  page.one("[data-volume]").value = "35";
  page.fire("[data-volume]", "input");
  assert.deepEqual([page.film.volume, page.settings().volume], [35, 35]);
});

for (const [what, settings, lang, languages, expected] of [
  ["of the page", {}, "de", ["en", "de"], "de"],
  ["of the page in a region", {}, "pt", ["en", "pt-br"], "pt-br"],
  ["of the page's region in any", {}, "de-AT", ["en", "de"], "de"],
  ["that was read before", { captions: "de" }, "en", ["en", "de"], "de"],
  ["that there is", {}, "fr", ["en", "de"], "en"],
])
  test(`captions come in the language ${what}`, { skip }, async () => {
    const page = await openTransport({ film: { spoken: languages } });
    page.document.documentElement.lang = lang;
    page.window.localStorage.setItem("review:settings", JSON.stringify(settings));
    page.film.took();
    page.act("captions");
    assert.deepEqual([page.film.took(), page.settings().captions], [[`captions ${expected}`], expected]);
    assert.equal(page.is("captions").getAttribute("aria-pressed"), "true");
    assert.equal(page.one("[data-caption-language]").value, expected);
    page.act("captions");
    assert.deepEqual([page.film.took(), page.settings().captions], [["captions "], ""]);
    assert.equal(page.is("captions").getAttribute("aria-pressed"), "false");
  });

test("captions that are switched on again are those that were chosen", { skip }, async () => {
  const page = await openTransport({ film: { spoken: ["en", "de"] } });
  page.one("[data-caption-language]").value = "de";
  page.fire("[data-caption-language]", "change");
  page.act("captions");
  page.act("captions");
  assert.deepEqual(page.film.took(), ["captions de", "captions ", "captions de"]);
  const none = await openTransport();
  none.act("captions");
  assert.deepEqual(none.film.took(), []);
});

for (const [kind, counts, film, hidden] of [
  ["native", true, { spoken: ["en"] }, ["guess"]],
  ["native", false, {}, ["captions"]],
  ["embedded", true, {}, ["frames", "captions", "guess"]],
  ["typed", true, {}, ["frames", "captions", "guess", "volume", "mute", "play", "full"]],
])
  test(`the ${kind} player ${counts ? "" : "in an old browser "}does not offer ${hidden}`, { skip }, async () => {
    const page = await openTransport({ counts, film: { kind, ...film } });
    page.film.dispatchEvent(new Event("changed"));
    const hides = {
      frames: ["#speed", "#row", "[data-do=frame-back]", "[data-do=frame-forward]"],
      captions: ["[data-do=captions]"],
      guess: ["[data-frame-guess]"],
      volume: ["#volume"],
      mute: ["[data-do=mute]"],
      play: ["[data-do=play]"],
      full: ["[data-do=full]"],
    };
    for (const [name, selectors] of Object.entries(hides))
      for (const selector of selectors) assert.equal(page.one(selector).hidden, hidden.includes(name), selector);
  });

test("another player is shown as it is", { skip }, async () => {
  const page = await openTransport();
  Object.assign(page.film, { kind: "typed", time: 30, speed: 2, muted: true });
  page.player.dispatchEvent(new Event("changed"));
  assert.deepEqual([page.is("play").hidden, page.one(".stage__play").hidden], [true, true]);
  assert.deepEqual([page.text("[data-clock]"), page.text("[data-speed-badge]")], ["0:30", "2×"]);
  assert.equal(page.is("mute").getAttribute("aria-pressed"), "true");
  assert.equal(page.text("[data-length-clock]"), "1:00");
});

test("full screen is the page's, with its own style, else that of the video", { skip }, async () => {
  const page = await openTransport();
  const root = page.document.documentElement;
  const asked = [];
  page.act("full");
  assert.deepEqual(page.film.took(), ["full"]);
  root.requestFullscreen = () => asked.push("in");
  page.act("full");
  page.act("full");
  assert.deepEqual([asked, page.all("link[rel=stylesheet][href='/full.css']").length], [["in", "in"], 1]);
  page.document.fullscreenElement = root;
  page.document.exitFullscreen = () => asked.push("out");
  page.act("full");
  assert.deepEqual(asked, ["in", "in", "out"]);
});

for (const [what, options, expected] of [
  ["begins at its beginning", {}, []],
  ["goes on where it was left", { kept: { position: 12 } }, [12]],
  ["that was hardly begun begins anew", { kept: { position: 2 } }, []],
  ["that was nearly over begins anew", { kept: { position: 57 } }, []],
  ["goes on just before its end", { kept: { position: 56 } }, [56]],
  ["of unknown length goes on", { kept: { position: 90 }, film: { length: 0 } }, [90]],
  ["begins where the address says", { kept: { position: 12 }, url: "https://reelroom.example/f?t=42" }, [42]],
  ["with an empty time begins where the server says", { url: "https://reelroom.example/f?t=" }, [42]],
])
  test(`a film ${what}`, { skip }, async () => {
    const page = await openTransport(options);
    assert.deepEqual(page.film.took(), expected);
  });

test("a film comes as loud, as fast and with the captions that were chosen last", { skip }, async () => {
  const settings = { volume: 35, muted: true, speed: 1.5, captions: "de" };
  const page = await openTransport({ settings, film: { spoken: ["en", "de"] } });
  assert.deepEqual([page.film.volume, page.film.muted, page.film.speed], [35, true, 1.5]);
  assert.deepEqual([page.one("[data-volume]").value, page.film.took()], ["35", ["captions de"]]);
  assert.deepEqual(page.speeds(), ["1.5", "1.5"]);
  assert.equal(page.is("mute").getAttribute("aria-pressed"), "true");
  const plain = await openTransport({ film: { spoken: ["en"] } });
  assert.deepEqual([plain.film.muted, plain.film.took(), plain.settings()], [false, [], null]);
});

test("a page without controls offers none", { skip }, async () => {
  const page = await openRoom("");
  await load("review_portal/transport.js");
  page.act("play");
  assert.deepEqual(page.film.took(), []);
});
