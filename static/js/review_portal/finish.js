// @ts-check
// The finished review: what was never watched is known here alone; copy and print.
import "../theme.js";
import "../language.js";
import "../zone.js";
import "./kept.js";
import "./stay.js";
import "./waiting.js";
import { format } from "./clock.js";
import { drop, get, set } from "./store.js";

const page = document.querySelector("[data-finish]");
const length = Number(page.dataset.length);
/** @type {[number, number][]} */
const runs = (get("watched") ?? []).sort((/** @type {number[]} */ a, /** @type {number[]} */ b) => a[0] - b[0]);

function gaps() {
  const spans = [];
  let at = 0;
  for (const [from, to] of runs) {
    if (from - at >= 2) spans.push([at, from]);
    at = Math.max(at, to);
  }
  if (length - at >= 2) spans.push([at, length]);
  return spans;
}

// A decision that is being written survives a reload; one that was sent is no draft any more.
const form = page.querySelector("[data-decision]");
if (form) keepDraft(form);
else if (page.querySelector("[data-decided]")) drop("decision");

/** @param {HTMLFormElement} written */
function keepDraft(written) {
  const { text, user_name: name } = written.elements;
  const before = get("decision");
  if (before && !written.querySelector("[aria-invalid]") && text.value === text.defaultValue) {
    text.value = before.text;
    name.value = before.name ?? name.value;
    const radio = written.querySelector(`input[name=verdict][value="${CSS.escape(before.verdict)}"]`);
    if (radio) radio.checked = true;
  }
  written.addEventListener("input", () => {
    set("decision", { text: text.value, name: name.value, verdict: written.elements.verdict.value });
  });
}

const place = page.querySelector("[data-unwatched]");
const left = gaps();
if (!runs.length || !length) place.textContent = place.dataset.nothing;
else if (!left.length) place.textContent = place.dataset.none;
else {
  const list = Object.assign(document.createElement("ul"), { className: "chips" });
  for (const [from, to] of left) {
    const link = Object.assign(document.createElement("a"), {
      className: "chip",
      textContent: `${format(from)}–${format(to)}`,
    });
    link.href = `${location.pathname.replace(/\/finish$/, "")}?t=${from}`;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  place.replaceChildren(list);
  const share = 1 - left.reduce((total, [from, to]) => total + to - from, 0) / length;
  page.querySelector("[data-watched-part]").textContent = `${Math.floor(share * 100)}%`;
}

function pageText() {
  const lines = [document.querySelector(".review__name")?.textContent ?? "", ""];
  for (const panel of page.querySelectorAll(".panel:not(.decision):not(#email)")) {
    lines.push(panel.querySelector("h2").textContent);
    for (const item of panel.querySelectorAll(".notes-list > li, .chips > li, .decisions > li"))
      lines.push(`- ${item.innerText.replace(/\s+/g, " ").trim()}`);
    lines.push("");
  }
  return lines.join("\n");
}

const copy = page.querySelector("[data-copy-all]");
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(pageText());
  copy.querySelector("span").textContent = copy.dataset.done;
});
page.querySelector("[data-print]").addEventListener("click", () => print());
