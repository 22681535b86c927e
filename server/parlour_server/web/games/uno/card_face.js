// The face of a card.

import { h } from "../../core/dom.js";
import { SHAPES, sign, suit } from "./cards.js";

/** Hidden from screen readers: they get the card's name elsewhere. */
export function cardFace(card, small = false) {
  const mark = h("span", { class: "corner" }, sign(card)), shape = h("span", { class: "corner far" }, SHAPES[suit(card)]);
  const middle = h("span", { class: card < 100 ? "chip" : "chip quarters" }, card < 100 ? sign(card) : h("b", {}, sign(card)));
  return h("span", { class: `card ${suit(card)}${small ? " small" : ""}`, "aria-hidden": "true" }, mark, shape, middle);
}
