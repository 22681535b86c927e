// The scoring of UNO in a replay: points of a round, winners, eliminations.

import { WILD, symbol } from "../games/uno/cards.js";
import { ranked } from "./ranks.js";

/** @typedef {{ options: Plain, scores: number[] }} Scored - a match */

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** @param {number} card */
const points = (card) => (symbol(card) < 10 ? symbol(card) : symbol(card) < WILD ? 20 : 50);
/**
 * @param {Scored} match
 * @param {number[]} seats
 */
const reached = ({ scores, options }, seats) => seats.filter((seat) => scores[seat] >= options.target);

/**
 * The points of a hand.
 * @param {number[]} hand
 */
export const worth = (hand) => sum(hand.map(points));

/**
 * @param {number[]} scores
 * @param {number[]} seats
 * @param {number} sign
 */
function best(scores, seats, sign) {
  const most = Math.min(...seats.map((seat) => sign * scores[seat]));
  return seats.filter((seat) => sign * scores[seat] === most);
}

/**
 * The scores after a round; `winner` is null if no one won it.
 * @param {Scored} match
 * @param {number | null} winner
 * @param {number[]} worths
 */
export function counted({ scores, options }, winner, worths) {
  if (options.scoring === "lowest" || options.scoring === "elimination")
    return scores.map((score, seat) => score + worths[seat]);
  return scores.map((score, seat) => score + (seat === winner ? sum(worths) - worths[seat] : 0));
}

/**
 * Those of `seats`, the seats still in, that win now: the match ends if there is one.
 * @param {Scored} match
 * @param {number[]} seats
 * @param {number | null} winner
 */
export function winners(match, seats, winner) {
  const { scoring } = match.options;
  if (scoring === "single") return winner !== null && seats.includes(winner) ? [winner] : [];
  if (scoring === "elimination") return seats.length === 1 ? seats : [];
  return reached(match, seats).length ? best(match.scores, seats, scoring === "lowest" ? 1 : -1) : [];
}

/**
 * Those of `seats` to eliminate: all at the target, except the lowest if no one else would be left.
 * @param {Scored} match
 * @param {number[]} seats
 */
export function falling(match, seats) {
  const found = match.options.scoring === "elimination" ? reached(match, seats) : [];
  if (found.length < seats.length) return found;
  const saved = best(match.scores, found, 1);
  return found.filter((seat) => !saved.includes(seat));
}

/**
 * The rank of each seat, 1 the best: those who left behind all others, the last first; then those who fell, the last
 *   round first; then by points.
 * @param {Scored & { leavers: number[], winners: number[], fell: number[], round: number }} match
 */
export function ranks({ options, scores, leavers, winners, fell, round }) {
  const sign = options.scoring === "lowest" || options.scoring === "elimination" ? 1 : -1;
  const standings = scores.map((score, seat) => [
    leavers.includes(seat) ? leavers.length - leavers.indexOf(seat) : 0,
    winners.includes(seat) ? 0 : 1,
    fell[seat] ? round + 1 - fell[seat] : 0,
    sign * score,
  ]);
  return ranked(standings);
}

/**
 * The seat with the fewest points in hand; null for a tie.
 * @param {number[][]} hands
 * @param {number[]} seats
 */
export function lightest(hands, seats) {
  const found = best(hands.map(worth), seats, 1);
  return found.length === 1 ? found[0] : null;
}
