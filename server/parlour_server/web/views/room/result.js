// The result of a round or a match: the ranking and the evening's score; in the details the statistics, fairness and
// the match file.

import { announce, button, h, set, style, text, who } from "../../core/dom.js";
import { commitment } from "../../core/fair.js";
import { known, playerOf, say } from "../../core/phrases.js";
import { stored } from "../../core/storage.js";
import { knows, replays } from "../games.js";

/**
 * Show in `place` the result of the match in the room `view`, its details in `details`; or the points after a round.
 * @param {RoomView} view
 * @param {HTMLElement} place
 * @param {HTMLElement} details
 */
export async function show(view, place, details) {
  const { room } = view,
    { over } = room,
    winner = view.widget?.last?.winner ?? null; // of the round
  await style("styles/forms.css");
  set(place, { tabindex: over ? null : 0 }); // a long table of points scrolls
  if (over) await ended(view, over, place, details);
  else
    place.replaceChildren(
      h(
        "div",
        { class: "headline" },
        h("h2", {}, say("page.result.round", { n: room.view.round, seat: winner }, { player: playerOf(room) })),
        room.seat === null
          ? ""
          : button(say("page.result.continue"), () => view.ask({ t: "ready" }), { class: "main" }),
      ),
      (await view.widget?.scoreboard?.(room)) ?? "",
    );
}

/**
 * What this browser keeps of a match: its picture is the board of a player alone, or the faces of all.
 * @param {Room} room
 * @param {number} seat
 * @param {Over} over
 */
function keptMatch({ game, table, view }, seat, { digest, result }) {
  const ranks = (/** @type {Protocol.SeatRow} */ row) => result.ranks[row.seat] ?? Infinity,
    seats = [...table.seats].sort((a, b) => ranks(a) - ranks(b));
  return {
    digest,
    game,
    rank: result.why === "lost" ? null : (result.ranks[seat] ?? null),
    players: seats.length,
    ...(result.time && { ms: result.time.ms }),
    ...(seats.length === 1 && Array.isArray(view?.rows)
      ? { rows: view.rows }
      : { names: seats.map(({ name, kind }) => /** @type {[string, boolean]} */ ([name, kind === "bot"])) }),
  };
}

/**
 * @param {RoomView} view
 * @param {Over} over
 * @param {HTMLElement} place
 * @param {HTMLElement} details
 */
async function ended(view, over, place, details) {
  const { result, digest, commit, reveal } = over,
    { room } = view,
    title = headline(room, result),
    own = `${room.game}.value.${result.why}`,
    why = result.why === "lost" ? "" : known(own) ? say(own) : say("room.result.why", { why: result.why }),
    won = result.ranks[room.seat ?? ""] === 1 && !LOST.includes(result.why);
  announce(`${title}${why && `: ${why}`}.`);
  if (room.seat !== null && !UNFINISHED.includes(result.why)) view.app.matches.keep(keptMatch(room, room.seat, over));
  const fair = commit ? commitment(reveal) === commit : null,
    [{ brought }, review] = await Promise.all([
      import("./brought.js"),
      view.widget?.review?.(room, result) ?? [],
      view.widget?.drawing?.(),
    ]);
  place.replaceChildren(
    h("div", { class: "headline" }, h("h2", { class: won ? "won" : "" }, title), folding(place)),
    h(
      "p",
      { class: "dim" },
      [why, result.unrated && Object.keys(result.ranks).length > 1 && say("room.unrated", { why: result.unrated })]
        .filter(Boolean)
        .join(" · "),
    ),
    rankingTable(room, result),
  ); // then the panel, with the rematch
  view.brought.replaceChildren(
    evening(view, result, digest),
    brought(view, over, () => content(view, digest)),
  );
  details.replaceChildren(
    ...review,
    h(
      "p",
      { class: fair === false ? "wrong" : "dim", "data-fair": fair === null ? null : String(fair) },
      fair === null ? "" : say("page.result.fair", { fair }),
    ),
    h("p", { class: "dim digest" }, say("page.result.digest", { digest })),
    h(
      "p",
      { class: "row" },
      button(say("page.result.save"), () => save(view, digest)),
    ),
  );
  view.replay.replaceChildren(
    replays(view.app.session, room.game)
      ? button(say("page.result.replay"), () => view.app.go(`#replay=${digest}`))
      : h("span", { class: "dim" }, say("page.result.no_replay")),
  );
  if (result.why === "lost" || !knows(room.game)) {
    // show what decided the match first
    fold(place, true);
    setTimeout(() => place.dataset.digest === digest && fold(place, false), SHOWN);
  }
  place.dataset.digest = digest;
  if (won)
    import("./celebrate.js").then(
      ({ celebrate }) => celebrate(place),
      () => {},
    );
}

const SHOWN = 1_500; // ms

