// The decisions of UNO in words, for a review.

import { known, say } from "../../core/phrases.js";
import { cardName, colourName } from "./cards.js";

/**
 * An action in words.
 * @param {Plain} action
 */
export function action({ do: what, card, colour }) {
  if (what === "play") return colour ? `${cardName(card)}, ${colourName(colour)}` : cardName(card);
  if (what === "colour") return colourName(colour);
  return known(`uno.do.${what}`) ? say(`uno.do.${what}`, { n: 4, more: null }) : what;
}
