// The statistics of a board and its players.

import { h, who } from "../../core/dom.js";
import { cellName } from "./words.js";

/** @type {Record<string, (row: Plain) => any>} */
const ROWS = {
  seconds: ({ ms }) => (ms / 1000).toFixed(1), "3BV": ({ bbbv }) => bbbv, "3BV/s": ({ rate }) => (rate / 1000).toFixed(2), clicks: ({ clicks }) => clicks,
  efficiency: ({ efficiency }) => `${efficiency}%`, guesses: guessed,
};
/** @type {Record<string, (row: Plain) => any>} */
const DUEL = { found: ({ found }) => found, opened: ({ opened }) => opened };

/**
 * A row for each statistic, a column for each seat.
 * @param {Room} room
 * @param {Protocol.Result} result
 */
export function review(room, { stats }) {
  if (!stats?.seats) return [];
  /** @type {Plain[]} */
  const columns = stats.seats;
  const whole = "bbbv" in stats, seats = columns.length > 1 ? [h("thead", {}, h("tr", {}, h("td"), ...columns.map((_, seat) => h("th", { scope: "col" }, who(room.name(seat))))))] : [];
  const rows = Object.entries(whole ? ROWS : DUEL).map(([name, of]) => h("tr", {}, h("th", { scope: "row" }, name), ...columns.map((row) => h("td", {}, String(of(row))))));
  const table = h("div", { class: "frame", tabindex: 0, role: "group", "aria-label": "Statistics" }, h("table", { class: "ranks stats" }, ...seats, h("tbody", {}, ...rows)));
  return whole ? [table, h("p", { class: "dim" }, `The board has a 3BV of ${stats.bbbv}.`)] : [table];
}

/** @param {Plain} row */
function guessed({ guesses = [], forced }) {
  if (forced === undefined) return "";
  if (!guesses.length) return "none";
  return /** @type {[number, number, number][]} */ (guesses).slice(0, 4).map(([x, y, odds]) => `${cellName(x, y)} ${(odds / 100).toFixed(0)}%`).join(", ") + (guesses.length > 4 ? "…" : "");
}
