// How Minesweeper is played, for the help of a room.

import { say } from "../../core/phrases.js";

/**
 * The rules, in sentences.
 * @param {Plain} options
 */
export function howTo({ mode, kind, lives, penalty }) {
  return [
    say("minesweeper.manual.numbers"),
    say("minesweeper.manual.mode", { mode }),
    ...(mode === "duel" ? [] : [say("minesweeper.manual.flags")]),
    ...(kind ? [say("minesweeper.manual.kind")] : []),
    ...(mode === "coop" && lives > 1 ? [say("minesweeper.manual.lives", { n: lives })] : []),
    ...(mode === "race" ? [say("minesweeper.manual.penalty", { ms: penalty || null })] : []),
    say("minesweeper.manual.bbbv"),
  ];
}
