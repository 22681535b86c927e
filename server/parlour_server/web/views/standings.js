// The standings of the server, of a game, or of a contest.

import { button, h, style, tableHead, text, who } from "../core/dom.js";
import { percent, say } from "../core/phrases.js";
import { common, title } from "./games.js";

const EVERY = 6_000; // ms between two requests for a contest
const MOST = 1_000; // bots of a contest
const ALL = ["", "name", "kind", "matches", "wins", "points", "rating"];
const CONTEST = ["place", "name", "matches", "wins", "share", "interval", "points", "forfeits", "faults"];

export class View {
  /**
   * @param {App} app
   * @param {string} contest
   */
  constructor(app, contest) {
    this.app = app;
    this.title = contest ? say("page.standings.contest", { name: contest }) : say("page.standings.title");
    /** @type {{ contest?: string, game?: string }} */
    this.asked = contest ? { contest } : {};
    this.game = h(
      "select",
      {
        "aria-label": say("page.form.game"),
        onchange: () => this.#look({ ...(this.game.value && { game: this.game.value }) }),
      },
      h("option", { value: "" }, say("page.standings.all")),
      ...common(app.session).map((name) => h("option", { value: name }, title(name))),
    );
    const name = h("input", {
      name: "contest",
      "aria-label": say("page.standings.name"),
      placeholder: say("page.standings.name"),
      value: contest,
      maxlength: 40,
    });
    this.rows = h("tbody");
    this.status = h("p", { class: "dim", role: "status" });
    this.more = button(say("page.standings.more"), () => this.#look(this.asked, this.after), { hidden: true });
    this.el = h(
      "section",
      { class: "sheet wide" },
      h("h1", {}, this.title),
      h(
        "div",
        { class: "row" },
        contest ? null : this.game,
        h(
          "form",
          {
            class: "row",
            onsubmit: (/** @type {Event} */ event) => {
              event.preventDefault();
              app.go(`#standings=${encodeURIComponent(name.value.trim())}`);
            },
          },
          name,
          h("button", {}, say("page.standings.show")),
        ),
      ),
      h(
        "div",
        { class: "frame", ...(contest && { role: "region", "aria-label": this.title, tabindex: 0 }) },
        h(
          "table",
          { class: `list standings ${contest ? "" : "overall"}` },
          h("caption", { class: "unseen" }, this.title),
          tableHead(...(contest ? CONTEST : ALL).map((name) => (name ? say(`page.standings.head.${name}`) : ""))),
          this.rows,
        ),
      ),
      this.status,
      this.more,
      h(
        "p",
        { class: "row" },
        app.session.can.includes("ladder")
          ? h("a", { href: "#ladder", "data-go": "#ladder" }, say("page.standings.ladder"))
          : null,
        h("a", { href: app.base.href, "data-go": "" }, say("page.shell.rooms")),
      ),
    );
  }

  begin() {
    style("styles/forms.css");
    this.app.context(` › ${say("page.standings.place")}`);
    this.#look(this.asked);
    if (this.asked.contest)
      this.timer = setInterval(() => document.visibilityState === "visible" && this.#look(this.asked), EVERY);
  }

  end() {
    clearInterval(this.timer);
  }

  /**
   * @param {Plain} asked
   * @param {string} [after]
   */
  async #look(asked, after) {
    this.asked = asked;
    try {
      await (asked.contest ? this.#contest() : this.#page(after));
    } catch (error) {
      this.rows.replaceChildren();
      text(this.status, await this.app.explain(error));
      this.status.dataset.code = error.code;
    }
  }

  /** @param {string | undefined} after */
  async #page(after) {
    const page = await this.app.ask({ t: "standings", ...this.asked, ...(after && { after }) });
    const first = after ? this.rows.children.length : 0;
    const rows = page.rows.map((/** @type {Protocol.StandingsRow} */ row, /** @type {number} */ at) =>
      this.#row(row, `${first + at + 1}.`, [
        row.style === undefined
          ? say("page.room.kind", { kind: row.kind })
          : say("page.room.bot", { style: row.style }),
        row.games,
        row.wins,
        this.asked.game ? row.points : "",
        row.rating ?? "",
      ]),
    );
    if (after) this.rows.append(...rows);
    else this.rows.replaceChildren(...rows);
    this.after = page.after;
    this.more.hidden = page.after === undefined;
    text(this.status, this.rows.children.length ? "" : say("page.standings.none"));
  }

  /** Show a whole contest: places depend on all rows. */
  async #contest() {
    /** @type {Protocol.StandingsRow[]} */
    const found = [];
    const { places } = await import("../core/ranking.js");
    let league = false;
    for (let after; ; ) {
      const page = await this.app.ask({ t: "standings", ...this.asked, ...(after && { after }) });
      found.push(...page.rows);
      league = page.contest.format === "league";
      if ((after = page.after) === undefined || found.length >= MOST) break;
    }
    const all = places(found);
    this.rows.replaceChildren(
      ...found.map((row, at) => {
        const {
            first,
            last,
            share,
            within: [low, high],
          } = all[at],
          [won, bounds] =
            share === null
              ? ["–", "–"]
              : [percent(share, 1), say("page.standings.between", { low: percent(low), high: percent(high) })];
        return this.#row(
          row,
          first === last ? first : `${first}–${last}`,
          [row.games, row.wins, won, bounds, row.points, row.forfeits || "", row.faults || ""],
          row.group === undefined ? "" : say("page.standings.group", { n: row.group, league }),
        );
      }),
    );
    text(
      this.status,
      found.some(({ rank }) => rank !== undefined)
        ? ""
        : [
            new Set(found.map((row) => row.games)).size > 1 && say("page.standings.unequal"),
            all.some(({ first, last }) => first < last) && say("page.standings.ranges"),
          ]
            .filter(Boolean)
            .join(" "),
    );
  }

  /**
   * @param {Protocol.StandingsRow} row
   * @param {string | number} place
   * @param {(string | number)[]} cells
   * @param {string} [group]
   */
  #row(row, place, cells, group = "") {
    return h(
      "tr",
      { class: row.name === this.app.session.name ? "me" : "" },
      h("td", {}, String(place)),
      h(
        "th",
        { scope: "row" },
        this.asked.contest
          ? [who(row.name), group ? h("small", {}, ` ${group}`) : ""]
          : h(
              "a",
              { href: `#player=${encodeURIComponent(row.name)}`, "data-go": `#player=${encodeURIComponent(row.name)}` },
              who(row.name),
            ),
      ),
      ...cells.map((cell) => h("td", {}, String(cell))),
    );
  }
}
