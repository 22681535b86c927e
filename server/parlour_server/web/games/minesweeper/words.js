// Minesweeper in words: cells, options, and events.

import { known, playerOf, say } from "../../core/phrases.js";

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** @param {number} x */
const column = (x) => (x < 26 ? LETTERS[x] : LETTERS[Math.floor(x / 26) - 1] + LETTERS[x % 26]);
/**
 * A cell as on a chessboard, but from the top: d5.
 * @param {number} x
 * @param {number} y
 */
export const cellName = (x, y) => `${column(x)}${y + 1}`;
/**
 * A cell and what it shows.
 * @param {number} x
 * @param {number} y
 * @param {string} char
 */
export const cellWords = (x, y, char) =>
  said(null, "minesweeper.cell", { at: [x, y], char: char === "." ? "closed" : char });

/**
 * The mode, the board and the special rules.
 * @param {Plain} options
 */
export function rules(options) {
  const { mode, level, no_guess, kind, lives, penalty } = options,
    board =
      level === "custom"
        ? say("minesweeper.rules.size", options)
        : mode === "duel"
          ? "16×16"
          : say(`minesweeper.option.level.${level}`);
  return [
    say(`minesweeper.option.mode.${mode}`),
    board,
    no_guess && say("minesweeper.rules.no_guess"),
    kind && say("minesweeper.rules.kind"),
    lives > 1 && say("minesweeper.rules.lives", { n: lives }),
    penalty > 0 && say("minesweeper.rules.penalty", { ms: penalty }),
  ].filter(Boolean);
}

// --- events ---

const NAMED = 8; // cells named in one line
/** @param {[number, number][]} at */
const cellNames = (at) => {
  const cells = at
    .slice(0, NAMED)
    .map(([x, y]) => cellName(x, y))
    .join(", ");
  return at.length > NAMED ? say("minesweeper.cells.more", { cells, n: at.length - NAMED }) : cells;
};
/** @param {any} value */
const cell = (value) =>
  Array.isArray(value[0])
    ? [cellNames(value), value.length === 1 ? "one" : "other"]
    : [cellName(value[0], value[1]), "one"];

/**
 * A phrase of the game about a match in a room.
 * @param {Room | null} room
 * @param {string} key
 * @param {Plain} fields
 */
export const said = (room, key, fields) => say(key, fields, { ...(room && { player: playerOf(room) }), cell });

/**
 * The log line for an event, null if it has none.
 * @param {Room} room
 * @param {Plain} event
 */
export function describe(room, event) {
  const { e, at, n, why } = event,
    { mode, lives } = room.view ?? {};
  /** @type {Plain} */
  const more = {};
  if (
    !known(`minesweeper.event.${e}`) ||
    (e === "board" && n === undefined && mode !== "duel") ||
    (e === "open" && !at)
  )
    return null;
  if (e === "open" && n !== at.length) more.all = n;
  if (e === "mine") more.lives = lives;
  if (e === "out" && mode === "coop" && why === "clock") more.why = "frozen";
  return said(room, `minesweeper.event.${e}`, { ...event, ...more }) || null;
}
