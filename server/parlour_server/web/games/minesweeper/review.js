// The decisions of Minesweeper in words, for a review.

import { said } from "./words.js";

/**
 * Whether a match can be reviewed: each player has a board of its own, which the first mine ends.
 * @param {Plain} options
 */
export const reviewable = ({ mode, penalty, kind }) => ["solo", "race"].includes(mode) && !penalty && !kind;

/**
 * An action in words.
 * @param {Plain} action
 */
export const action = (action) =>
  action.moves
    ? said(null, "minesweeper.review.action.seq", { n: action.moves.length })
    : said(null, "minesweeper.review.action", action);
