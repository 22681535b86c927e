// What values are drawn as: cards, dice and tiles, open or face down, and the pieces of a board. All are hidden from
// screen readers, which get words beside them.

import { clean, h, put } from "../../core/dom.js";

/** @type {Record<string, number[]>} The places of a die's dots, row by row. */
const DOTS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/**
 * A value as an open card, die or tile.
 * @param {string} words
 * @param {Piece} of
 */
export function piece(words, of) {
  const shown = clean(words),
    dots = of === "dice" ? DOTS[shown] : undefined;
  if (dots)
    return h(
      "span",
      { class: "piece die", "aria-hidden": "true" },
      ...Array.from({ length: 9 }, (_, at) => h("i", { class: dots.includes(at) ? "dot" : null })),
    );
  const card = of === "cards",
    more = `${/[♥♦]/u.test(shown) ? " hearts" : ""}${shown.length > 3 ? " word" : ""}`,
    el = h(
      "span",
      { class: `piece ${card ? `card plain${more}` : "tile-piece"}`, "aria-hidden": "true" },
      card && h("span", { class: "corner" }, shown),
      h("b", {}, shown),
      card && h("span", { class: "corner far" }, shown),
    );
  put(el, { "--letters": Math.max(1, [...shown].length) });
  return el;
}

/**
 * A card, die or tile face down.
 * @param {Piece} of
 */
export const back = (of) =>
  h("span", { class: `piece ${of === "cards" ? "deck" : "die down"}`, "aria-hidden": "true" });

/**
 * The class of a piece of a seat on a board.
 * @param {number} owner
 */
export const disc = (owner) => `disc s${owner % 4}`;
