// @ts-check
// The same grid as rules.tidy of the funnels, which a test holds beside it: the entry first and alone in its column,
// the others in reading order.
/**
 * @param {(Place & { id: string })[]} cards
 * @param {string} entry
 * @returns {[string, Place][]}
 */
export function tidy(cards, entry) {
  const rest = cards.filter((card) => card.id !== entry);
  /** @param {Place} card */
  const column = (card) => Math.floor(card.x / 240);
  rest.sort((a, b) => column(a) - column(b) || a.y - b.y || a.x - b.x);
  const rows = Math.max(1, Math.ceil(Math.sqrt(rest.length) * 0.8));
  const first = cards.some((card) => card.id === entry) ? 1 : 0;
  /** @type {[string, Place][]} */
  const places = rest.map((card, place) => [
    card.id,
    { x: 40 + (first + Math.floor(place / rows)) * 240, y: 40 + (place % rows) * 180 },
  ]);
  if (first) places.push([entry, { x: 40, y: 40 + Math.floor(Math.floor(((rows - 1) * 180) / 2) / 20) * 20 }]);
  return places;
}
