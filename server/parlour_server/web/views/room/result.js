// The result of a round or a match: the ranking, whether the deal was fair, and the match file.

import { announce, button, clean, h, style, who } from "../../core/dom.js";
import { commitment } from "../../core/fair.js";

const WHY = {
  target: "the target score was reached", round: "a single round was played", last: "only one player is left", won: "the board is cleared",
  lost: "the board is lost", race: "the race is over", majority: "one player found most of the mines", resigned: "the others resigned",
  left: "the others left", no_board: "no board without guessing was found, so the match does not count",
  aborted: "the match was aborted", expired: "all players left",
};

/** Show in `place` the result of the match in the room `view`, or the points after a round. */
export async function show(view, place) {
  const { room } = view, { over } = room;
  await style("styles/forms.css");
  if (over) place.replaceChildren(...await ended(view, over));
  else place.replaceChildren(h("h2", {}, `End of round ${room.view.round}`), await view.widget.scoreboard(room),
    room.seat === null ? "" : button("Continue", () => view.ask({ t: "ready" })));
}

async function ended(view, { result, digest, commit, reveal }) {
  const { room } = view, title = headline(room, result), why = WHY[result.why] ?? clean(result.why);
  announce(`${title}: ${why}.`);
  const fair = !commit ? "" : commitment(reveal) === commit ? "✓ Fair: the secret behind the deals matches the commitment shown before the match."
    : "✗ Not fair: the revealed secret does not match the commitment shown before the match.";
  return [h("h2", {}, title), h("p", { class: "dim" }, why), rankingTable(room, result), ...(await view.widget.review?.(room, result) ?? []).filter(Boolean),
    h("p", { class: fair.startsWith("✗") ? "wrong" : "dim", "data-fair": fair ? String(fair.startsWith("✓")) : null }, fair), h("p", { class: "dim digest" }, `digest ${clean(digest)}`),
    h("p", { class: "row" }, button("Save match file", () => save(view, digest)), button("Watch replay", () => again(view, digest)))];
}

const order = ({ ranks }) => Object.keys(ranks).map(Number).sort((a, b) => ranks[a] - ranks[b] || a - b);

function headline(room, result) {
  const all = order(result), first = all.filter((seat) => result.ranks[seat] === 1);
  if (first.includes(room.seat)) return first.length > 1 ? "You share the win!" : "You win!";
  return first.length === 1 ? `${clean(room.name(first[0]))} wins` : all.length === 1 ? "Lost" : "The match is over";
}

/** A table of places and scores; none for a single player. */
export function rankingTable(room, result) {
  const rows = order(result).map((seat) => h("tr", { class: seat === room.seat ? "me" : "" }, h("td", {}, `${result.ranks[seat]}.`),
    h("th", { scope: "row" }, who(room.name(seat))), h("td", {}, String(result.scores[seat] ?? 0))));
  return rows.length < 2 ? "" : h("table", { class: "ranks" }, h("caption", { class: "unseen" }, "Result"), h("tbody", {}, ...rows));
}

async function content(view, digest) {
  const lines = [];
  for (let after = 0; after !== undefined; ) {
    const part = await view.ask({ t: "file", digest, after, room: undefined });
    if (!part) return null;
    lines.push(...part.lines);
    after = part.after;
  }
  return `${lines.join("\n")}\n`;
}

async function save(view, digest) {
  const file = await content(view, digest);
  if (file === null) return;
  const url = URL.createObjectURL(new Blob([file], { type: "application/jsonl" }));
  h("a", { href: url, download: `${view.room.game}-${digest.slice(0, 12)}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function again(view, digest) {
  const file = await content(view, digest);
  if (file === null) return;
  view.app.saved = { content: file, digest };
  view.app.go("#replay");
}