/**
 * Fold the result to its headline, so that the table behind it can be seen; or unfold it.
 * @param {HTMLElement} place
 * @param {boolean} folded
 */
function fold(place, folded) {
  place.classList.toggle("folded", folded);
  const folder = /** @type {HTMLElement | null} */ (place.querySelector(".fold"));
  if (!folder) return;
  folder.setAttribute("aria-expanded", String(!folded));
  text(folder, say("page.result.fold", { folded }));
}

/**
 * The button that folds the result.
 * @param {HTMLElement} place
 */
function folding(place) {
  place.classList.remove("folded");
  return button(
    say("page.result.fold", { folded: false }),
    () => {
      delete place.dataset.digest; // the player decides from now on
      fold(place, !place.classList.contains("folded"));
    },
    { class: "fold", "aria-expanded": "true" },
  );
}

const UNFINISHED = ["no_board", "aborted", "expired"],
  LOST = ["lost", ...UNFINISHED];
/** @param {Protocol.Result} result */
const order = ({ ranks }) =>
  Object.keys(ranks)
    .map(Number)
    .sort((a, b) => ranks[a] - ranks[b] || a - b);

/**
 * @param {Room} room
 * @param {Protocol.Result} result
 */
function headline(room, result) {
  const all = order(result),
    first = all.filter((seat) => result.ranks[seat] === 1);
  const ours = room.seat !== null && first.includes(room.seat),
    alone = first.length === 1;
  const what =
    result.why === "lost"
      ? "lost"
      : ours
        ? alone
          ? "won"
          : "shared"
        : alone
          ? "wins"
          : all.length === 1
            ? "alone"
            : "over";
  return say("page.result.headline", { what, name: alone ? room.name(first[0]) : "" });
}

/**
 * A table of places and scores; none for a single player.
 * @param {Room} room
 * @param {Protocol.Result} result
 */
export function rankingTable(room, result) {
  const rows = order(result).map((seat) =>
    h(
      "tr",
      { class: seat === room.seat ? "me" : "" },
      h("td", {}, result.why === "lost" ? "" : `${result.ranks[seat]}.`),
      h("th", { scope: "row" }, who(room.name(seat))),
      h("td", {}, String(result.scores[seat] ?? 0)),
    ),
  );
  return rows.length < 2
    ? ""
    : h(
        "table",
        { class: "ranks" },
        h("caption", { class: "unseen" }, say("page.room.result")),
        h("tbody", {}, ...rows),
      );
}

/** @typedef {{ digests: string[], wins: Record<string, number>, streak: number }} Evening */
/** @type {Map<string, Evening>} By room. */
const evenings = new Map();

/**
 * The wins of everyone in this room since this tab has been in it, from the second match on.
 * @param {RoomView} view
 * @param {Protocol.Result} result
 * @param {string} digest
 */
function evening({ room, code, app }, result, digest) {
  const key = `parlour ${app.base.pathname} evening ${code}`;
  /** @type {Evening} */
  const score = evenings.get(code) ?? stored(() => sessionStorage, key) ?? { digests: [], wins: {}, streak: 0 };
  evenings.set(code, score);
  if (!score.digests.includes(digest) && !LOST.includes(result.why)) {
    for (const seat of order(result))
      score.wins[room.name(seat)] = (score.wins[room.name(seat)] ?? 0) + Number(result.ranks[seat] === 1);
    score.streak = result.ranks[room.seat ?? ""] === 1 ? score.streak + 1 : 0;
  }
  score.digests = [...new Set([...score.digests, digest])];
  stored(() => sessionStorage, key, score);
  const all = Object.entries(score.wins);
  if (score.digests.length < 2 || all.length < 2) return "";
  const rows = all.sort((a, b) => b[1] - a[1]).flatMap(([name, wins], at) => [at ? " · " : "", who(name), ` ${wins}`]);
  return h(
    "p",
    { class: "evening" },
    say("page.result.evening"),
    " ",
    ...rows,
    score.streak > 1 ? ` · ${say("page.result.in_a_row", { n: score.streak })}` : "",
  );
}

/**
 * The match file; null if the server refuses it, which is shown.
 * @param {RoomView} view
 * @param {string} digest
 */
async function content({ app }, digest) {
  const { fetched } = await import("../../verify/game_file.js");
  return fetched(digest, (message) => app.ask(message)).then(
    ({ content }) => content,
    (error) => {
      app.showError(error);
      return null;
    },
  );
}

/**
 * @param {RoomView} view
 * @param {string} digest
 */
async function save(view, digest) {
  const file = await content(view, digest);
  if (file === null) return;
  const url = URL.createObjectURL(new Blob([file], { type: "application/jsonl" }));
  h("a", { href: url, download: `${view.room.game}-${digest.slice(0, 12)}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
