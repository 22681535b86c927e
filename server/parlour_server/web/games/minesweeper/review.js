// The decisions of Minesweeper in words, for a review.

import { said } from "./words.js";

/**
 * An action in words.
 * @param {Plain} action
 */
export const action = (action) =>
  action.moves
    ? said(null, "minesweeper.review.action.seq", { n: action.moves.length })
    : said(null, "minesweeper.review.action", action);
