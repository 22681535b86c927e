// What a match has brought: a record, a streak; and the same board once more.

import { button, clean, h, who } from "../../core/dom.js";
import { clock, language, say } from "../../core/phrases.js";
import { moment } from "../../core/profile.js";
import { title } from "../games.js";

/**
 * The lines of the match that is over, and a button to play its board again; empty while nothing is known.
 * @param {RoomView} view
 * @param {Over} over
 * @param {() => Promise<string | null>} file
 */
export function brought(view, over, file) {
  const { app, room } = view,
    place = h("div");
  if (room.table.fair.deal === "daily") today(view, over, place);
  else if (room.table.fair.deal) place.append(h("p", { class: "dim" }, say("page.result.practice")));
  else if (
    ["alone", undefined].includes(over.result.unrated) &&
    room.seat !== null &&
    app.session.can.includes("profile")
  )
    news(view, over, place);
  if (!room.table.fair.deal && room.seat !== null && over.result.ranks[room.seat] === 1 && over.result.why !== "lost")
    toShare(view, over, winOf(room, over)).then((parts) => place.append(...parts));
  const same = sameDeal(room);
  if (same)
    place.append(
      h(
        "p",
        { class: "row" },
        button(say(same, { cards: room.game === "uno" }), () => playAgain(view, file), { class: "small" }),
      ),
    );
  return place;
}

/**
 * What a button says that plays the deal once more; null if a rematch does so, or if others would be missing.
 * @param {Room} room
 */
function sameDeal({ seat, table }) {
  if (seat !== null && table.options.mode === "solo") return "page.result.same";
  const others = table.seats.filter((row) => row.seat !== seat);
  return seat === 0 && others.length && others.every(({ kind }) => kind === "bot") && !table.fair.deal
    ? "page.result.same.deal"
    : null;
}

/**
 * @param {RoomView} view
 * @param {Over} over
 * @param {HTMLElement} place
 */
async function news({ app, room }, over, place) {
  const { games } = await app.ask({ t: "profile" }).catch(() => ({ games: [] }));
  const row = games.find((/** @type {Protocol.ProfileRow} */ { game }) => game === room.game);
  if (room.over?.digest !== over.digest) return;
  if (row) place.prepend(...moment(row).map((line) => h("p", {}, h("strong", {}, String(line)))));
}

/**
 * A win in a line.
 * @param {Room} room
 * @param {Over} over
 */
function winOf({ game, table: { options, seats } }, { result }) {
  const { level, width, height } = options,
    board = level === "custom" ? `${width}×${height}` : level && say("page.shell.level", { level });
  const name = seats.length === 1 && board ? `${title(game)} ${board}` : title(game);
  return say("room.share.win", { name, time: result.time ? clock(result.time.ms) : null, n: seats.length - 1 });
}

/**
 * Lines to paste: the result, how it went in characters, a link to the replay; and the button to share or copy them.
 * @param {RoomView} view
 * @param {Over} over
 * @param {string} line
 */
async function toShare({ app, room, widget }, { result, digest }, line) {
  const went = (await widget?.inCharacters?.(room, result)) ?? [],
    words = clean([line, ...went, new URL(`#replay=${digest}`, app.base).href].join("\n"));
  const share = async () => {
    if (!("share" in navigator)) return (await import("./menu.js")).copyText(app, words);
    await navigator.share({ text: words }).catch(() => undefined); // closed without sharing
  };
  return [
    h("p", { class: "lines" }, h("strong", {}, line), ...went.map((each) => `\n${each}`)),
    h(
      "p",
      { class: "row" },
      button(say("share" in navigator ? "page.panel.share" : "page.result.copy"), share, { class: "small" }),
    ),
  ];
}

/**
 * Show the result of the day, the line to share, and the table.
 * @param {RoomView} view
 * @param {Over} over
 * @param {HTMLElement} place
 */
async function today(view, over, place) {
  const { app, room } = view;
  const [, asked, name] = room.table.fair.context.split("/"),
    { board, day, rows, you, boards } = await app.ask({ t: "daily", board: name, day: asked });
  if (room.over?.digest !== over.digest) return;
  const timed = (boards ?? []).every(
    (/** @type {Protocol.DailyBoard} */ each) => each.board !== board || each.best === "time",
  );
  /** @param {{ ms?: number, points?: number }} row */
  const result = ({ ms, points }) => (timed ? clock(ms ?? 0) : say("page.result.daily.points", { n: points ?? 0 }));
  const rank = rows.findIndex(
    (/** @type {Protocol.DailyRow} */ row) => row.ms === you?.ms && row.points === you?.points,
  );
  if (view.attempt?.first === false) {
    const attempt = say("page.room.attempt", { attempt: "later", result: you?.ms === undefined ? null : result(you) });
    return place.prepend(h("p", { class: "dim" }, attempt));
  }
  const date = new Date(`${day}T00:00Z`).toLocaleDateString(language === "en" ? "en-GB" : language, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const line = say("room.share.daily", {
    date,
    level: board,
    time: you?.ms !== undefined ? result(you) : timed ? null : say("page.result.daily.open"),
    days: you?.days ?? null,
  });
  const shared = await toShare(view, over, line);
  if (room.over?.digest !== over.digest) return;
  place.prepend(
    ...shared,
    ...(rank < 0 ? [] : [h("p", {}, say("page.result.daily.place", { place: rank + 1, n: rows.length }))]),
    h(
      "ol",
      { class: "today", "aria-label": say("page.result.best") },
      ...rows.slice(0, 10).map((/** @type {Protocol.DailyRow} */ row) => h("li", {}, who(row.name), ` ${result(row)}`)),
    ),
  );
}

/**
 * Open a room with the deal of the finished match, and in Minesweeper its first cell, for practice.
 * @param {RoomView} view
 * @param {() => Promise<string | null>} file
 */
async function playAgain({ app, room }, file) {
  const content = await file();
  if (content === null) return;
  const { check } = await import("../../verify/game_file.js"),
    { records } = check(content),
    [begun] = records;
  const { secret, context, players, beacon } = begun,
    nonces = begun.nonces.slice(0, players.length),
    drawn = beacon && { ...beacon, randomness: begun.nonces[players.length] };
  const options = begun.options.mode === "solo" ? await withFirstCell(records) : begun.options;
  const bots = room.table.seats.filter((row) => row.seat !== room.seat);
  const { room: code } = await app.ask({
    t: "create",
    game: room.game,
    options,
    seats: players.length,
    private: true,
    clock: null,
    deal: { secret, context, nonces, ...(drawn && { beacon: drawn }) },
  });
  await app.ask({ t: "leave", room: room.code }).catch(() => {});
  for (const { style } of bots) await app.ask({ t: "invite", room: code, ...(style && { style }) });
  await app.ask({ t: "ready", room: code });
  await app.go(`r/${code}`);
}

/**
 * The options of a match on which its board does not depend on the first click.
 * @param {any[]} records
 */
async function withFirstCell([begun, ...records]) {
  const { Match } = await import("../../verify/minesweeper.js"),
    match = new Match(begun);
  for (const record of records) if (match.first < 0) match.follow(record);
  return { ...begun.options, ...(match.first >= 0 && { first_cell: match.first }) };
}
