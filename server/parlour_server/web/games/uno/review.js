// The review of a seat in a match of UNO, in words. The terminal client has the same phrases.

import { known, percent, say } from "../../core/phrases.js";
import { cardName, colourName } from "./cards.js";

const SHOWN = 10; // mistakes

/**
 * What was found, in sentences: in all, by round, and the mistakes, the most costly first. `n` is the number of an act.
 * @param {Protocol.ServerReview} review
 * @param {string} name
 * @returns {{ n: number | null, words: string }[]}
 */
export function findings({ decisions, rounds }, name) {
  const all = decisions ?? [],
    played = rounds ?? [],
    mistakes = all.filter(({ mistake }) => mistake).sort((a, b) => b.cost - a.cost);
  const luck = played.length ? signed(sum(played, "luck")) : null;
  return [
    {
      n: null,
      words: say("uno.review.sum", {
        name,
        n: all.length,
        mistakes: mistakes.length,
        cost: share(sum(all, "cost")),
        luck,
      }),
    },
    ...played.map((each) => ({
      n: null,
      words: say("uno.review.round", {
        n: each.round,
        before: share(each.before),
        after: share(each.after),
        luck: signed(each.luck),
        cost: signed(-each.cost),
      }),
    })),
    ...mistakes.slice(0, SHOWN).map((each) => ({ n: each.n, words: mistake(each) })),
  ];
}

/**
 * What would have been better at an act, null if it was no mistake.
 * @param {Plain} decision
 */
export const remark = ({ mistake, best, cost }) =>
  mistake ? say("uno.review.remark", { best: action(best), cost: share(cost) }) : null;

/** @param {Plain} decision */
function mistake({ n, round, action: done, best, chance, cost, error }) {
  return say("uno.review.mistake", {
    n,
    round,
    action: action(done),
    best: action(best),
    chance: chance === null ? null : share(chance),
    cost: share(cost),
    error: share(error),
  });
}

/** @param {Plain} action */
function action({ do: what, card, colour }) {
  if (what === "play") return colour ? `${cardName(card)}, ${colourName(colour)}` : cardName(card);
  if (what === "colour") return colourName(colour);
  return known(`uno.do.${what}`) ? say(`uno.do.${what}`, { n: 4, more: null }) : what;
}

/**
 * @param {Plain[]} rows
 * @param {string} field
 */
const sum = (rows, field) => rows.reduce((whole, row) => whole + row[field], 0);
/** @param {number} value */
const share = (value) => percent(value, 1);
/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${percent(Math.abs(value), 1)}`;
