// @ts-check
// People go on while an answer is on its way: the words that they type then stay, and so does the place they went to.
const WRITES = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";

/**
 * Remembers where the focus is. What it returns says later whether it may be moved: it is still there or in `home`,
 * or what had it is gone, and nobody writes elsewhere.
 * @param {Element} [home]
 */
export function placeOfFocus(home) {
  const before = document.activeElement;
  return () => {
    const now = document.activeElement;
    if (now === before || now === document.body || home?.contains(now)) return true;
    return !before.isConnected && !now.matches(WRITES);
  };
}

/** @param {Element} home */
export const isWritingElsewhere = (home) =>
  document.activeElement.matches(WRITES) && !home.contains(document.activeElement);

/**
 * What was typed into a box after its words were sent: only that, where it follows them.
 * @param {HTMLFormElement} form
 * @param {Fields} sent
 */
export function typedSince(form, sent) {
  const { value } = form.elements.text;
  return value.startsWith(sent.text) ? value.slice(sent.text.length).trimStart() : value;
}
