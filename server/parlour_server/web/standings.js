// The leaderboards: of the server, of a game, of a contest.

import { button, clean, h, style, text, who } from "./dom.js";
import { words } from "./app.js";
import { games, head } from "./lobby.js";

const EVERY = 6_000; // ms between two looks at a contest

export class StandingsView {
  constructor(app, contest) {
    Object.assign(this, { app, title: contest ? `Contest ${clean(contest)}` : "Standings", asked: contest ? { contest } : {} });
    this.game = h("select", { "aria-label": "Game", onchange: () => this.#look({ ...(this.game.value && { game: this.game.value }) }) }, h("option", { value: "" }, "all games"),
      ...games(app).map((name) => h("option", { value: name }, app.title(name))));
    const name = h("input", { name: "contest", "aria-label": "Name of a contest", placeholder: "Name of a contest", value: contest, maxlength: 40 });
    this.rows = h("tbody");
    this.told = h("p", { class: "dim", role: "status" });
    this.more = button("More", () => this.#look(this.asked, this.after), { hidden: true });
    this.el = h("section", { class: "sheet wide" }, h("h1", {}, this.title),
      h("div", { class: "row" }, this.game, h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); app.go(`#standings=${encodeURIComponent(name.value.trim())}`); } },
        name, h("button", {}, "Show contest"))),
      h("div", { class: "frame" }, h("table", { class: "list" }, h("caption", { class: "unseen" }, this.title), head("", "name", "kind", "games", "wins", "points", "rating"), this.rows)),
      this.told, this.more, h("p", {}, h("a", { href: app.base.href, "data-go": "" }, "The open rooms")));
  }

  begin() {
    style("forms.css");
    this.app.context(" › standings");
    this.#look(this.asked);
    if (this.asked.contest) this.timer = setInterval(() => document.visibilityState === "visible" && this.#look(this.asked), EVERY);
  }

  end() { clearInterval(this.timer); }

  async #look(asked, after) {
    this.asked = asked;
    try {
      const page = await this.app.ask({ t: "standings", ...asked, ...(after && { after }) });
      const first = after ? this.rows.children.length : 0;
      const rows = page.rows.map((row, at) => h("tr", { class: row.name === this.app.session.name ? "me" : "" }, h("td", {}, `${first + at + 1}.`),
        h("th", { scope: "row" }, who(row.name)), ...[row.kind, row.games, row.wins, row.points, row.rating ?? ""].map((cell) => h("td", {}, String(cell)))));
      if (after) this.rows.append(...rows);
      else this.rows.replaceChildren(...rows);
      this.after = page.after;
      this.more.hidden = page.after === undefined;
      text(this.told, this.rows.children.length ? "" : "Nothing has been played yet.");
    } catch (error) {
      this.rows.replaceChildren();
      text(this.told, await words(error));
    }
  }
}
