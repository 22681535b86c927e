// Minesweeper in words: cells, options, and events.

import { known, playerOf, say } from "../../core/phrases.js";

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const column = (x) => (x < 26 ? LETTERS[x] : LETTERS[Math.floor(x / 26) - 1] + LETTERS[x % 26]);
/** A cell as on a chessboard, but from the top: d5. */
export const cellName = (x, y) => `${column(x)}${y + 1}`;
/** A cell and what it shows. */
export const cellWords = (x, y, char) => said(null, "minesweeper.cell", { at: [x, y], char: char === "." ? "closed" : char });
const TITLES = { solo: "Solo", race: "Race", coop: "Co-op", duel: "Duel" };

/** The mode, the board and the special rules. */
export function rules(options) {
  const { mode, level, width, height, mines, lives, penalty } = options;
  return [TITLES[mode] ?? mode, level === "custom" ? `${width}×${height}, ${mines} mines` : mode === "duel" ? "16×16" : level,
    options.no_guess && "no guessing", lives > 1 && `${lives} lives`, penalty > 0 && `${penalty / 1000} s penalty for a mine`].filter(Boolean);
}

// --- events ---

const NAMED = 8; // cells named in one line
const cellNames = (at) => {
  const cells = at.slice(0, NAMED).map(([x, y]) => cellName(x, y)).join(", ");
  return at.length > NAMED ? say("minesweeper.cells.more", { cells, n: at.length - NAMED }) : cells;
};
const cell = (value) => (Array.isArray(value[0]) ? [cellNames(value), value.length === 1 ? "one" : "other"] : [cellName(...value), "one"]);

/** A phrase of the game about a match in a room. */
export const said = (room, key, fields) => say(key, fields, { ...(room && { player: playerOf(room) }), cell });

/** The log line for an event, null if it has none. */
export function describe(room, event) {
  const { e, at, n, why } = event, { mode, lives } = room.view ?? {}, more = {};
  if (!known(`minesweeper.event.${e}`) || (e === "board" && n === undefined && mode !== "duel") || (e === "open" && !at)) return null;
  if (e === "open" && n !== at.length) more.all = n;
  if (e === "mine") more.lives = lives;
  if (e === "out" && mode === "coop" && why === "clock") more.why = "frozen";
  return said(room, `minesweeper.event.${e}`, { ...event, ...more }) || null;
}
