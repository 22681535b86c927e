// The statistics of a board and its players.

import { h, who } from "../../core/dom.js";
import { decimal, percent, say } from "../../core/phrases.js";
import { cellName } from "./words.js";

/** @type {Record<string, (row: Plain) => any>} */
const ROWS = {
  seconds: ({ ms }) => decimal(ms / 1000, 1),
  "3BV": ({ bbbv }) => bbbv,
  "3BV/s": ({ rate }) => decimal(rate / 1000, 2),
  clicks: ({ clicks }) => clicks,
  efficiency: ({ efficiency }) => percent(efficiency / 100),
  guesses: guessed,
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
  const whole = "bbbv" in stats,
    seats =
      columns.length > 1
        ? [
            h(
              "thead",
              {},
              h("tr", {}, h("td"), ...columns.map((_, seat) => h("th", { scope: "col" }, who(room.name(seat))))),
            ),
          ]
        : [];
  const rows = Object.entries(whole ? ROWS : DUEL).map(([name, of]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name.startsWith("3BV") ? name : say(`page.result.stats.${name}`)),
      ...columns.map((row) => h("td", {}, String(of(row)))),
    ),
  );
  const table = h(
    "div",
    { class: "frame", tabindex: 0, role: "group", "aria-label": say("page.result.stats") },
    h("table", { class: "ranks stats" }, ...seats, h("tbody", {}, ...rows)),
  );
  if (!whole) return [table];
  const board = h("p", { class: "dim" }, say("page.result.stats.board", { n: stats.bbbv }));
  return stats.unspared
    ? [table, board, h("p", {}, say("minesweeper.unspared", { n: stats.unspared }))]
    : [table, board];
}

const SLICES = 12,
  BARS = "▁▂▃▄▅▆▇█";

/**
 * How a board went, in characters: 3BV a second, and the cells opened in each slice of the time.
 * @param {[ms: number, open: number][]} course When so many cells were open.
 * @param {Plain | undefined} row The statistics of the player.
 */
export function inCharacters(course, row) {
  if (!row?.ms) return [];
  const openAt = (/** @type {number} */ ms) => course.findLast(([at]) => at <= ms)?.[1] ?? 0,
    slices = Array.from({ length: SLICES }, (_, slice) => {
      const [from, to] = [slice, slice + 1].map((each) => openAt((each * row.ms) / SLICES));
      return slice ? to - from : to;
    });
  const most = Math.max(1, ...slices),
    bars = slices.map((n) => BARS[Math.ceil(((BARS.length - 1) * n) / most)]);
  return [...(row.rate ? [`3BV/s ${decimal(row.rate / 1000, 2)}`] : []), bars.join("")];
}

/** @param {Plain} row */
function guessed({ guesses = [], forced }) {
  if (forced === undefined) return "";
  if (!guesses.length) return say("page.result.stats.none");
  return (
    /** @type {[number, number, number][]} */ (guesses)
      .slice(0, 4)
      .map(([x, y, odds]) => `${cellName(x, y)} ${percent(odds / 10_000)}`)
      .join(", ") + (guesses.length > 4 ? "…" : "")
  );
}
