// The results of a name on this server: best times, wins, streaks, the latest matches.

import { clean, h, style, tableHead, text } from "../core/dom.js";
import { clock } from "../core/profile.js";
import { title } from "./games.js";

const UNITS = /** @type {[number, string][]} */ ([[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"]]);

/** @param {number} ms */
function ago(ms) {
  const [unit, name] = UNITS.find(([each]) => ms >= each) ?? [0, ""];
  return unit ? `${Math.floor(ms / unit)} ${name} ago` : "just now";
}

/** @param {Protocol.FinishRow} row */
const outcome = ({ rank, players }) => (rank === 1 ? "won" : players === 1 ? "lost" : `place ${rank} of ${players}`);

export class View {
  /**
   * @param {App} app
   * @param {string} name
   */
  constructor(app, name) {
    this.app = app;
    this.name = name || app.session.name;
    this.title = clean(this.name);
    this.games = h("div");
    this.status = h("p", { class: "dim", role: "status" });
    this.el = h("section", { class: "sheet wide" }, h("h1", {}, this.title), this.games, this.status,
      h("p", {}, h("a", { href: app.base.href, "data-go": "" }, "Open rooms")));
  }

  async begin() {
    style("styles/forms.css");
    this.app.context(" › profile");
    try {
      const { games } = await this.app.ask({ t: "profile", name: this.name });
      this.games.replaceChildren(...games.flatMap((/** @type {Protocol.ProfileRow} */ row) => this.#game(row)));
    } catch (error) {
      text(this.status, error.code === "no_such_name" ? "No match that counts has been finished under this name yet." : await this.app.explain(error));
      this.status.dataset.code = error.code;
    }
  }

  /** @param {Protocol.ProfileRow} row */
  #game({ game, matches, wins, streak, longest, rating, times, last }) {
    const facts = [`${matches} played`, `${wins} won (${Math.floor((100 * wins) / (matches || 1))} %)`, `${streak} in a row, ${longest} at most`, ...(rating === undefined ? [] : [`rating ${rating}`])];
    return [h("h2", { class: "big" }, title(game)), h("p", {}, facts.join(" · ")),
      ...(times.length ? [h("p", {}, `Best times: ${times.map(({ board, ms }) => `${clean(board).replaceAll("_", " ")} ${clock(ms)}`).join(" · ")}`)] : []),
      h("div", { class: "frame" }, h("table", { class: "list" }, h("caption", { class: "unseen" }, `The latest matches of ${title(game)}`), tableHead("when", "result", "points", "time"),
        h("tbody", {}, ...last.map((match) => h("tr", {}, h("td", {}, ago(match.ago)), h("td", {}, outcome(match)), h("td", {}, String(match.score)),
          h("td", {}, match.ms === undefined ? "" : `${clock(match.ms)}${match.record ? " (record)" : ""}`))))))];
  }
}
