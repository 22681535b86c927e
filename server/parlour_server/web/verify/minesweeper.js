// Replay a match of Minesweeper from its records, by the rules of SPEC.md: the full state, mines included.

import { around } from "../games/minesweeper/moves.js";
import { below, dealKey, drawn, words } from "../core/fair.js";
import { canonical, wrong } from "./game_file.js";
import { substitute } from "./kind.js";
import { ranked } from "./ranks.js";

/** @type {Record<string, [number, number, number]>} */
const LEVELS = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [30, 16, 99] };
/** @type {[number, number, number]} */
const DUEL = [16, 16, 51];
const MINE = 9,
  BOMB = 2,
  SEQ = 64,
  VERBS = ["open", "flag", "unflag", "chord"];
/** @param {number} n */
const range = (n) => [...Array(n).keys()];

/** @typedef {{ shown: string[], open: number }} Field - a board as its players see it */
/**
 * @typedef {{
 *   status: string, opened: number, clicks: number, penalty: number, ended: number | null, place: number,
 *   earned: boolean, found: number, bomb: boolean,
 * }} Player
 */
/** @typedef {[verb: string, x: number, y: number]} Todo */
/** @typedef {{ seat: number, steps: Todo[] }} Waiting - what is done when there is a board */
/**
 * What an act has done.
 * @typedef {{ opened: number[], came: number, flags: { on: boolean, cells: number[] }[], mine: number | null }} Done
 */

export class Match {
  /** The options whose rules it knows. */
  static OPTIONS = [
    "mode",
    "level",
    "width",
    "height",
    "mines",
    "first",
    "first_cell",
    "lives",
    "penalty",
    "no_guess",
    "kind",
  ];

  /**
   * `begun`: the first record of a match file.
   * @param {Plain} begun
   */
  constructor({ options, players, secret, context, nonces, at, rules, standin = false }) {
    const { mode, level } = options,
      race = mode === "race",
      given = options.first_cell ?? -1,
      begins = race || given >= 0;
    const [width, height, mines] =
      level === "custom" ? [options.width, options.height, options.mines] : mode === "duel" ? DUEL : LEVELS[level];
    this.width = width;
    this.height = height;
    this.mines = mines;
    this.cells = width * height;
    this.safe = this.cells - mines;
    const count = race ? players.length : 1;
    this.options = options;
    this.rules = rules;
    this.standin = standin;
    this.mode = mode;
    this.race = race;
    this.begins = begins;
    this.start = at;
    this.key = dealKey(secret, context, 1, nonces);
    this.phase = "new";
    /** @type {number[] | null} */
    this.layout = null;
    /** @type {number[]} The mines around each cell. */
    this.numbers = /** @type {any} */ (null);
    this.first = -1;
    this.attempt = 0;
    this.spared = 0;
    this.unspared = 0;
    /** @type {Waiting | null} */
    this.waiting = null;
    this.lives = options.lives;
    this.turn = 0;
    this.now = 0;
    this.began = 0;
    /** @type {string | null} */
    this.why = null;
    /** @type {any} */
    this.reviewed = null;
    /** @type {Plain[]} */
    this.log = [];
    /** @type {Player[]} */
    this.players = players.map(() => ({
      status: "in",
      opened: 0,
      clicks: 0,
      penalty: 0,
      ended: null,
      place: 0,
      earned: true,
      found: 0,
      bomb: true,
    }));
    /** @type {Field[]} */
    this.fields = range(count).map(() => ({ shown: Array(this.cells).fill("."), open: 0 }));
    /** @type {[seat: number, cells: number[]][][]} */
    this.openings = range(count).map(() => []);
    if (begins) {
      this.first = given >= 0 ? given : below(words(this.key, "start"), this.cells);
      this.#begin(null);
    } else if (mode === "duel") {
      this.#lay("any", 0, 1);
      this.#emit("board");
    }
  }

  /**
   * Apply a record. Returns its events; fails if the rules do not allow it.
   * @param {Plain} record
   */
  follow({ r, at, seat, act, name, result }) {
    this.log = [];
    if (["act", "timeout", "job", "vacated"].includes(r)) this.now = at - this.start;
    if (r === "act") this.#act(seat, act);
    else if (r === "timeout") this.#act(seat, { do: "pass" });
    else if (r === "job") this.#settle(name, result);
    else if (
      r === "vacated" &&
      !this.standin &&
      this.players[seat].status === "in" &&
      !["review", "over"].includes(this.phase)
    )
      this.#leave(seat, "left");
    return this.log;
  }

