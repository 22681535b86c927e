// Boards of Minesweeper without a server. Their mines are placed in this browser, so no such match counts.

import { announce, button, h, measured, style, text } from "../core/dom.js";
import { hex } from "../core/fair.js";
import { load, say, together } from "../core/phrases.js";
import { Room } from "../core/session.js";
import { game } from "./games.js";

const GAME = "minesweeper",
  LEVELS = ["beginner", "intermediate", "expert"];

/** Load all that a board needs, while there is a server. */
export const needs = () =>
  together(
    Promise.all([
      import("../verify/replay.js").then(({ fresh }) => begun("beginner", fresh)),
      game(GAME).widget(),
      import("../games/minesweeper/controls.js"),
      import("../games/minesweeper/roam.js"),
      import("../games/minesweeper/statistics.js"),
      import("./quick.js"), // leads from the first view to here
    ]),
    load("page.more"),
    style("styles/forms.css"),
  );

/**
 * A match on a new board of a level, with the usual options.
 * @param {string} level
 * @param {(game: string, begun: Plain) => Promise<any>} fresh
 */
async function begun(level, fresh) {
  const { GAMES } = await import("./form_options.js"),
    usual = Object.fromEntries(GAMES[GAME].options.map((option) => [option.name, option.usual])),
    options = { ...usual, mode: "solo", level };
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  return fresh(GAME, { options, players: [{}], secret, context: "practice", nonces: [""], at: performance.now() });
}

export class View {
  title = say("page.practice.title");
  room = new Room("");
  /** @type {any} */
  match = null;
  /** @type {Widget | null} */
  widget = null;
  rid = 0;
  /** @type {number | undefined} */
  timer;

  /**
   * @param {App} app
   * @param {string} [level]
   */
  constructor(app, level = "") {
    this.app = app;
    this.level = LEVELS.includes(level) ? level : "";
    this.status = h("span", { role: "status" });
    this.home = button(say("page.practice.home"), () => app.go(""), { class: "small" });
    this.results = h("section", { class: "results", "aria-label": say("page.room.result") });
    this.panels = h("div", { class: "panels after", hidden: true }, this.results);
    this.stage = measured(
      h("div", { class: "stage" }, h("p", { class: "row dim" }, this.status, this.home), this.panels),
    );
    this.el = h("div", { class: "room practice" }, this.stage);
    this.connected(!app.lost);
    style("styles/forms.css");
    if (this.level) this.#play();
    else this.stage.append(h("section", { class: "sheet" }, h("h1", {}, this.title), this.#levels()));
  }

  /** Whether a board is being played, which a new connection shall not replace. */
  get busy() {
    return this.room.table?.state === "playing";
  }

  begin() {
    document.body.dataset.game = GAME;
    document.body.classList.add("in-room");
    this.app.context(` › ${this.title}`);
    this.timer = setInterval(() => this.busy && this.widget?.tick(this.room), 250);
  }

  end() {
    clearInterval(this.timer);
    document.body.classList.remove("in-room");
    delete document.body.dataset.game;
  }

  /** @param {boolean} yes */
  connected(yes) {
    text(this.status, say("page.practice.means", { yes }));
    this.home.hidden = !yes && !this.level; // it leads to where one is
  }

  #levels() {
    const again = (/** @type {string} */ level) =>
      button(say("page.shell.level", { level }), () => this.app.go(`#practice=${level}`), { class: "main" });
    return h("p", { class: "row" }, ...LEVELS.map(again));
  }

  async #play() {
    const [{ fresh }, { Widget }] = await Promise.all([import("../verify/replay.js"), game(GAME).widget()]);
    this.match = await begun(this.level, fresh);
    this.widget?.el.remove();
    this.widget = new Widget(/** @type {any} */ (this));
    this.stage.insertBefore(this.widget.el, this.panels);
    this.#ended(false);
    const { name } = this.app.me,
      seat = { seat: 0, name, kind: "human", by: "owner", here: true, ready: false };
    Object.assign(this.room, { seat: 0, game: GAME, over: null, began: undefined });
    this.room.table = /** @type {any} */ ({ state: "playing", options: {}, fair: {}, seats: [seat] });
    this.#asked();
    this.show();
  }

  /** Take over what the match shows, and what it asks. */
  #asked() {
    const { room, match } = this;
    room.view = match.view(0);
    room.question = match.questions(0).legal && { rid: ++this.rid, legal: [], left: null };
  }

  show() {
    const { widget, room, app } = this;
    widget?.show(room);
    app.hints(widget?.controls?.hints());
  }

  acting() {
    return false;
  }

  /**
   * @param {number} rid
   * @param {Plain} act
   */
  act(rid, act) {
    const { match, room, widget } = this;
    if (rid !== room.question?.rid) return false;
    const events = match.follow({ r: "act", at: performance.now(), seat: 0, act });
    this.#asked();
    widget?.news(room, events, true);
    if (room.view.phase === "over") this.#over();
    this.show();
    return true;
  }

  /** The widget asks for another board. */
  async ask() {
    await this.#play();
  }

  async #over() {
    const { match, room, results, widget } = this;
    room.table.state = "finished";
    match.follow({ r: "job", at: performance.now(), name: "review", result: null });
    const { outcome } = match,
      won = outcome.why === "won",
      title = say("page.result.headline", { what: won ? "won" : "lost", name: "" });
    announce(title);
    results.replaceChildren(
      h("h2", { class: won ? "won" : "" }, title),
      h("p", { class: "dim" }, say("page.practice.over")),
      ...((await widget?.review?.(room, outcome)) ?? []),
      button(say("page.minesweeper.fresh"), () => this.ask(), { class: "main" }),
      this.#levels(),
    );
    this.#ended(true);
    if (won) import("./room/celebrate.js").then(({ celebrate }) => celebrate(results));
  }

  /** @param {boolean} yes */
  #ended(yes) {
    this.panels.hidden = !yes;
    this.stage.classList.toggle("ended", yes);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.busy ? this.widget?.controls?.key(event) : false;
  }

  refocus() {
    return this.busy ? this.widget?.controls?.refocus() : false;
  }
}
