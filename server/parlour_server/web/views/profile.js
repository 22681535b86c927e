// The results of a name on this server: best times, wins, streaks, the latest matches.

import { h, style, tableHead, text } from "../core/dom.js";
import { clock, percent, say } from "../core/phrases.js";
import { title } from "./games.js";

const HEAD = ["when", "result", "points", "time"];
const UNITS = /** @type {[number, string][]} */ ([
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
]);

/** @param {number} ms */
function ago(ms) {
  const [unit, name] = UNITS.find(([each]) => ms >= each) ?? [1, ""];
  return say("page.profile.ago", { unit: name, n: Math.floor(ms / unit) });
}

/** @param {Protocol.FinishRow} row */
const outcome = ({ rank, players }) =>
  say("page.profile.outcome", { rank: rank === 1 ? "won" : players === 1 ? "lost" : rank, players });

export class View {
  /**
   * @param {App} app
   * @param {string} name
   */
  constructor(app, name) {
    this.app = app;
    this.name = name || app.session.name;
    this.title = this.name;
    this.games = h("div");
    this.status = h("p", { class: "dim", role: "status" });
    this.el = h(
      "section",
      { class: "sheet wide" },
      h("h1", {}, this.title),
      this.games,
      this.status,
      h("p", {}, h("a", { href: app.base.href, "data-go": "" }, say("page.shell.rooms"))),
    );
  }

  async begin() {
    style("styles/forms.css");
    this.app.context(` › ${say("page.profile.title")}`);
    try {
      const { games } = await this.app.ask({ t: "profile", name: this.name });
      this.games.replaceChildren(...games.flatMap((/** @type {Protocol.ProfileRow} */ row) => this.#game(row)));
    } catch (error) {
      text(this.status, error.code === "no_such_name" ? say("page.profile.none") : await this.app.explain(error));
      this.status.dataset.code = error.code;
    }
  }

  /** @param {Protocol.ProfileRow} row */
  #game({ game, matches, wins, streak, longest, rating, times, last }) {
    const facts = [
        say("page.profile.played", { n: matches }),
        say("page.profile.won", { n: wins, share: percent(wins / (matches || 1)) }),
        say("page.profile.streak", { n: streak, longest }),
        ...(rating === undefined ? [] : [say("page.room.rating", { n: rating })]),
      ],
      bests = times.map(
        ({ board, ms }) => `${say("page.shell.level", { level: String(board).replaceAll("_", " ") })} ${clock(ms)}`,
      );
    return [
      h("h2", { class: "big" }, title(game)),
      h("p", {}, facts.join(" · ")),
      ...(times.length ? [h("p", {}, say("page.profile.best", { times: bests.join(" · ") }))] : []),
      h(
        "div",
        { class: "frame" },
        h(
          "table",
          { class: "list" },
          h("caption", { class: "unseen" }, say("page.profile.latest", { game: title(game) })),
          tableHead(...HEAD.map((name) => say(`page.profile.${name}`))),
          h(
            "tbody",
            {},
            ...last.map((match) =>
              h(
                "tr",
                {},
                h("td", {}, ago(match.ago)),
                h("td", {}, outcome(match)),
                h("td", {}, String(match.score)),
                h(
                  "td",
                  {},
                  match.ms === undefined
                    ? ""
                    : match.record
                      ? say("page.profile.record", { time: clock(match.ms) })
                      : clock(match.ms),
                ),
              ),
            ),
          ),
        ),
      ),
    ];
  }
}
