// What a match has brought: a record, a streak; and the same board once more.

import { button, clean, h, who } from "../../core/dom.js";
import { clock, moment } from "../../core/profile.js";

/**
 * The lines of the match that is over, and a button to play its board again; empty while nothing is known.
 * @param {RoomView} view
 * @param {Over} over
 * @param {() => Promise<string | null>} file
 */
export function brought(view, over, file) {
  const { app, room } = view, place = h("div", { class: "brought" });
  if (room.table.fair.deal === "daily") today(view, over, place);
  else if (room.table.fair.deal) place.append(h("p", { class: "dim" }, "Practice: the deal was chosen, so nothing counts."));
  else if (room.seat !== null && app.session.can.includes("profile")) news(view, over, place);
  if (room.seat !== null && room.table.options.mode === "solo") place.append(h("p", { class: "row" }, button("Same board again", () => sameBoard(view, file), { class: "small" })));
  return place;
}

/**
 * @param {RoomView} view
 * @param {Over} over
 * @param {HTMLElement} place
 */
async function news({ app, room }, over, place) {
  const { games } = await app.ask({ t: "profile" }).catch(() => ({ games: [] }));
  const row = games.find((/** @type {Protocol.ProfileRow} */ { game }) => game === room.game);
  if (row && room.over?.digest === over.digest) place.prepend(...moment(row).map((line) => h("p", {}, h("strong", {}, String(line)))));
}

/**
 * Show the time of the day, the line to share, and the table.
 * @param {RoomView} view
 * @param {Over} over
 * @param {HTMLElement} place
 */
async function today({ app, room }, over, place) {
  const { board, day, rows, you } = await app.ask({ t: "daily", board: room.table.options.level });
  if (room.over?.digest !== over.digest) return;
  const level = board === "beginner" ? "" : ` ${clean(board)}`, date = new Date(`${day}T00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const line = `parlour daily ${date}${level}: ${you?.ms === undefined ? "not cleared" : clock(you.ms)}${you?.days > 1 ? `, ${you.days} days in a row` : ""}`;
  place.prepend(h("p", {}, h("strong", {}, line)),
    h("ol", { class: "today", "aria-label": "The best today" }, ...rows.slice(0, 10).map((/** @type {Protocol.DailyRow} */ row) => h("li", {}, who(row.name), ` ${clock(row.ms)}`))),
    h("p", { class: "row" }, button("Copy the line", () => navigator.clipboard?.writeText(line).then(() => app.toast("Copied.")), { class: "small" })));
}

/**
 * Open a room with the board of the finished match and its first cell, for practice.
 * @param {RoomView} view
 * @param {() => Promise<string | null>} file
 */
async function sameBoard({ app, room }, file) {
  const content = await file();
  if (content === null) return;
  const [{ check }, { Match }] = await Promise.all([import("../../verify/game_file.js"), import("../../verify/minesweeper.js")]);
  const { records } = check(content), [begun] = records, match = new Match(begun);
  for (const record of records.slice(1)) if (match.first < 0) match.follow(record);
  const { secret, context, nonces } = begun, options = { ...begun.options, ...(match.first >= 0 && { first_cell: match.first }) };
  const { room: code } = await app.ask({ t: "create", game: room.game, options, seats: 1, private: true, clock: null, deal: { secret, context, nonces } });
  await app.ask({ t: "leave", room: room.code }).catch(() => {});
  await app.ask({ t: "ready", room: code });
  await app.go(`r/${code}`);
}