  /**
   * @param {string} e
   * @param {Plain} [more]
   */
  #emit(e, more = {}) {
    this.log.push({ e, ...more });
  }
  /** @param {number} cell */
  #at(cell) {
    return /** @type {[x: number, y: number]} */ ([cell % this.width, Math.floor(cell / this.width)]);
  }
  /** @param {[x: number, y: number]} place */
  #cell([x, y]) {
    if (!(x >= 0 && y >= 0 && x < this.width && y < this.height)) throw wrong("cell", null, { x, y });
    return y * this.width + x;
  }
  /** @param {number} cell */
  #near(cell) {
    return around(this, ...this.#at(cell)).map(([x, y]) => this.#cell([x, y]));
  }
  #stillIn() {
    return range(this.players.length).filter((seat) => this.players[seat].status === "in");
  }
  /** @param {number} seat */
  #number(seat) {
    return this.race ? seat : 0;
  }

  // --- the board ---

  get #promise() {
    const { first, no_guess: noGuess } = this.options;
    return first === "any" && (this.begins || noGuess) ? "safe" : first;
  }

  /**
   * @param {string} promise
   * @param {number} first
   * @param {number} attempt
   */
  #lay(promise, first, attempt) {
    const reach = /** @type {Record<string, number>} */ ({
        any: -1,
        safe: 0,
        opening: 1,
        radius: Math.floor(this.width / 8),
      })[promise],
      [x, y] = this.#at(first);
    /** @param {number} cell */
    const far = (cell) => {
      const [u, v] = this.#at(cell);
      return Math.max(Math.abs(u - x), Math.abs(v - y)) > reach;
    };
    this.#put(
      drawn(words(this.key, `mines/${attempt}`), range(this.cells).filter(far), this.mines).sort((a, b) => a - b),
    );
    this.attempt = attempt;
    this.phase = "playing";
    this.began = this.now;
  }

  /** @param {number[]} layout */
  #put(layout) {
    const mined = new Set(layout);
    this.layout = layout;
    this.numbers = range(this.cells).map((cell) =>
      mined.has(cell) ? MINE : this.#near(cell).filter((near) => mined.has(near)).length,
    );
  }

  /**
   * On a kind board, take another layout if a forced guess hits a mine. Returns the number of cells opened, null if
   *   the mine goes off.
   * @param {Field} field
   * @param {number} cell
   */
  #guess(field, cell) {
    const came = this.#open(field, cell);
    if (came !== null || !this.options.kind) return came;
    const layout = substitute(
      field.shown,
      this.mines,
      (at) => this.#near(at),
      cell,
      words(this.key, `kind/${this.spared + 1}`),
      this.rules < 3,
    );
    if (layout === undefined && this.rules >= 3) this.unspared++;
    if (!layout) return null;
    this.#put(layout);
    this.spared++;
    return this.#open(field, cell);
  }

  /** @param {Waiting | null} waiting */
  #begin(waiting) {
    if (!this.options.no_guess) return this.#place(1);
    this.phase = "making";
    this.waiting = waiting;
    this.#emit("making");
  }

  /** @param {number} attempt */
  #place(attempt) {
    this.#lay(this.#promise, this.first, attempt);
    const came = this.begins ? this.fields.map((field) => this.#open(field, this.first) ?? 0) : [0];
    this.#emit("board", this.begins ? { at: this.#at(this.first), n: came[0] } : {});
    if (this.begins && came[0] === this.safe) for (const seat of this.#stillIn()) this.#clear(seat, 0);
  }

  /**
   * @param {string} name
   * @param {any} result
   */
  #settle(name, result) {
    if (name === "review") {
      this.reviewed = result;
      this.phase = "over";
      return this.#emit("review");
    }
    const { waiting } = this;
    this.waiting = null;
    if (result.attempt === null || result.attempt === undefined) return this.#end("no_board");
    this.#place(result.attempt);
    if (waiting) this.#go(waiting.seat, waiting.steps);
  }

  /**
   * Open a cell. Returns the number of cells opened, null if it was a mine.
   * @param {Field} field
   * @param {number} cell
   */
  #open(field, cell) {
    if (field.shown[cell] !== ".") return 0;
    if (this.numbers[cell] === MINE) return null;
    const before = field.open,
      show = (/** @type {number} */ at) => {
        field.shown[at] = String(this.numbers[at]);
        field.open++;
      };
    show(cell);
    for (const todo = this.numbers[cell] ? [] : [cell]; todo.length; ) {
      for (const near of this.#near(todo.pop() ?? cell)) {
        if (field.shown[near] !== ".") continue;
        show(near);
        if (!this.numbers[near]) todo.push(near);
      }
    }
    return field.open - before;
  }

  // --- acts ---

  /**
   * What answers the question that a seat is asked, null if it is asked none: no list, since the grid is the list.
   * @param {number} seat
   */
  questions(seat) {
    return { legal: this.#asked(seat) ? [] : null, may: [] };
  }

  /** @param {number} seat */
  #asked(seat) {
    if (this.#decided || (this.phase === "making" && (!this.waiting || this.waiting.seat === seat))) return false;
    return this.mode === "duel" ? this.turn === seat : this.players[seat]?.status === "in";
  }

  /**
   * Whether the rules allow an act, at cells of the board.
   * @param {number} seat
   * @param {Plain} action
   */
  #allows(seat, { do: what, cells, moves, at }) {
    const { phase, mode } = this,
      field = this.fields[this.#number(seat)];
    if (what === "pass") return true;
    if (phase === "making") return false;
    if (mode === "duel")
      return what === "bomb"
        ? at.length === 2 && this.#cell(at) >= 0 && this.#bombOf(seat) === "ready"
        : what === "open" &&
            cells.length > 0 &&
            cells.every((/** @type {[number, number]} */ each) => field.shown[this.#cell(each)] === ".");
    if (what === "seq")
      return (
        moves.length > 0 && moves.length <= SEQ && moves.every((/** @type {Todo} */ [verb]) => VERBS.includes(verb))
      );
    const open = (/** @type {[number, number]} */ each) => "012345678".includes(field.shown[this.#cell(each)]);
    return VERBS.includes(what) && cells.length > 0 && (what !== "chord" || cells.every(open));
  }

  /**
   * @param {number} seat
   * @param {Plain} action
   */
  #act(seat, action) {
    if (!this.#asked(seat)) throw wrong("turn", null, { seat });
    if (action.do === "resign") return this.#leave(seat, "resigned");
    if (!this.#allows(seat, action)) throw wrong("act", null, { seat, act: canonical(action) });
    if (this.mode === "duel") return this.#duel(seat, action);
    if (action.do === "pass") return this.#leave(seat, "clock");
    this.players[seat].earned = false;
    this.#go(seat, action.moves ?? action.cells.map((/** @type {[number, number]} */ [x, y]) => [action.do, x, y]));
  }

  /**
   * @param {number} seat
   * @param {Todo[]} todo
   */
  #go(seat, todo) {
    const player = this.players[seat],
      field = this.fields[this.#number(seat)];
    /** @type {Done} */
    const done = { opened: [], came: 0, flags: [], mine: null };
    const clear = () => this.layout !== null && field.open === this.safe;
    for (const [number, [verb, x, y]] of todo.entries()) {
      const cell = this.#cell([x, y]);
      if (verb === "open" && this.layout === null && field.shown[cell] === ".") {
        this.first = cell;
        this.#begin({ seat, steps: todo.slice(number) });
        if (this.layout === null) break;
      }
      player.clicks += this.#step(field, verb, cell, done) ? 1 : 0;
      if (done.mine !== null || clear()) break;
    }
    this.#count(seat, player, done);
    if (done.mine !== null) this.#explode(seat, field, done.mine);
    if (clear() && this.why === null) this.#clear(seat, this.players.length - this.#stillIn().length);
  }

  /**
   * Make one move. Returns whether it changed anything.
   * @param {Field} field
   * @param {string} verb
   * @param {number} cell
   * @param {Done} done
   */
  #step(field, verb, cell, done) {
    if (verb === "flag" || verb === "unflag") return this.#flag(field, verb === "flag", cell, done);
    if (this.layout === null) return false;
    const before = done.opened.length;
    for (const target of verb === "open" ? [cell] : this.#chord(field, cell)) {
      const came = this.#guess(field, target);
      if (came === null) {
        done.mine = target;
        return true;
      }
      if (came) done.opened.push(target);
      done.came += came;
    }
    return done.opened.length > before;
  }

  /**
   * @param {Field} field
   * @param {boolean} on
   * @param {number} cell
   * @param {Done} done
   */
  #flag(field, on, cell, done) {
    if (field.shown[cell] !== (on ? "." : "F")) return false;
    field.shown[cell] = on ? "F" : ".";
    const last = done.flags.at(-1);
    if (last?.on === on) last.cells.push(cell);
    else done.flags.push({ on, cells: [cell] });
    return true;
  }

  /**
   * @param {Field} field
   * @param {number} cell
   */
  #chord(field, cell) {
    const char = field.shown[cell],
      near = this.#near(cell);
    if (!"012345678".includes(char) || near.filter((at) => "F*AB".includes(field.shown[at])).length !== Number(char))
      return [];
    return near.filter((at) => field.shown[at] === ".");
  }

  /**
   * @param {number} seat
   * @param {Player} player
   * @param {Done} done
   */
  #count(seat, player, { opened, came, flags, mine }) {
    for (const { on, cells } of flags) this.#emit("flag", { seat, at: cells.map((cell) => this.#at(cell)), on });
    if (opened.length) this.#emit("open", { seat, at: opened.map((cell) => this.#at(cell)), n: came });
    player.opened += came;
    player.earned ||= came > 0;
    const cells = mine === null ? opened : [...opened, mine];
    if (cells.length) this.openings[this.#number(seat)].push([seat, cells]);
  }

  /**
   * @param {number} seat
   * @param {Field} field
   * @param {number} cell
   */
  #explode(seat, field, cell) {
    field.shown[cell] = "*";
    this.#emit("mine", { seat, at: this.#at(cell) });
    if (this.mode === "coop") {
      if (!--this.lives) this.#end("lost");
    } else if (this.options.penalty) this.players[seat].penalty += this.options.penalty;
    else this.#leave(seat, "mine");
  }

  /**
   * @param {number} seat
   * @param {number} place
   */
  #clear(seat, place) {
    if (!this.race) return this.#end("won");
    Object.assign(this.players[seat], { status: "done", ended: this.now, place });
    this.#emit("done", { seat, ms: this.#time(this.players[seat]) });
    if (!this.#stillIn().length) this.#end("race");
  }

  /**
   * @param {number} seat
   * @param {string} why
   */
  #leave(seat, why) {
    const status = this.mode === "coop" && why === "clock" ? "frozen" : "out";
    this.#emit("out", { seat, why });
    if (this.mode === "duel") return this.#win(1 - seat, why);
    Object.assign(this.players[seat], { status, ended: this.now });
    if (!this.#stillIn().length) this.#end(this.race ? "race" : "lost");
  }

  /** @param {string} why */
  #end(why) {
    this.why = why;
    this.phase = this.openings.some((list) => list.length) ? "review" : "over";
    for (const seat of this.#stillIn())
      Object.assign(this.players[seat], { status: why === "won" ? "done" : "out", ended: this.now });
    this.#emit("end", { why });
  }

  /** @param {Player} player */
  #time({ ended, penalty }) {
    return this.layout === null ? 0 : Math.max(0, (ended ?? this.now) - this.began) + penalty;
  }

  // --- duels ---

  /**
   * @param {number} seat
   * @param {Plain} action
   */
  #duel(seat, action) {
    if (action.do === "pass") {
      this.#emit("pass", { seat });
      this.turn = 1 - seat;
    } else if (action.do === "bomb") this.#bomb(seat, action.at);
    else this.#look(seat, [...new Set(action.cells.map((/** @type {[number, number]} */ at) => this.#cell(at)))]);
  }

  get #needed() {
    return Math.floor(this.mines / 2) + 1;
  }

  /**
   * @param {number} seat
   * @param {number} cell
   */
  #take(seat, cell) {
    this.fields[0].shown[cell] = "AB"[seat];
    return ++this.players[seat].found >= this.#needed;
  }

  /**
   * @param {number} seat
   * @param {number[]} cells
   */
  #look(seat, cells) {
    const player = this.players[seat];
    /** @type {number[]} */
    const found = [];
    const report = () => found.length && this.#emit("found", { seat, at: found.map((cell) => this.#at(cell)) });
    player.clicks++;
    for (const cell of cells) {
      if (this.numbers[cell] !== MINE) {
        report();
        const n = this.#open(this.fields[0], cell) ?? 0;
        player.opened += n;
        this.#emit("miss", { seat, at: this.#at(cell), n });
        this.turn = 1 - seat;
        return;
      }
      found.push(cell);
      if (this.#take(seat, cell)) break;
    }
    report();
    this.#decide(seat);
  }

  /**
   * @param {number} seat
   * @param {[number, number]} at
   */
  #bomb(seat, at) {
    const [field] = this.fields,
      player = this.players[seat],
      before = field.open,
      [x, y] = at,
      had = player.found;
    player.bomb = false;
    player.clicks++;
    for (let v = Math.max(0, y - BOMB); v <= Math.min(this.height - 1, y + BOMB); v++) {
      for (let u = Math.max(0, x - BOMB); u <= Math.min(this.width - 1, x + BOMB); u++) {
        const cell = this.#cell([u, v]);
        if (this.numbers[cell] !== MINE) this.#open(field, cell);
        else if (".F".includes(field.shown[cell])) this.#take(seat, cell);
      }
    }
    player.opened += field.open - before;
    this.#emit("bomb", { seat, at, n: field.open - before, found: player.found - had });
    this.turn = 1 - seat;
    this.#decide(seat);
  }

  /** @param {number} seat */
  #decide(seat) {
    if (this.players[seat].found >= this.#needed) this.#win(seat, "majority");
  }

  /**
   * @param {number} winner
   * @param {string} why
   */
  #win(winner, why) {
    this.why = why;
    this.phase = "over";
    this.players.forEach((player, seat) =>
      Object.assign(player, { status: seat === winner ? "done" : "out", ended: this.now }),
    );
    this.#emit("end", { why });
  }

  // --- views ---

  get #decided() {
    return this.phase === "review" || this.phase === "over";
  }

  /**
   * What `viewer`, a seat or null, may see.
   * @param {number | null} viewer
   */
  view(viewer) {
    const { mode, width, height, mines, safe } = this;
    return {
      mode,
      phase: this.phase === "review" ? "over" : this.phase,
      width,
      height,
      mines,
      safe,
      rows: this.#rows(viewer),
      players: this.players.map((player, seat) => this.#player(player, seat, viewer)),
      ...(mode === "coop" && { lives: this.lives, open: this.fields[0].open }),
      ...(mode === "duel" && { turn: this.phase === "over" ? null : this.turn }),
    };
  }

  /** @param {number | null} viewer */
  #rows(viewer) {
    const open = this.#decided && this.layout !== null,
      field = this.fields[this.#number(viewer ?? 0)];
    if (this.race && viewer === null)
      return open ? this.#cut(this.numbers.map((number) => (number === MINE ? "M" : String(number)))) : null;
    const won = field.open === this.safe,
      mine = (/** @type {number} */ cell) => this.numbers[cell] === MINE;
    /**
     * @param {string} char
     * @param {number} cell
     */
    const reveal = (char, cell) =>
      char === "F" && !mine(cell) ? "X" : char === "." && mine(cell) ? (won ? "F" : "M") : char;
    return this.#cut(open ? field.shown.map(reveal) : field.shown);
  }

  /** @param {string[]} chars */
  #cut(chars) {
    return range(this.height).map((y) => chars.slice(y * this.width, (y + 1) * this.width).join(""));
  }

  /**
   * @param {Player} player
   * @param {number} seat
   * @param {number | null} viewer
   */
  #player(player, seat, viewer) {
    const shown = { state: player.status, open: this.race ? this.fields[seat].open : player.opened };
    if (this.mode === "duel") {
      return { ...shown, found: player.found, bomb: this.#bombOf(seat) };
    }
    return {
      ...shown,
      ...(player.ended !== null && { ms: this.#time(player) }),
      ...((seat === viewer || this.#decided) && { clicks: player.clicks }),
      ...(this.options.penalty && { penalty: player.penalty }),
    };
  }

  /** @param {number} seat */
  #bombOf(seat) {
    const { bomb, found } = this.players[seat];
    return bomb && found < this.players[1 - seat].found ? "ready" : bomb ? "kept" : "thrown";
  }

  // --- the result ---

  /** The result, once the match is over. */
  get outcome() {
    if (this.phase !== "over") return null;
    return {
      ranks: this.#ranks(),
      scores: this.scores,
      why: this.why,
      ...(this.layout !== null && { stats: this.#statistics() }),
    };
  }

  #ranks() {
    if (!this.race)
      return this.players.map(({ status }) =>
        (this.mode === "duel" ? status === "done" : this.why === "won" && status !== "out") ? 1 : 2,
      );
    return ranked(
      this.players.map((player, seat) =>
        player.status === "done"
          ? [0, this.#time(player), this.rules === 1 ? player.place : player.clicks]
          : [1, -this.fields[seat].open, player.clicks],
      ),
    );
  }

  #statistics() {
    if (this.mode === "duel") return { seats: this.players.map(({ found, opened }) => ({ found, opened })) };
    const parts = this.#parts(),
      reviewed = this.reviewed?.seats ?? [];
    const seats = this.players.map((player, seat) => ({
      ...this.#figures(player, this.fields[this.#number(seat)], this.#done(seat, parts)),
      ...reviewed[seat],
    }));
    return { bbbv: new Set(parts.values()).size, seats, ...this.#kindCounts() };
  }

  #kindCounts() {
    return {
      ...(this.options.kind && { spared: this.spared }),
      ...(this.unspared && { unspared: this.unspared }),
    };
  }

  /** The parts of the board that its 3BV counts, by the cells that do them: an area of zeros, or a cell at no zero. */
  #parts() {
    /** @type {Map<number, number>} */
    const parts = new Map(),
      zero = (/** @type {number} */ cell) => this.numbers[cell] === 0;
    for (const cell of range(this.cells).filter(zero)) {
      if (parts.has(cell)) continue;
      parts.set(cell, cell);
      for (const todo = [cell]; todo.length; ) {
        for (const near of this.#near(todo.pop() ?? cell)) {
          if (!zero(near) || parts.has(near)) continue;
          parts.set(near, cell);
          todo.push(near);
        }
      }
    }
    for (const cell of range(this.cells))
      if (this.numbers[cell] !== MINE && !zero(cell) && !this.#near(cell).some(zero)) parts.set(cell, cell);
    return parts;
  }

  /**
   * The number of parts that a seat has done first.
   * @param {number} seat
   * @param {Map<number, number>} parts
   */
  #done(seat, parts) {
    const gone = new Set();
    let own = 0;
    for (const [by, cells] of this.openings[this.#number(seat)]) {
      for (const part of cells.map((cell) => parts.get(cell))) {
        if (part === undefined || gone.has(part)) continue;
        gone.add(part);
        own += by === seat ? 1 : 0;
      }
    }
    return own;
  }

  /**
   * @param {Player} player
   * @param {Field} field
   * @param {number} bbbv
   */
  #figures(player, field, bbbv) {
    const ms = this.#time(player),
      { clicks, opened } = player,
      flags = field.shown.filter((char, cell) => char === "F" && this.numbers[cell] === MINE).length;
    return {
      ms,
      clicks,
      opened,
      bbbv,
      rate: ms ? Math.floor((bbbv * 1_000_000) / ms) : 0,
      efficiency: clicks ? Math.floor((100 * bbbv) / clicks) : 0,
      flagged: field.open === this.safe ? 100 : Math.floor((100 * flags) / this.mines),
      open: Math.floor((100 * field.open) / this.safe),
    };
  }

  /** The score of each seat. */
  get scores() {
    if (this.race) return this.fields.map(({ open }) => open);
    return this.players.map(({ found, opened }) => (this.mode === "duel" ? found : opened));
  }

  /**
   * An event as `viewer` may see it; null if hidden.
   * @param {Plain} event
   * @param {number | null} viewer
   */
  redact(event, viewer) {
    const { e, seat, at, ...rest } = event;
    if (e === "board") return this.race ? { e, ...rest, ...(viewer !== null && { at }) } : { e };
    if (!this.race || viewer === seat || !["open", "flag", "mine"].includes(e)) return event;
    return e === "flag" ? null : { e, seat, ...rest };
  }

  /** The full state as plain data: its hash is in the last record. */
  canonical() {
    const { phase, first, attempt, waiting, players, openings, lives, turn, began, why, reviewed } = this;
    return {
      phase,
      mines: this.layout,
      first,
      attempt,
      waiting,
      fields: this.fields.map((field) => field.shown.join("")),
      players,
      openings,
      lives,
      turn,
      began,
      why,
      reviewed,
      ...this.#kindCounts(),
    };
  }
}
