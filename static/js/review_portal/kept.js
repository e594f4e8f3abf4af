// @ts-check
// Texts that never left this browser, on pages where they cannot be sent: to read and to save as a file.
import { format } from "./clock.js";
import * as drafts from "./drafts.js";
import { count } from "./words.js";

const notice = document.querySelector("[data-drafts]");
const onItsWay = notice?.dataset.onItsWay;

// What the server had and has no more on its way was sent, or came back into a box.
function undecided() {
  if (onItsWay === undefined) return drafts.listSent();
  for (const sent of drafts.listSent()) if (!onItsWay.includes(sent.key)) drafts.release(sent.key);
  return drafts.listSent();
}

/** @type {{ text?: string; time?: string | number; label?: string }[]} */
const unsent = [
  ...drafts.list(),
  ...undecided(),
  ...drafts.queued().map((entry) => (entry.label ? { label: entry.label } : entry.fields)),
];
const mine = unsent.map(
  ({ text, time, label }) => label ?? `${typeof time === "string" ? time : format(time)}  ${text}`,
);

if (notice && mine.length) {
  const words = notice.querySelector("[data-one]");
  words.textContent = count(words.dataset.one, words.dataset.many, mine.length);
  notice
    .querySelector("[data-drafts-list]")
    .replaceChildren(...mine.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  notice.querySelector("[data-drafts-save]").href = URL.createObjectURL(
    new Blob([mine.join("\n\n"), "\n"], { type: "text/plain" }),
  );
  notice.hidden = false;
}
