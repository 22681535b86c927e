// The shelf of the first view: how the boards of the day go, the last matches as pictures, and what to do next.

import { h, text } from "../core/dom.js";
import { face } from "../core/faces.js";
import { clock, say } from "../core/phrases.js";
import { replays, title } from "./games.js";

const DAY = 86_400_000; // ms
const FACES = 4; // in a picture

/** @typedef {import("../core/storage.js").KeptMatch} KeptMatch */
/**
 * @typedef {{ board: string, timed: boolean, today: Protocol.ServerDaily, before: Protocol.ServerDaily | null }} Day
 */

/**
 * @param {import("./lobby.js").View} view
 * @param {Protocol.ProfileRow[]} games
 */
export async function fill(view, games) {
  const { app } = view,
    all = app.matches.all.filter(({ game }) => replays(app.session, game));
  view.latest.replaceChildren(...all.map(picture));
  const days = app.session.can.includes("daily")
    ? (await Promise.all([...view.dailies.keys()].map((board) => ask(app, board)))).filter((day) => day !== null)
    : [];
  for (const day of days) {
    const place = view.dailies.get(day.board);
    if (place) text(place, done(day));
  }
  text(view.goal, goal(days, games));
}

/**
 * A board of today, and of yesterday where we have cleared that one but not today's; null if the server has none.
 * @param {App} app
 * @param {string} board
 * @returns {Promise<Day | null>}
 */
async function ask(app, board) {
  try {
    const today = await app.ask({ t: "daily", board }),
      yesterday = new Date(Date.parse(`${today.day}T00:00Z`) - DAY).toISOString().slice(0, 10);
    return {
      board,
      timed: today.boards?.find((/** @type {Protocol.DailyBoard} */ each) => each.board === board)?.best === "time",
      today,
      before: today.you?.days && !today.you.played ? await app.ask({ t: "daily", board, day: yesterday }) : null,
    };
  } catch {
    return null;
  }
}

/**
 * Our place in the table of a day, null without one.
 * @param {Protocol.ServerDaily} table
 */
function placeIn({ rows, you }) {
  const at = rows.findIndex(({ ms, points }) => ms === you?.ms && points === you?.points);
  return you?.ms === undefined || at < 0 ? null : at + 1;
}

/**
 * What we have done with a board of the day, in words.
 * @param {Day} day
 */
function done({ timed, today, before }) {
  const { you, rows } = today,
    place = placeIn(today);
  if (you?.played && you.ms === undefined) return say("page.lobby.shelf.tried");
  if (you?.played) {
    const result = timed ? clock(you.ms ?? 0) : say("page.result.daily.points", { n: you.points ?? 0 });
    return say("page.lobby.shelf.done", { result, place, n: rows.length });
  }
  const then = before && placeIn(before);
  return [
    you?.days ? say("page.lobby.shelf.days", { n: you.days }) : say("page.lobby.today"),
    then && say("page.lobby.shelf.yesterday", { place: then, n: before?.rows.length ?? 0 }),
  ]
    .filter(Boolean)
    .join("\n");
}

/**
 * What to do next: go on with a row of days, clear a harder board, win once more, be faster.
 * @param {Day[]} days
 * @param {Protocol.ProfileRow[]} games
 */
function goal(days, games) {
  const [row] = days
    .filter(({ today: { you } }) => you?.days && !you.played)
    .sort((a, b) => (b.today.you?.days ?? 0) - (a.today.you?.days ?? 0));
  const level = (/** @type {string} */ board) => say("page.shell.level", { level: board });
  if (row) {
    const name = row.timed ? level(row.board) : title(row.board);
    return say("page.lobby.shelf.goal", { what: "day", name, n: (row.today.you?.days ?? 0) + 1 });
  }
  const won = games.find(({ streak, longest }) => streak > 0 && streak === longest);
  if (won) return say("page.lobby.shelf.goal", { what: "streak", name: title(won.game), n: won.streak + 1 });
  const times = games.find(({ game }) => game === "minesweeper")?.times ?? [],
    cleared = (/** @type {string} */ board) => times.find((each) => each.board === board);
  const next = ["beginner", "intermediate", "expert"].find((board) => !cleared(board));
  if (next) return say("page.lobby.shelf.goal", { what: "first", name: level(next), n: 0 });
  const best = cleared("expert");
  return say("page.lobby.shelf.goal", { what: "faster", name: level("expert"), n: best ? clock(best.ms) : "" });
}

/**
 * A match as a picture that opens its replay.
 * @param {KeptMatch} match
 */
function picture({ digest, game, rank, players, ms, rows, names = [] }) {
  const outcome = say("page.profile.outcome", { rank: rank === 1 ? "won" : (rank ?? "lost"), players }),
    words = ms === undefined ? outcome : clock(ms);
  return h(
    "a",
    {
      class: "kept",
      href: `#replay=${digest}`,
      "data-go": `#replay=${digest}`,
      "aria-label": say("page.lobby.shelf.watch", { game: title(game), outcome: words }),
    },
    rows
      ? board(rows)
      : h("span", { class: "faces" }, ...names.slice(0, FACES).map(([name, bot]) => face(String(name), bot === true))),
    h("small", {}, words),
  );
}

/**
 * A board as it was in the end: open cells, flags, mines.
 * @param {string[]} rows
 */
function board(rows) {
  const draw = (/** @type {string} */ name, /** @type {Record<string, string | number>} */ props) => {
    const el = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(props)) el.setAttribute(key, String(value));
    return el;
  };
  const cells = (/** @type {RegExp} */ kind) =>
    rows.flatMap((row, y) => [...row].map((char, x) => (kind.test(char) ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const width = rows[0]?.length ?? 0,
    drawn = draw("svg", { viewBox: `0 0 ${width} ${rows.length}`, class: "small-board", "aria-hidden": "true" });
  for (const [name, kind] of /** @type {[string, RegExp][]} */ ([
    ["open", /[0-8]/],
    ["number", /[1-8]/],
    ["flag", /[FXAB]/],
    ["mine", /[*M]/],
  ]))
    drawn.append(draw("path", { d: cells(kind), class: name }));
  return drawn;
}
