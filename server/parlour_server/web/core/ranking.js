// How sure the order of a contest is: of each bot the share it won with its 95 % interval, and its place as a range.
// Two are told apart if chance would hardly make their shares differ so among all pairs: all ranges hold together.

const Z = 1.959964; // standard deviations of a 95 % interval
const WRONG = 0.05; // how often one of the ranges may be wrong

/** The bounds of a share, as if one game more had been won, and one more lost. */
function within({ games, wins }) {
  if (!games) return [0, 1];
  const size = games + 2, middle = (wins + 1) / size, half = Z * Math.sqrt((middle * (1 - middle)) / (size - 1)), share = wins / games;
  return [Math.max(0, Math.min(share, middle - half)), Math.min(1, Math.max(share, middle + half))];
}

/** How much of a normal distribution lies beyond `x` standard deviations. */
function beyond(x) {
  let term = x, sum = x;
  for (let odd = 3; term > sum * 1e-17; odd += 2) sum += term *= (x * x) / odd;
  return 0.5 - (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The standard deviations beyond which so much lies. */
function deviations(rest) {
  let low = 0, high = 8;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > rest) low = middle; else high = middle;
  }
  return low;
}

/** Whether `one` is surely better than `other`: shares in a contest of n bots have a correlation of -1 / (n - 1). */
function above(one, other, bots, far) {
  if (!one.games || !other.games) return false;
  const sizes = [one.games + 2, other.games + 2], alike = (one.wins + other.wins + 2) / (sizes[0] + sizes[1]);
  const [first, second] = sizes.map((size) => Math.sqrt((alike * (1 - alike)) / size));
  const error = Math.sqrt(first ** 2 + second ** 2 + (2 * first * second) / (bots - 1));
  return (one.wins + 1) / sizes[0] - (other.wins + 1) / sizes[1] > far * error;
}

/** Of each row of a contest, in their order: {share, within, first, last}; no share without a game. */
export function places(rows) {
  const bots = rows.length, far = bots < 2 ? Infinity : deviations(WRONG / (bots * (bots - 1)));
  const better = rows.map((one) => rows.map((other) => above(one, other, bots, far)));
  return rows.map((row, at) => ({ share: row.games ? row.wins / row.games : null, within: within(row),
    first: 1 + better.filter((ahead) => ahead[at]).length, last: bots - better[at].filter(Boolean).length }));
}
