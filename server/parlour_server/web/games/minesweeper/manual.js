// How Minesweeper is played, for the help of a room.

/** @type {Record<string, string[]>} */
const MODES = {
  solo: ["You play alone: open all cells without a mine, as fast as you can."],
  race: ["Everyone gets the same board. The first to clear it wins."],
  coop: ["All play on one board and clear it together."],
  duel: ["Two players take turns at finding mines. A find gives you another turn. Who finds more than half of the mines wins.",
    "Once in a match, a player who is behind can throw a bomb: it opens the 5×5 cells around it."],
};

/**
 * The rules, in sentences.
 * @param {Plain} options
 */
export function howTo({ mode, lives, penalty }) {
  return ["A number says how many of the eight cells around it hide a mine.", ...(MODES[mode] ?? []),
    ...(mode === "duel" ? [] : ["Flag the cells that hide a mine. Press a number with as many flags around it to open its other neighbours."]),
    ...(mode === "coop" && lives > 1 ? [`The team has ${lives} lives: the last mine loses the match.`] : []),
    ...(mode === "race" ? [penalty ? `A mine costs ${penalty / 1000} seconds.` : "A mine puts you out."] : []),
    "In the statistics, 3BV is the least number of presses that clear the board without flags."];
}
