// What a press on a cell of Minesweeper comes to: without a page, so that it can be tested without one.

import { cellName, cellWords } from "./words.js";

const NUMBERS = "012345678", MARKS = "F*AB";
const MOST = 64; // moves in one action
const AHEAD = 4 * MOST; // moves that wait at most

/** The cells beside one. */
export function around(view, x, y) {
  const near = [];
  for (let v = Math.max(0, y - 1); v < Math.min(view.height, y + 2); v++)
    for (let u = Math.max(0, x - 1); u < Math.min(view.width, x + 2); u++) if (u !== x || v !== y) near.push([u, v]);
  return near;
}

/** What has been done to a board and not confirmed by the server: one act in flight, the others wait (SPEC.md#one-act-in-flight). */
export class Moves {
  flying = [];
  waiting = [];
  rid = null;

  get all() { return [...this.flying, ...this.waiting]; }

  /** The character of a cell as it will be when the flags on their way are there. */
  at(rows, x, y) {
    let char = rows[y][x];
    if (char !== "." && char !== "F") return char;
    for (const [verb, u, v] of this.all) if (u === x && v === y) char = { flag: "F", unflag: "." }[verb] ?? char;
    return char;
  }

  /** Take a wish: the sentence why it comes to nothing, or null. `bomb`: what the view says of ours. */
  want(verb, x, y, view, bomb) {
    const at = (u, v) => this.at(view.rows, u, v), char = at(x, y), which = cellName(x, y), duel = view.mode === "duel";
    if (verb === "bomb") {
      if (!duel) return "Bombs are for duels.";
      if (bomb !== "ready") return bomb === "thrown" ? "You have thrown your bomb." : "Your bomb is for when you are behind.";
    } else if (duel) {
      if (verb !== "open") return "A duel has no flags: open what you take for a mine.";
      if (char !== ".") return `${which} is open already.`;
    } else if (verb === "flag") {
      if (char !== "." && char !== "F") return `${which} is open: it needs no flag.`;
      verb = char === "F" ? "unflag" : "flag";
    } else if (verb === "open" && char === "F") {
      return `${which} is flagged: take the flag away first.`;
    } else if (verb === "chord" || char !== ".") {
      verb = "chord";
      if (!NUMBERS.includes(char)) return `${which} is ${cellWords(char)}: a chord is for an open number.`;
      const near = around(view, x, y).map(([u, v]) => at(u, v));
      const marked = near.filter((c) => MARKS.includes(c)).length;
      if (!near.includes(".")) return char === "0" ? `${which} is open.` : `Nothing around ${which} is left to open.`;
      if (marked !== Number(char)) return `${which} says ${char}, but ${marked} around it ${marked === 1 ? "is" : "are"} flagged.`;
    }
    if (this.waiting.length < AHEAD) this.waiting.push([verb, x, y]);
    return null;
  }

  /** The question that is open now, null for none: what flew under another one has landed. */
  asked(rid) {
    if (rid !== this.rid) [this.flying, this.rid] = [[], null];
  }

  /** The action to answer question `rid` by, null if nothing waits or an act is under way. */
  take(rid, view) {
    if (this.flying.length) return null;
    if (view.mode === "duel") this.waiting = this.waiting.filter(([verb, x, y]) => verb === "bomb" || view.rows[y][x] === ".");
    if (!this.waiting.length) return null;
    const many = this.waiting.some(([verb]) => verb === "bomb") ? 1 : MOST;
    this.flying = this.waiting.splice(0, many);
    this.rid = rid;
    return action(this.flying);
  }

  drop() { Object.assign(this, { flying: [], waiting: [], rid: null }); }
}

function action(moves) {
  const [verb] = moves[0];
  if (verb === "bomb") return { do: "bomb", at: moves[0].slice(1) };
  if (moves.every((move) => move[0] === verb)) return { do: verb, cells: moves.map(([, x, y]) => [x, y]) };
  return { do: "seq", moves };
}
