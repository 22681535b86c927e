// Rank the bots of a contest: the share of wins with its 95 % interval, and the place as a range, unless its format
// ranks them.
// Two bots are separated if their shares differ significantly, corrected for the number of pairs: all ranges hold at
// once.

const Z = 1.959964; // standard deviations of a 95 % interval
const WRONG = 0.05; // the probability that any of the ranges is wrong

/** @typedef {{ games: number, wins: number, rank?: number }} Share */

/**
 * The interval of a share of wins, with one win and one loss added.
 * @param {Share} row
 */
function within({ games, wins }) {
  if (!games) return [0, 1];
  const size = games + 2,
    middle = (wins + 1) / size,
    half = Z * Math.sqrt((middle * (1 - middle)) / (size - 1)),
    share = wins / games;
  return [Math.max(0, Math.min(share, middle - half)), Math.min(1, Math.max(share, middle + half))];
}

/**
 * The part of a normal distribution beyond `x` standard deviations.
 * @param {number} x
 */
function beyond(x) {
  let term = x,
    sum = x;
  for (let odd = 3; term > sum * 1e-17; odd += 2) sum += term *= (x * x) / odd;
  return 0.5 - (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/**
 * The number of standard deviations beyond which `rest` lies.
 * @param {number} rest
 */
function deviations(rest) {
  let low = 0,
    high = 8;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > rest) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Whether `one` is significantly better than `other`: the shares of n bots have a correlation of -1 / (n - 1).
 * @param {Share} one
 * @param {Share} other
 * @param {number} bots
 * @param {number} far
 */
function above(one, other, bots, far) {
  if (!one.games || !other.games) return false;
  const sizes = [one.games + 2, other.games + 2],
    alike = (one.wins + other.wins + 2) / (sizes[0] + sizes[1]);
  const [first, second] = sizes.map((size) => Math.sqrt((alike * (1 - alike)) / size));
  const error = Math.sqrt(first ** 2 + second ** 2 + (2 * first * second) / (bots - 1));
  return (one.wins + 1) / sizes[0] - (other.wins + 1) / sizes[1] > far * error;
}

/**
 * For each row, in order: {share, within, first, last}; the share is null without a match.
 * @param {Share[]} rows
 */
export function places(rows) {
  const bots = rows.length,
    far = bots < 2 ? Infinity : deviations(WRONG / (bots * (bots - 1)));
  const better = rows.map((one) => rows.map((other) => above(one, other, bots, far)));
  return rows.map((row, at) => ({
    share: row.games ? row.wins / row.games : null,
    within: within(row),
    first: row.rank ?? 1 + better.filter((ahead) => ahead[at]).length,
    last:
      row.rank === undefined
        ? bots - better[at].filter(Boolean).length
        : row.rank + rows.filter(({ rank }) => rank === row.rank).length - 1,
  }));
}
