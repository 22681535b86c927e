// Kind boards: the layout that takes the place of the board when a forced guess hits a mine (SPEC.md#kind-boards).

const LARGEST = 64; // by the rules before version 3: cells that may depend on one another
const STATES = 20_000; // by the rules since

/** @typedef {Map<number, boolean>} Known - closed cells of which it is certain whether they are mines */

/**
 * @param {number} n
 * @param {number} k
 */
function choose(n, k) {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

/**
 * A number below `n`, of as few words as will do.
 * @param {Generator<number>} stream
 * @param {bigint} n
 */
function below(stream, n) {
  const count = Math.max(1, Math.ceil((n - 1n).toString(2).length / 32)),
    all = 1n << BigInt(32 * count);
  for (;;) {
    let word = 0n;
    for (let i = 0; i < count; i++) word = (word << 32n) | BigInt(stream.next().value);
    if (word < all - (all % n)) return word % n;
  }
}

/** @typedef {{ touched: number[], size: number }} Group - cells that touch the same numbers */

/**
 * The groups of a component, ordered by the numbers that they touch.
 * @param {{ around: number[] }[]} numbers
 * @param {number[]} cells
 * @returns {Group[]}
 */
function groupsOf(numbers, cells) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const cell of cells) {
    const touched = [...numbers.keys()].filter((at) => numbers[at].around.includes(cell)),
      key = touched.join();
    groups.set(key, { touched, size: (groups.get(key)?.size ?? 0) + 1 });
  }
  return [...groups.values()].sort((a, b) => {
    const at = a.touched.findIndex((number, place) => number !== b.touched[place]);
    return at < 0 ? -1 : a.touched[at] - (b.touched[at] ?? -1);
  });
}

/**
 * The groups in an order that keeps few numbers begun but not finished (SPEC.md#kind-boards).
 * @param {Group[]} groups
 * @param {number} count - of the numbers
 */
function inOrder(groups, count) {
  const of = Array.from({ length: count }, (_, number) => groups.filter(({ touched }) => touched.includes(number)));
  const queue = new Set([0]);
  for (const number of queue) for (const { touched } of of[number]) for (const other of touched) queue.add(other);
  const seen = new Set([[...queue].at(-1) ?? 0]),
    /** @type {Set<Group>} */
    placed = new Set();
  /** @param {number} number */
  const left = (number) => of[number].filter((group) => !placed.has(group));
  /** @param {number} number */
  const added = (number) =>
    new Set(left(number).flatMap(({ touched }) => touched.filter((other) => !seen.has(other)))).size;
  for (;;) {
    const [next] = [...seen]
      .filter((number) => left(number).length)
      .map((number) => [added(number), left(number).length, number])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    if (!next) return [...placed];
    for (const group of left(next[2])) {
      placed.add(group);
      for (const other of group.touched) seen.add(other);
    }
  }
}

/**
 * Place the mines of a group, in every way.
 * @param {Map<string, bigint>} layer
 * @param {Group} group
 * @param {number[]} left
 * @param {bigint} width
 */
function step(layer, { touched, size }, left, width) {
  /** @type {Map<string, bigint>} */
  const after = new Map();
  for (const [state, ways] of layer) {
    const needs = state.split(",").map(Number);
    for (let mines = 0; mines <= size; mines++) {
      if (touched.every((at) => needs[at] >= 0 && needs[at] <= left[at])) {
        const to = needs.join();
        after.set(to, (after.get(to) ?? 0n) + ((ways * choose(size, mines)) << (width * BigInt(mines))));
      }
      for (const at of touched) needs[at]--;
    }
  }
  return after;
}

class Position {
  /** @type {Map<string, { ways: bigint[], states: number }>} Counts of components. */
  #counts = new Map();

  /**
   * @param {string[]} shown
   * @param {number} mines
   * @param {(cell: number) => number[]} near
   */
  constructor(shown, mines, near) {
    const cells = [...shown.keys()];
    this.near = cells.map(near);
    this.closed = cells.filter((cell) => ".F".includes(shown[cell]));
    this.mined = cells.filter((cell) => shown[cell] === "*");
    this.mines = mines;
    const closed = new Set(this.closed);
    /** What each number has around it: closed cells, and mines among them. */
    this.numbers = cells
      .filter((cell) => "012345678".includes(shown[cell]))
      .map((cell) => ({
        cell,
        around: this.near[cell].filter((at) => closed.has(at)),
        need: Number(shown[cell]) - this.near[cell].filter((at) => shown[at] === "*").length,
      }))
      .filter(({ around }) => around.length);
  }

  /**
   * What is left of the numbers if `known` holds.
   * @param {Known} known
   */
  open(known) {
    return this.numbers.map(({ cell, around, need }) => ({
      cell,
      around: around.filter((at) => !known.has(at)),
      need: need - around.filter((at) => known.get(at)).length,
    }));
  }

