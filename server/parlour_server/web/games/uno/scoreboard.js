// The scoreboard after a round of UNO, and how the last one ended in characters.

import { h, tableHead, who } from "../../core/dom.js";
import { say } from "../../core/phrases.js";

/**
 * The points so far; `last` is the event that ended the round, null if it is not known.
 * @param {Room} room
 * @param {Plain | null} last
 */
export function scoreboard(room, last) {
  /** @type {number[]} */
  const scores = room.view.scores;
  const seats = scores.map((_, seat) => seat).sort((a, b) => scores[b] - scores[a]);
  return h(
    "table",
    { class: "ranks" },
    tableHead(say("page.result.player"), say("page.result.hand"), say("page.result.points")),
    h(
      "tbody",
      {},
      ...seats.map((seat) =>
        h(
          "tr",
          { class: seat === room.seat ? "me" : "" },
          h("th", { scope: "row" }, who(room.name(seat))),
          h("td", {}, String(last?.points?.[seat] ?? "")),
          h("td", {}, String(scores[seat])),
        ),
      ),
    ),
  );
}

const MOST = 12; // cards that are drawn

/**
 * What the others had left in the end, in characters.
 * @param {Room} room
 */
export function inCharacters({ seat, view }) {
  /** @type {number[]} */
  const counts = view.counts.filter((/** @type {number} */ _, /** @type {number} */ each) => each !== seat);
  return [counts.map((n) => "▮".repeat(Math.min(n, MOST)) || "–").join(" · ")];
}
