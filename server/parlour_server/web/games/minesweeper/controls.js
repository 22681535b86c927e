// The controls of a player of Minesweeper: mouse, touch and keys.

import { announce, button, set, text } from "../../core/dom.js";
import { say } from "../../core/phrases.js";
import { Moves, around } from "./moves.js";

const WOBBLE = 14; // pixels that a finger may move in a long press
const LARGER = 1.6; // times the usual size
/** @type {Record<string, [number, number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  h: [-1, 0],
  l: [1, 0],
  k: [0, -1],
  j: [0, 1],
};

const KEYS = { f: "flag", c: "chord", b: "bomb", n: "next", z: "larger" };

export const keys = () => [
  [say("page.help.mines.arrows"), say("page.help.mines.move")],
  [say("page.help.mines.space"), say("page.help.mines.open")],
  ...Object.entries(KEYS).map(([key, does]) => [key, say(`page.help.mines.${does}`)]),
];
export const help = () => [say("page.help.mines.press")];

export class Controls {
  /** @type {Room} */
  room;
  renewing = false;

  /** @param {import("./widget.js").Widget} widget */
  constructor(widget) {
    this.widget = widget;
    this.view = widget.view;
    this.moves = new Moves();
    this.waiting = new Set();
    this.flagging = false;
    this.bombing = false;
    this.flag = button(`⚑ ${say("page.minesweeper.flag")}`, () => this.#switch("flagging"), {
      "aria-pressed": "false",
    });
    this.bomb = button(say("page.minesweeper.bomb"), () => this.#switch("bombing"), {
      "aria-pressed": "false",
      hidden: true,
    });
    this.zoom = button(say("page.minesweeper.larger"), () => this.#zoom(), { "aria-pressed": "false" });
    this.fresh = button(say("page.minesweeper.fresh"), () => this.#renew(), { hidden: true });
    this.skip = button(say("room.skip"), () => this.view.skip(), { hidden: true });
    widget.menu.append(this.flag, this.bomb, this.zoom, this.fresh, this.skip);
    widget.menu.hidden = false;
    this.#listen(widget.grid);
  }

  /**
   * Update to the room as it is now, and send the moves that wait if they still count.
   * @param {Room} room
   */
  take(room) {
    const { view, question } = room;
    this.room = room;
    this.moves.asked(question?.rid ?? null);
    // in a duel the next turn may be ours
    const wanted = view.phase !== "over" && view.mode !== "duel" && this.widget.ours?.state === "in";
    if (!question && !wanted) this.moves.drop();
    if (question) this.#send();
    this.#count();
  }

  #count() {
    this.waiting = new Set(this.moves.all.map(([, x, y]) => `${x},${y}`));
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  char(x, y) {
    return this.moves.at(this.room.view.rows, x, y);
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  waits(x, y) {
    return this.waiting.size > 0 && this.waiting.has(`${x},${y}`);
  }

  /** @param {Room} room */
  show({ view, seat, underWay, table }) {
    const duel = view.mode === "duel";
    this.fresh.hidden = view.mode !== "solo" || !underWay || table.fair?.deal === "daily"; // its first attempt counts
    if (!underWay && this.renewing) {
      this.renewing = false;
      this.view.ask({ t: "ready" });
    }
    const out = view.phase !== "over" && ["out", "done"].includes(this.widget.ours?.state);
    this.skip.hidden = !out || !this.view.canSkip;
    this.flag.hidden = duel || !underWay || !this.skip.hidden;
    this.bomb.hidden = !duel || view.players[seat ?? -1]?.bomb !== "ready";
  }

  /** @param {HTMLElement} grid */
  #listen(grid) {
    /**
     * @param {any} event
     * @returns {Cell | null}
     */
    const at = (event) => event.target.closest?.("[role=gridcell]");
    /** @type {number | undefined} */
    let pressed;
    let held = false;
    let start = { x: 0, y: 0, moved: false };
    const release = () => {
      clearTimeout(pressed);
      pressed = undefined;
    };
    grid.addEventListener("click", (event) => {
      const cell = at(event);
      if (held) held = false;
      else if (cell) this.#want(this.bombing ? "bomb" : this.flagging ? this.#mark(cell) : "open", cell);
    });
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const cell = at(event);
      if (cell && !held && pressed === undefined) this.#want("flag", cell);
    });
    grid.addEventListener("auxclick", (event) => {
      const cell = at(event);
      if (event.button === 1 && cell) this.#want("chord", cell);
    });
    grid.addEventListener("mousedown", (event) => {
      if (event.button === 1) event.preventDefault();
    });
    grid.addEventListener("pointerdown", (event) => {
      held = false;
      const cell = at(event);
      if (cell && event.button < 2) this.#preview(cell);
      if (event.pointerType === "mouse" || !cell) return;
      release();
      start = { x: event.clientX, y: event.clientY, moved: false };
      pressed = setTimeout(() => {
        held = true; // so long a touch opens nothing, whatever else it does
        if (start.moved || this.widget.roam?.busy) return;
        navigator.vibrate?.(15);
        this.#want(this.#mark(cell), cell);
      }, this.view.app.prefs.press);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      grid.addEventListener(name, () => setTimeout(release));
    grid.addEventListener("pointermove", (event) => {
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > WOBBLE) start.moved = true;
    });
  }

  /**
   * Show the cells that a chord on `cell` would open as pressed, until the pointer is released.
   * @param {Cell} cell
   */
  #preview({ x, y }) {
    const { room, widget } = this,
      { view } = room;
    if (!this.#playing || view.mode === "duel" || !"12345678".includes(this.char(x, y))) return;
    const near = around(view, x, y).filter(([u, v]) => this.char(u, v) === ".");
    const cells = near.map(([u, v]) => widget.cell(u, v)),
      ended = new AbortController();
    const end = () => {
      for (const each of cells) each.classList.remove("near");
      ended.abort();
    };
    for (const each of cells) each.classList.add("near");
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: ended.signal });
  }

  get #playing() {
    const { view, underWay } = this.room;
    return this.widget.ours?.state === "in" && view.phase !== "over" && view.phase !== "making" && underWay;
  }

  /**
   * What a long press or a press with the flag means: on an open number only a chord makes sense.
   * @param {Cell} cell
   */
  #mark({ x, y }) {
    const { rows } = this.room.view;
    return rows && ".F".includes(this.char(x, y)) ? "flag" : "chord";
  }

  /**
   * @param {string} verb
   * @param {Cell} cell
   */
  #want(verb, cell) {
    const { room, widget } = this,
      { view } = room,
      { ours } = widget;
    widget.point(cell);
    if (!this.#playing || !ours) return;
    if (view.mode === "duel" && view.turn !== room.seat) return this.remark(say("page.minesweeper.not_turn"));
    const why = this.moves.want(verb, cell.x, cell.y, view, ours.bomb);
    this.bombing = false;
    set(this.bomb, { "aria-pressed": "false" });
    if (why) return this.remark(why);
    text(widget.rule, "");
    if (room.question) this.#send();
    this.#count();
    widget.board(view);
  }

  #send() {
    const rid = this.room.question?.rid;
    if (rid === undefined || this.view.acting(rid)) return;
    const action = this.moves.take(rid, this.room.view);
    if (action) this.view.act?.(rid, action);
  }

  refused() {
    this.moves.drop();
    this.#count();
    this.widget.board(this.room.view);
  }

  /**
   * Say in the turn line why something was not done.
   * @param {string} words
   */
  remark(words) {
    text(this.widget.rule, words);
    announce(words);
  }

  /** @param {"flagging" | "bombing"} what */
  #switch(what) {
    this[what] = !this[what];
    set(what === "flagging" ? this.flag : this.bomb, { "aria-pressed": String(this[what]) });
  }

  #zoom() {
    this.widget.rescale(this.widget.scale > 1 ? 1 : LARGER);
  }

  /** Give this board up for a new one. */
  #renew() {
    const { question } = this.room;
    if (!question || this.view.acting(question.rid)) return this.remark(say("page.minesweeper.wait"));
    this.renewing = true;
    this.moves.drop();
    this.view.act?.(question.rid, { do: "resign" });
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #focus(x, y) {
    const { view } = this.room,
      cell = this.widget.cell(Math.max(0, Math.min(view.width - 1, x)), Math.max(0, Math.min(view.height - 1, y)));
    cell?.focus();
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Move the focus to the board. */
  refocus() {
    if (this.widget.cells.length) this.#focus(...this.widget.cursor);
    return this.widget.grid.contains(document.activeElement);
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const { widget } = this,
      { view } = this.room,
      [x, y] = widget.cursor;
    if (!widget.cells.length || view.rows === null) return false;
    const inside = widget.grid.contains(document.activeElement);
    if (ARROWS[key]) this.#focus(x + ARROWS[key][0], y + ARROWS[key][1]);
    else if (key === "Home" && inside) this.#focus(0, y);
    else if (key === "End" && inside) this.#focus(view.width - 1, y);
    else if (key === "f") this.#want("flag", widget.cell(x, y));
    else if (key === "c") this.#want("chord", widget.cell(x, y));
    else if (key === "b" && view.mode === "duel") this.#want("bomb", widget.cell(x, y));
    else if (key === "n") this.#frontier();
    else if (key === "z") this.#zoom();
    else return false;
    return true;
  }

  /** Go to the next closed cell beside an open number. */
  #frontier() {
    const { view } = this.room,
      [from, row] = this.widget.cursor,
      all = view.width * view.height;
    for (let step = 1; step <= all; step++) {
      const at = (row * view.width + from + step) % all,
        x = at % view.width,
        y = Math.floor(at / view.width);
      if (this.char(x, y) === "." && around(view, x, y).some(([u, v]) => "12345678".includes(this.char(u, v))))
        return this.#focus(x, y);
    }
  }

  /** @returns {[key: string, label: string][]} */
  hints() {
    if (this.room.view.mode === "duel")
      return [
        ["space", say("page.minesweeper.key.open")],
        ["b", say("page.minesweeper.bomb")],
        ["n", say("page.minesweeper.key.next")],
      ];
    return [
      ["space", say("page.minesweeper.key.open")],
      ["f", say("page.minesweeper.flag")],
      ["c", say("page.minesweeper.key.chord")],
      ["n", say("page.minesweeper.key.next")],
      ["z", say("page.minesweeper.key.zoom")],
    ];
  }
}
