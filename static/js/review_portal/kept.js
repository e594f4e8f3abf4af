// Texts that never left this browser, on pages where they cannot be sent: to read and to save as a file.
import { format } from "./clock.js";
import * as drafts from "./drafts.js";
import { count } from "./words.js";

const notice = document.querySelector("[data-drafts]");
const mine = [
  ...drafts.list(),
  ...drafts.held(),
  ...drafts.queued().map((entry) => ({ ...entry.fields })),
].map(({ text, time }) => `${typeof time === "string" ? time : format(time)}  ${text}`);

if (notice && mine.length) {
  const words = notice.querySelector("[data-one]");
  words.textContent = count(words.dataset.one, words.dataset.many, mine.length);
  notice.querySelector("[data-drafts-list]").replaceChildren(
    ...mine.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
  );
  notice.querySelector("[data-drafts-save]").href = URL.createObjectURL(new Blob([mine.join("\n\n"), "\n"], { type: "text/plain" }));
  notice.hidden = false;
}
