// The ladder of a game: ratings with their intervals, and how they have changed.

import { button, h, style, tableHead, text, who } from "../core/dom.js";
import { say } from "../core/phrases.js";
import { common, title } from "./games.js";

const AMONG = ["all", "human", "bot", "llm"];
const HEAD = ["place", "name", "kind", "matches", "rating", "interval", "past"];
const WIDE = 160,
  HIGH = 24; // pixels of a picture
const DAY = 86_400_000; // ms

export class View {
  /**
   * @param {App} app
   * @param {string} argument
   */
  constructor(app, argument) {
    const games = common(app.session);
    this.app = app;
    this.among = "all";
    this.game = games.includes(argument) ? argument : (games[0] ?? "");
    this.title = say("page.ladder.title", { game: title(this.game) });
    const game = h(
      "select",
      { "aria-label": say("page.form.game"), onchange: () => app.go(`#ladder=${game.value}`) },
      ...games.map((name) => h("option", { value: name, selected: name === this.game }, title(name))),
    );
    const among = h(
      "select",
      {
        "aria-label": say("page.ladder.among"),
        onchange: () => {
          this.among = among.value;
          this.#look();
        },
      },
      ...AMONG.map((name) => h("option", { value: name }, say(`page.ladder.among.${name}`))),
    );
    this.rows = h("tbody");
    this.status = h("p", { class: "dim", role: "status" });
    this.more = button(say("page.standings.more"), () => this.#look(this.after), { hidden: true });
    this.el = h(
      "section",
      { class: "sheet wide" },
      h("h1", {}, this.title),
      h("div", { class: "row" }, game, among),
      h(
        "div",
        { class: "frame", role: "region", "aria-label": this.title, tabindex: 0 },
        h(
          "table",
          { class: "list standings ladder" },
          h("caption", { class: "unseen" }, this.title),
          tableHead(...HEAD.map((name) => say(`page.standings.head.${name}`))),
          this.rows,
        ),
      ),
      this.status,
      this.more,
      h("p", { class: "dim" }, say("page.ladder.means")),
      h("p", {}, h("a", { href: "#standings", "data-go": "#standings" }, say("page.standings.title"))),
    );
  }

  begin() {
    style("styles/forms.css");
    this.app.context(` › ${say("page.standings.place")}`);
    this.#look();
  }

  /** @param {string} [after] */
  async #look(after) {
    try {
      const page = await this.app.ask({ t: "standings", game: this.game, ladder: this.among, ...(after && { after }) });
      if (!after) this.found = [];
      this.found.push(...page.rows);
      this.ago = page.ago;
      this.after = page.after;
      this.more.hidden = page.after === undefined;
      this.#show();
    } catch (error) {
      this.rows.replaceChildren();
      text(this.status, await this.app.explain(error));
      this.status.dataset.code = error.code;
    }
  }

  /** @type {Protocol.StandingsRow[]} */
  found = [];
  /** @type {number[]} */
  ago = [];

  #show() {
    const low = Math.min(...this.found.map((row) => row.low ?? 0)),
      high = Math.max(...this.found.map((row) => row.high ?? 0));
    const days = Math.round(((this.ago[0] ?? 0) - (this.ago.at(-1) ?? 0)) / DAY);
    this.rows.replaceChildren(
      ...this.found.map((row, at) => {
        const kind =
          row.style === undefined
            ? say("page.room.kind", { kind: row.kind })
            : say("page.room.bot", { style: row.style });
        return h(
          "tr",
          { class: row.name === this.app.session.name ? "me" : "" },
          h("td", {}, `${at + 1}.`),
          h(
            "th",
            { scope: "row" },
            h(
              "a",
              { href: `#player=${encodeURIComponent(row.name)}`, "data-go": `#player=${encodeURIComponent(row.name)}` },
              who(row.name),
            ),
          ),
          ...[kind, row.games, row.rating ?? ""].map((cell) => h("td", {}, String(cell))),
          h("td", {}, interval(row, low, high)),
          h("td", {}, history(row.past ?? [], this.ago.length, days)),
        );
      }),
    );
    text(this.status, this.found.length ? "" : say("page.ladder.none"));
  }
}

/**
 * A bar for the interval of a rating, with a mark at the rating.
 * @param {Protocol.StandingsRow} row
 * @param {number} least
 * @param {number} most
 */
function interval({ rating = 0, low = 0, high = 0 }, least, most) {
  const x = (/** @type {number} */ points) =>
    (((points - least) / Math.max(1, most - least)) * (WIDE - 8) + 4).toFixed(1);
  return picture(
    say("page.standings.between", { low, high }),
    ["bar", `M${x(low)} ${HIGH / 2}H${x(high)}`],
    ["mark", `M${x(rating)} 4V${HIGH - 4}`],
  );
}

/**
 * A line through the ratings of a player; they end now, and may begin later than those of others.
 * @param {number[]} past
 * @param {number} times
 * @param {number} days
 */
function history(past, times, days) {
  const low = Math.min(...past),
    high = Math.max(...past),
    first = times - past.length;
  const points = past.map((rating, at) => {
    const x = ((first + at) / Math.max(1, times - 1)) * (WIDE - 8) + 4;
    const y = HIGH - 4 - ((rating - low) / Math.max(1, high - low)) * (HIGH - 8);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return picture(say("page.ladder.past", { from: past[0], to: past.at(-1), low, high, days }), [
    "line",
    `M${points.join("L")}`,
  ]);
}

/**
 * @param {string} label
 * @param {[kind: string, path: string][]} paths
 */
function picture(label, ...paths) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    width: WIDE,
    height: HIGH,
    role: "img",
    "aria-label": label,
  }))
    svg.setAttribute(name, String(value));
  for (const [kind, path] of paths) {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("class", kind);
    line.setAttribute("d", path);
    svg.append(line);
  }
  svg.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), { textContent: label }));
  return svg;
}
