// Show what happens in a room one move at a time, so that people can follow.

const OWN = 350,
  EACH = 550,
  HURRIED = 160; // ms after our own move, after one of others, after one of others while many wait
const MANY = 6;

/**
 * @typedef {"own" | "other" | null} Move - whose move an item shows; null if nothing needs to be seen before the next
 *   item
 */

export class Pace {
  /** @type {[item: any, move: Move][]} */
  #waiting = [];
  /** @type {number | null} */
  #timer = null;

  /**
   * `show` shows an item; `hurry` says whether nobody looks. `factor` scales all delays.
   * @param {(item: any) => void} show
   */
  constructor(show, hurry = () => false, factor = 1) {
    this.show = show;
    this.hurry = hurry;
    this.factor = factor;
  }

  get behind() {
    return this.#waiting.length > 0;
  }

  /**
   * Show an item after those that wait.
   * @param {any} item
   * @param {Move} move
   */
  push(item, move) {
    this.#waiting.push([item, move]);
    this.#next();
  }

  /** Show all that waits. */
  flush() {
    this.#stop();
    for (let next; (next = this.#waiting.shift()) !== undefined; ) this.show(next[0]);
  }

  end() {
    this.#stop();
    this.#waiting = [];
  }

  #stop() {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #next() {
    for (let next; this.#timer === null && (next = this.#waiting.shift()) !== undefined; ) {
      const [item, move] = next,
        wait = this.factor * this.#wait(move);
      this.show(item);
      if (wait > 0)
        this.#timer = setTimeout(() => {
          this.#timer = null;
          this.#next();
        }, wait);
    }
  }

  /** @param {Move} move */
  #wait(move) {
    if (move === null || this.hurry()) return 0;
    if (this.#waiting.length > MANY) return HURRIED;
    return move === "own" ? OWN : EACH;
  }
}
