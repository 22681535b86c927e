// Four in a row on the web page: a board whose columns are buttons. The server serves this file as
// games/fourinarow/widget.js, so the modules of the page are two folders up.

import { button, h, set, style, text, who } from "../../core/dom.js";
import { say, timeLeft } from "../../core/phrases.js";
import { columnName } from "../../games/any/actions.js";

/** @type {Record<string, string>} What a sign of the view looks like, by its class. */
const LOOKS = { X: "disc first", O: "disc second", ".": "disc" };

export class Widget {
  /** @type {HTMLButtonElement[]} */
  columns = [];
  /** @type {Room} */
  room;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    style("games/fourinarow/widget.css");
    this.players = h("p", { class: "players row" });
    this.board = h("div", { class: "columns", role: "group", "aria-label": say("fourinarow.page.board") });
    this.turn = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.el = h(
      "section",
      { class: "fourinarow", "aria-label": say("fourinarow.name") },
      this.players,
      this.board,
      h("p", { class: "turn row" }, this.turn, this.seconds, this.rule),
    );
    /** @type {Controls | null} */
    this.controls = view.act ? this : null; // a replay only shows
  }

  /** @param {Room} room */
  show(room) {
    /** @type {{ board: string[], line?: [number, number][], turn: number | null }} */
    const { board, line = [], turn } = /** @type {any} */ (room.view),
      won = line.map(String);
    this.room = room;
    this.#build(board);
    this.columns.forEach((column, x) => {
      const discs = board.map((row) => row[x]),
        names = discs
          .filter((sign) => sign !== ".")
          .map((sign) => room.name("XO".indexOf(sign)))
          .reverse();
      set(column, {
        "aria-label": say("fourinarow.page.column", { column: columnName(x), discs: names.join(", ") || null }),
        "aria-disabled": this.#drop(x) ? null : "true",
      });
      discs.forEach((sign, y) =>
        set(column.children[y], { class: LOOKS[sign] + (won.includes(String([y, x])) ? " won" : "") }),
      );
    });
    this.players.replaceChildren(
      ...room.table.seats.map(({ seat, name }) =>
        h("span", { class: seat === turn ? "on" : "" }, h("span", { class: LOOKS["XO"[seat]] }), who(name)),
      ),
    );
    text(
      this.turn,
      say("page.any.turn", {
        turn: room.over ? "over" : room.question ? "yours" : turn === null ? "none" : "other",
        name: turn === null ? "" : room.name(turn),
      }),
    );
    this.turn.classList.toggle("mine", Boolean(room.question));
    this.tick(room);
  }

  /** @param {string[]} board */
  #build(board) {
    if (this.columns.length === board[0].length) return;
    this.columns = [...board[0]].map((_, x) => {
      const column = /** @type {HTMLButtonElement} */ (button("", () => this.#press(x), { class: "column" }));
      column.append(...board.map(() => h("span")));
      return column;
    });
    this.board.replaceChildren(...this.columns);
    this.board.style.setProperty("--columns", String(board[0].length));
    this.board.style.setProperty("--rows", String(board.length));
  }

  /**
   * The action that drops a disc into column `x`, if it is legal now.
   * @param {number} x
   */
  #drop(x) {
    return this.view.act ? this.room.question?.legal.find(({ column }) => column === x) : undefined;
  }

  /** @param {number} x */
  #press(x) {
    const { question } = this.room,
      drop = this.#drop(x);
    if (question && drop) this.view.act?.(question.rid, drop);
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const at = this.columns.findIndex((column) => column === document.activeElement),
      step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (/^[1-9]$/.test(key)) this.#press(Number(key) - 1);
    else if (step)
      this.columns[
        at < 0 ? Math.floor(this.columns.length / 2) : (at + step + this.columns.length) % this.columns.length
      ].focus();
    else return false;
    return true;
  }

  /** @param {Room} room */
  tick(room) {
    const { turn } = room.view,
      left = Number.isInteger(turn) ? room.left(turn, performance.now()) : null;
    text(this.seconds, left === null ? "" : timeLeft(left));
  }

  /** @returns {[key: string, label: string][]} */
  hints() {
    return this.room?.question ? [["← → 1–9", say("fourinarow.page.keys")]] : [];
  }
  /** @param {string} words */
  remark(words) {
    text(this.rule, words);
  }
  manual() {
    return {};
  }
  news() {}
  refused() {}
  refocus() {
    return false;
  }
  take() {}
}
