// Show hands of UNO face up, in a replay.

import { h, who } from "../../core/dom.js";
import { say } from "../../core/phrases.js";
import { cardFace, cardName } from "./cards.js";

/**
 * Show `all`, pairs of a name and cards, in `place`; `small` where there are many.
 * @param {HTMLElement} place
 * @param {[name: string, cards: number[]][]} all
 * @param {boolean} small
 */
export function hands(place, all, small) {
  place.replaceChildren(
    ...all.map(([name, cards]) =>
      h(
        "div",
        { role: "group", "aria-label": say("page.replay.holds", { name }) },
        who(name),
        h(
          "ul",
          { class: "open" },
          ...cards.map((card) => h("li", {}, cardFace(card, small), h("span", { class: "unseen" }, cardName(card)))),
        ),
      ),
    ),
  );
}
