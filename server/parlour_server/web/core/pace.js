// Show what happens in a room one move at a time, so that people can follow.

const OWN = 350, EACH = 550, HURRIED = 160; // ms after our own move, after one of others, after one of others while many wait
const MANY = 6;

export class Pace {
  #waiting = [];
  #timer = null;

  /** `show(item)` shows an item; `hurry()` says whether nobody looks. `factor` scales all delays. */
  constructor(show, hurry = () => false, factor = 1) {
    this.show = show;
    this.hurry = hurry;
    this.factor = factor;
  }

  get behind() { return this.#waiting.length > 0; }

  /** Show an item after those that wait. `move`: "own", "other", or null if nothing needs to be seen before the next item. */
  push(item, move) {
    this.#waiting.push([item, move]);
    this.#next();
  }

  /** Show all that waits. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = null;
    while (this.behind) this.show(this.#waiting.shift()[0]);
  }

  end() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #next() {
    while (this.#timer === null && this.behind) {
      const [item, move] = this.#waiting.shift(), wait = this.factor * this.#wait(move);
      this.show(item);
      if (wait > 0) this.#timer = setTimeout(() => { this.#timer = null; this.#next(); }, wait);
    }
  }

  #wait(move) {
    if (move === null || this.hurry()) return 0;
    if (this.#waiting.length > MANY) return HURRIED;
    return move === "own" ? OWN : EACH;
  }
}
