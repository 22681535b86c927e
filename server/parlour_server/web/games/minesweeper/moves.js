// The moves of Minesweeper: what a press on a cell does, and which moves are not confirmed yet. Uses no DOM.

import { said } from "./words.js";

const NUMBERS = "012345678",
  MARKS = "F*AB";
const MOST = 64; // moves in one action
const AHEAD = 4 * MOST; // moves that wait at most

/** @typedef {[verb: string, x: number, y: number]} Move */

/**
 * The cells beside one.
 * @param {Plain} view
 * @param {number} x
 * @param {number} y
 */
export function around(view, x, y) {
  /** @type {[number, number][]} */
  const near = [];
  for (let v = Math.max(0, y - 1); v < Math.min(view.height, y + 2); v++)
    for (let u = Math.max(0, x - 1); u < Math.min(view.width, x + 2); u++) if (u !== x || v !== y) near.push([u, v]);
  return near;
}

/** The moves that the server has not confirmed: one act in flight, the others wait (SPEC.md#one-act-in-flight). */
export class Moves {
  /** @type {Move[]} */
  flying = [];
  /** @type {Move[]} */
  waiting = [];
  /** @type {number | null} */
  rid = null;

  get all() {
    return [...this.flying, ...this.waiting];
  }

  /**
   * The character of a cell, with the flags in flight.
   * @param {string[]} rows
   * @param {number} x
   * @param {number} y
   */
  at(rows, x, y) {
    let char = rows[y][x];
    if (char !== "." && char !== "F") return char;
    for (const [verb, u, v] of this.all)
      if (u === x && v === y) char = verb === "flag" ? "F" : verb === "unflag" ? "." : char;
    return char;
  }

  /**
   * Add a move. Returns why it is not possible, or null. `bomb`: the state of our bomb.
   * @param {string} verb
   * @param {number} x
   * @param {number} y
   * @param {Plain} view
   * @param {string | undefined} bomb
   */
  want(verb, x, y, view, bomb) {
    /**
     * @param {string[]} u
     * @param {number} v
     */
    const at = (/** @type {number} */ u, /** @type {number} */ v) => this.at(view.rows, u, v),
      char = at(x, y),
      duel = view.mode === "duel";
    /**
     * @param {string} key
     * @param {Plain} [fields]
     */
    const why = (key, fields = {}) => said(null, `minesweeper.why.${key}`, { at: [x, y], ...fields });
    if (verb === "bomb") {
      if (!duel) return why("no_bombs");
      if (bomb !== "ready") return why("bomb", { bomb });
    } else if (duel) {
      if (verb !== "open") return why("no_flags");
      if (char !== ".") return why("duel_open");
    } else if (verb === "flag") {
      if (char !== "." && char !== "F") return why("open");
      verb = char === "F" ? "unflag" : "flag";
    } else if (verb === "open" && char === "F") {
      return why("flagged");
    } else if (verb === "chord" || char !== ".") {
      verb = "chord";
      if (!NUMBERS.includes(char)) return why("*AB".includes(char) ? "mine" : "closed");
      const near = around(view, x, y).map(([u, v]) => at(u, v));
      const marked = near.filter((c) => MARKS.includes(c)).length;
      if (!near.includes(".")) return why("nothing");
      if (marked !== Number(char)) return why("flags", { number: char, marked });
    }
    if (this.waiting.length < AHEAD) this.waiting.push([verb, x, y]);
    return null;
  }

  /**
   * Set the open question, null for none: the moves for another one are confirmed.
   * @param {number | null} rid
   */
  asked(rid) {
    if (rid !== this.rid) [this.flying, this.rid] = [[], null];
  }

  /**
   * The action that answers question `rid`; null if nothing waits or an act is in flight.
   * @param {number} rid
   * @param {Plain} view
   */
  take(rid, view) {
    if (this.flying.length) return null;
    if (view.mode === "duel")
      this.waiting = this.waiting.filter(([verb, x, y]) => verb === "bomb" || view.rows[y][x] === ".");
    if (!this.waiting.length) return null;
    const many = this.waiting.some(([verb]) => verb === "bomb") ? 1 : MOST;
    this.flying = this.waiting.splice(0, many);
    this.rid = rid;
    return action(this.flying);
  }

  drop() {
    this.flying = [];
    this.waiting = [];
    this.rid = null;
  }
}

/** @param {Move[]} moves */
function action(moves) {
  const [verb] = moves[0];
  if (verb === "bomb") return { do: "bomb", at: moves[0].slice(1) };
  if (moves.every((move) => move[0] === verb)) return { do: verb, cells: moves.map(([, x, y]) => [x, y]) };
  return { do: "seq", moves };
}
