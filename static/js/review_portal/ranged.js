// @ts-check
// The range on the bar belongs to the comment in the box: it stands at the beginning of its text, with the time of its
// beginning, until it is taken out. Loaded with the first range; it imports nothing, since a module that it shared with
// the room would be a file of its own on every first visit.
const SPAN = /^((?:\d+:)?\d+:\d\d)-((?:\d+:)?\d+:\d\d) /;

/** @param {RangedBox} parts */
export function build(parts) {
  const { check, fields, fill, form, format, isBegun, keep, lock, parse, range, rangeText, setRange, spans } = parts;
  let follows = ""; // the range in the text that is the one on the bar

  // The range that the text begins with, which makes the comment one of a span: "" without one.
  const written = () => SPAN.exec(fields().text.value)?.[0] ?? "";

  /** @param {string} text */
  function write(text) {
    const box = fields().text;
    const was = written();
    if (was !== text) box.setRangeText(text, 0, was.length, box.value === was ? "end" : "preserve");
    if (text) {
      fields().time.value = format(range.from);
      fields().frame.value = "";
    }
    follows = text;
    lock(isBegun());
    check(form());
    keep();
    show();
  }

  // What is set on the bar stands in the text, and what is cleared there leaves it. A drawing stays with its frame.
  function follow() {
    if (form() && range.own && !fields().drawing.value) {
      if (spans()) write(`${rangeText()} `);
      else if (follows && follows === written()) write("");
    }
    show();
  }

  /**
   * Another time is another beginning.
   * @param {number} from
   */
  function move(from) {
    if (!follows || follows !== written() || !range.own || from === range.from) return;
    if (from < range.to) setRange(from, range.to);
    else setRange(null, null);
  }

  // A draft that came back brings its range to the bar.
  function restore() {
    const [, from, to] = SPAN.exec(fields().text.value)?.map(parse) ?? [];
    if (from === parse(fields().time.value) && to > from) setRange(from, to);
  }

  // Takes the range out of the text, and puts it back.
  function show() {
    const button = form()?.querySelector("[data-add-range]");
    if (!button) return;
    const there = written().trim();
    const { words, out } = button.dataset;
    button.hidden = !there && !spans();
    if (!button.hidden) button.textContent = fill(there ? out : words, { range: there || rangeText() });
  }

  return { follow, move, restore, show, toggle: () => write(written() ? "" : `${rangeText()} `) };
}
