// Kind boards: the layout that takes the place of the board when a forced guess hits a mine (SPEC.md#kind-boards).

const LARGEST = 64; // cells that may depend on one another
const WIDTH = 80n; // bits of a coefficient: placements of at most 64 cells
const MASK = (1n << WIDTH) - 1n;

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

class Position {
  /** @type {Map<string, bigint[]>} Counts of components. */
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
   * The number of placements of a component, by its number of mines.
   * @param {{ numbers: { cell: number, around: number[], need: number }[] }} component
   */
  #count({ numbers }) {
    const key = numbers.map(({ cell, around, need }) => `${cell}:${need}:${around}`).join(" "),
      old = this.#counts.get(key);
    if (old) return old;
    const left = numbers.map(({ around }) => around.length),
      placed = new Set();
    /** @type {Map<string, bigint>} */
    let layer = new Map([[numbers.map(({ need }) => need).join(), 1n]]);
    const begun = [0];
    for (;;) {
      const number = begun.filter((at) => left[at]).sort((a, b) => left[a] - left[b] || a - b)[0];
      if (number === undefined) break;
      for (const cell of numbers[number].around.filter((at) => !placed.has(at))) {
        placed.add(cell);
        const touched = [...numbers.keys()].filter((at) => numbers[at].around.includes(cell));
        for (const at of touched) {
          left[at]--;
          if (!begun.includes(at)) begun.push(at);
        }
        layer = Position.#step(layer, touched, left);
      }
    }
    const ways = [];
    for (let sum = [...layer.values()][0] ?? 0n; sum; sum >>= WIDTH) ways.push(sum & MASK);
    this.#counts.set(key, ways);
    return ways;
  }

  /**
   * Decide one cell, in both ways.
   * @param {Map<string, bigint>} layer
   * @param {number[]} touched
   * @param {number[]} left
   */
  static #step(layer, touched, left) {
    /** @type {Map<string, bigint>} */
    const after = new Map();
    for (const [state, ways] of layer) {
      for (const mine of [0, 1]) {
        const needs = state.split(",").map(Number);
        for (const at of touched) needs[at] -= mine;
        if (touched.some((at) => needs[at] < 0 || needs[at] > left[at])) continue;
        const to = needs.join();
        after.set(to, (after.get(to) ?? 0n) + (ways << (mine ? WIDTH : 0n)));
      }
    }
    return after;
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
      const ways = this.#count(part),
        product = Array(all.length + ways.length).fill(0n);
      for (const [i, a] of all.entries()) for (const [j, b] of ways.entries()) product[i + j] += a * b;
      all = product;
    }
    return all.reduce((sum, ways, inside) => (ways ? sum + ways * choose(spare, left - inside) : sum), 0n);
  }
}

/**
 * The mines of the board that takes the place of one whose mine at `cell` is opened; null if the mine goes off.
 * @param {string[]} shown
 * @param {number} mines
 * @param {(cell: number) => number[]} near
 * @param {number} cell
 * @param {Generator<number>} stream
 */
export function spared(shown, mines, near, cell, stream) {
  const position = new Position(shown, mines, near),
    known = position.deduce(new Map());
  if ([...known.values()].includes(false) || known.has(cell)) return null;
  const parts = position.components(known),
    next = new Set(parts.flatMap(({ cells }) => cells));
  if (parts.some(({ cells }) => cells.length > LARGEST)) return null;
  const spare = position.closed.filter((at) => !known.has(at) && !next.has(at));
  /**
   * @param {number} at
   * @param {boolean} mine
   */
  const ways = (at, mine) => position.solutions(new Map(known).set(at, mine));
  if ([...next, ...spare.slice(0, 1)].some((at) => !ways(at, true)) || !ways(cell, false)) return null;
  position.deduce(known.set(cell, false));
  const order = position.components(known).flatMap(({ cells }) => cells),
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
