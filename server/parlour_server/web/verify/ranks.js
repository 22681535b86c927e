// The ranks of a result, for every game.

/**
 * The rank of each standing, 1 the best; equal ones share a rank.
 * @param {number[][]} standings
 */
export const ranked = (standings) => standings.map((own) => 1 + standings.filter((other) => before(other, own)).length);

/**
 * @param {number[]} one
 * @param {number[]} other
 */
function before(one, other) {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at >= 0 && one[at] < other[at];
}