  /**
   * Add what single numbers decide.
   * @param {Known} known
   */
  deduce(known) {
    for (let before = -1; before !== known.size; ) {
      before = known.size;
      for (const { around, need } of this.numbers) {
        const left = around.filter((at) => !known.has(at)),
          missing = need - around.filter((at) => known.get(at)).length;
        if (missing === 0 || missing === left.length) for (const cell of left) known.set(cell, missing > 0);
      }
    }
    return known;
  }

  /**
   * The components: numbers that share undecided cells, in the order of their first number.
   * @param {Known} known
   */
  components(known) {
    const left = this.open(known).filter(({ around }) => around.length),
      of = new Map();
    for (const number of left) for (const cell of number.around) of.set(cell, [...(of.get(cell) ?? []), number]);
    const seen = new Set(),
      found = [];
    for (const first of left) {
      if (seen.has(first)) continue;
      const numbers = [first],
        cells = new Set();
      seen.add(first);
      for (const { around } of numbers) {
        for (const cell of around) {
          cells.add(cell);
          for (const other of of.get(cell)) if (!seen.has(other)) numbers.push((seen.add(other), other));
        }
      }
      found.push({ numbers, cells: [...cells].sort((a, b) => a - b) });
    }
    return found;
  }

  /**
   * The number of placements of a component by its number of mines, and the number of states that it takes to count.
   * @param {{ numbers: { cell: number, around: number[], need: number }[], cells: number[] }} component
   */
  count({ numbers, cells }) {
    const key = numbers.map(({ cell, around, need }) => `${cell}:${need}:${around}`).join(" "),
      old = this.#counts.get(key);
    if (old) return old;
    const groups = groupsOf(numbers, cells),
      left = numbers.map(({ around }) => around.length),
      width = BigInt(cells.length + 8);
    let states = 0,
      layer = new Map([[numbers.map(({ need }) => need).join(), 1n]]);
    for (const group of inOrder(groups, numbers.length)) {
      for (const number of group.touched) left[number] -= group.size;
      layer = step(layer, group, left, width);
      states += layer.size;
    }
    const ways = [],
      mask = (1n << width) - 1n;
    for (let sum = [...layer.values()][0] ?? 0n; sum; sum >>= width) ways.push(sum & mask);
    const found = { ways, states };
    this.#counts.set(key, found);
    return found;
  }

  /**
   * The number of ways to place all mines if `known` holds.
   * @param {Known} known
   */
  solutions(known) {
    if (this.open(known).some(({ around, need }) => need < 0 || need > around.length)) return 0n;
    const parts = this.components(known),
      left = this.mines - this.mined.length - [...known.values()].filter(Boolean).length;
    const spare = this.closed.length - known.size - parts.reduce((sum, { cells }) => sum + cells.length, 0);
    let all = [1n];
    for (const part of parts) {
      const { ways } = this.count(part),
        product = Array(all.length + ways.length).fill(0n);
      for (const [i, a] of all.entries()) for (const [j, b] of ways.entries()) product[i + j] += a * b;
      all = product;
    }
    return all.reduce((sum, ways, inside) => (ways ? sum + ways * choose(spare, left - inside) : sum), 0n);
  }
}

/**
 * The mines of the board that takes the place of one whose mine at `cell` is opened; null if the mine goes off,
 *   undefined if it does because judging the guess takes too much.
 * @param {string[]} shown
 * @param {number} mines
 * @param {(cell: number) => number[]} near
 * @param {number} cell
 * @param {Generator<number>} stream
 * @param {boolean} old - by the rules before version 3
 */
export function substitute(shown, mines, near, cell, stream, old) {
  const position = new Position(shown, mines, near),
    known = position.deduce(new Map());
  const parts = position.components(known);
  /** @param {typeof parts} all */
  const large = (all) =>
    old
      ? all.some(({ cells }) => cells.length > LARGEST)
      : all.reduce((sum, part) => sum + position.count(part).states, 0) > STATES;
  if ([...known.values()].includes(false) || known.has(cell)) return null;
  if (large(parts)) return undefined;
  const next = new Set(parts.flatMap(({ cells }) => cells));
  const spare = position.closed.filter((at) => !known.has(at) && !next.has(at));
  /**
   * @param {number} at
   * @param {boolean} mine
   */
  const ways = (at, mine) => position.solutions(new Map(known).set(at, mine));
  if ([...next, ...spare.slice(0, 1)].some((at) => !ways(at, true)) || !ways(cell, false)) return null;
  position.deduce(known.set(cell, false));
  const after = position.components(known);
  if (large(after)) return undefined;
  const order = after.flatMap(({ cells }) => cells),
    first = new Set([...order, ...known.keys()]);
  order.push(...position.closed.filter((at) => !first.has(at)));
  let rank = below(stream, position.solutions(known));
  for (const at of order) {
    const under = ways(at, true),
      mine = rank < under;
    if (!mine) rank -= under;
    known.set(at, mine);
  }
  return [...position.mined, ...position.closed.filter((at) => known.get(at))].sort((a, b) => a - b);
}
