// The statistics of a board of Minesweeper, and of each seat on it.

import { h, who } from "./dom.js";
import { cellName } from "./mines_words.js";

export function review(room, { stats }) {
  if (!stats?.seats) return [];
  const whole = "bbbv" in stats, names = whole ? ["seconds", "3BV", "3BV/s", "clicks", "efficiency", "guesses"] : ["found", "opened"];
  const cells = (row) => whole ? [(row.ms / 1000).toFixed(1), row.bbbv, (row.rate / 1000).toFixed(2), row.clicks, `${row.efficiency}%`, guessed(row)] : [row.found, row.opened];
  return [h("div", { class: "frame", tabindex: 0, role: "group", "aria-label": "Statistics" }, h("table", { class: "ranks" },
    h("thead", {}, h("tr", {}, ...["player", ...names].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...stats.seats.map((row, seat) => h("tr", {}, h("th", { scope: "row" }, who(room.name(seat))), ...cells(row).map((cell) => h("td", {}, String(cell)))))))),
    whole ? h("p", { class: "dim" }, `The board has a 3BV of ${stats.bbbv}.`) : null];
}

function guessed({ guesses = [], forced }) {
  if (forced === undefined) return "";
  if (!guesses.length) return "none";
  return guesses.slice(0, 4).map(([x, y, odds]) => `${cellName(x, y)} ${(odds / 100).toFixed(0)}%`).join(", ") + (guesses.length > 4 ? "…" : "");
}
