// The board of Minesweeper as everybody sees it: counters, players, turn line, cells.

import { announce, framed, h, keyed, put, set, text, who } from "../../core/dom.js";
import { decimal, say, timeLeft } from "../../core/phrases.js";
import { cellWords, describe, said } from "./words.js";

const SAID = ["mine", "out", "done", "bomb", "miss", "found", "making"]; // events for screen readers
const ENDS = ["won", "lost", "no_board"]; // of all who play
const WAVE = 160, // ms until the last cell is open
  BOOM = 40, // ms a cell, until the next mine goes off
  FRAMES = 9, // that fit into a wave
  CELLS = 16, // that a slow phone draws in a frame; a large wave draws more, in order to end in time
  BLAST = 320, // ms
  FEW = 6; // mines of a wave that one sees go off
const RIM = 4; // pixels around the cells: beyond them nothing is to be seen

/** @typedef {{ at: number, due: number, moves: boolean }} Wave - a cell that is drawn later; when, in ms */

/** Whether nothing is to move. */
const still = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Widget {
  /** @type {import("./controls.js").Controls | null} */
  controls = null;
  /** @type {Room} */
  room;
  /** @type {Promise<any> | undefined} */
  sitting;
  /** @type {import("./roam.js").Roam | null} */
  roam = null;
  /** @type {Promise<void> | undefined} */
  roaming;
  scale = 1;
  /** @type {Cell[]} */
  cells = [];
  /** @type {string[]} What each cell shows, or will show when the wave comes to it. */
  drawn = [];
  /** @type {Wave[]} */
  wave = [];
  waving = 0; // the next frame of it
  most = CELLS; // that are drawn in one frame
  /** @type {[number, number]} */
  cursor = [0, 0];
  shape = "";
  headed = "";
  /** @type {number | undefined} */
  began;
  /** @type {[ms: number, open: number][]} How many cells we had opened when. */
  course = [];

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.counts = h("p", { class: "counts" });
    this.players = h("ul", { class: "racers", "aria-label": say("page.room.players") });
    this.head = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.seconds, this.rule);
    this.menu = h("div", { class: "menu row", role: "group", "aria-label": say("page.room.actions"), hidden: true });
    this.grid = h("div", { class: "grid", role: "grid", "aria-label": say("page.minesweeper.board") });
    this.frame = h("div", { class: "frame" }, this.grid);
    this.frame.addEventListener("scroll", () => this.#edges(), { passive: true });
    const sizes = new ResizeObserver(() => this.#sized());
    for (const el of [this.frame, this.grid]) sizes.observe(el);
    this.grid.addEventListener("focusin", ({ target }) => {
      const cell = this.cells.find((each) => each === target);
      if (cell) this.point(cell);
    });
    this.el = h(
      "section",
      { class: "mines", "aria-label": "Minesweeper" },
      this.counts,
      this.players,
      this.line,
      this.frame,
      this.menu,
    );
  }

  /** Keep the mine that was hit in sight, and mark the edges of the board. */
  #sized() {
    this.#reveal();
    this.#edges();
  }

  /** Keep the mine that was hit in sight. */
  #reveal() {
    this.cells[this.drawn.indexOf("*")]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Mark the edges beyond which the board goes on. */
  #edges() {
    const { frame } = this,
      { scrollLeft, scrollTop } = frame;
    const beyond = {
      left: scrollLeft,
      right: frame.scrollWidth - frame.clientWidth - scrollLeft,
      top: scrollTop,
      bottom: frame.scrollHeight - frame.clientHeight - scrollTop,
    };
    const more = Object.entries(beyond).filter(([, pixels]) => pixels > RIM);
    set(frame, { "data-more": more.map(([edge]) => edge).join(" ") || null });
    if (more.length || matchMedia("(any-pointer: coarse)").matches) this.#loadRoam();
    this.roam?.frame();
  }

  /** Load what looks round on a board, when it is larger than its window or fingers may scale it. */
  #loadRoam() {
    this.roaming ??= import("./roam.js").then(
      ({ Roam }) => {
        this.roam = new Roam(this);
      },
      () => {},
    );
  }

  /**
   * Scale the cells, and keep the place `x`, `y` of the frame where it is: its middle, unless told otherwise.
   * @param {number} scale
   */
  rescale(scale, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const { frame, controls } = this,
      by = scale / this.scale,
      [left, top] = [by * (frame.scrollLeft + x) - x, by * (frame.scrollTop + y) - y];
    this.scale = scale;
    frame.style.setProperty("--scale", scale.toFixed(2));
    this.el.classList.toggle("scaled", scale > 1);
    frame.scrollTo(left, top);
    if (controls) set(controls.zoom, { "aria-pressed": String(scale > 1) });
  }

  manual() {
    return import("./controls.js");
  }
  /**
   * @param {Room} room
   * @param {Protocol.Result} result
   */
  async review(room, result) {
    return (await import("./statistics.js")).review(room, result);
  }

  /**
   * @param {Room} room
   * @param {Protocol.Result} result
   */
  async inCharacters({ seat }, { stats }) {
    return (await import("./statistics.js")).inCharacters(this.course, stats?.seats?.[seat ?? -1]);
  }

  /**
   * @param {Room} room
   * @param {Plain[]} events
   * @param {boolean} live
   */
  news(room, events, live) {
    for (const event of events) {
      if (event.e === "board" && live) this.began = performance.now();
      const line = SAID.includes(event.e) ? describe(room, event) : null;
      if (line) announce(line);
    }
  }

  // --- showing ---

  /** @param {Room} room */
  show(room) {
    const { view } = room;
    this.began ??= room.began;
    this.room = room;
    this.el.classList.toggle("solo", view.mode === "solo");
    this.grid.classList.toggle("swept", this.ours?.state === "done" && this.course.length > 0);
    if (room.seat !== null && this.view.act && !this.controls) this.#sit();
    this.controls?.take(room);
    this.board(view);
    this.#counts(view);
    this.#players(room);
    this.#turn(room);
    this.controls?.show(room);
    this.tick(room);
    this.#note();
  }

  /** Note how many cells we have opened by now. */
  #note() {
    const open = this.ours?.open;
    if (this.began === undefined) this.course = [];
    else if (open && this.course.at(-1)?.[1] !== open) this.course.push([performance.now() - this.began, open]);
  }

  /** Load the controls for a player. */
  async #sit() {
    this.sitting ??= import("./controls.js");
    const { Controls } = await this.sitting;
    if (this.controls) return;
    this.controls = new Controls(this);
    this.view.show();
  }

  get ours() {
    return this.room.seat === null ? undefined : this.room.view?.players[this.room.seat];
  }

  /** @param {Plain} view */
  board(view) {
    const shape = `${view.width}×${view.height}`;
    if (view.rows === null) {
      if (this.shape !== "hidden") this.grid.replaceChildren(h("p", { class: "dim" }, say("minesweeper.rule.hidden")));
      set(this.grid, { role: null, "aria-rowcount": null, "aria-colcount": null });
      this.shape = "hidden";
      return;
    }
    if (this.shape !== shape) this.#make(view, shape);
    /** @type {number[]} */
    const news = [];
    this.cells.forEach(({ x, y }, at) => {
      const char = this.controls?.char(x, y) ?? view.rows[y][x],
        key = this.controls?.waits(x, y) ? `${char}?` : char,
        before = this.drawn[at];
      if (before === key) return;
      this.drawn[at] = key;
      if (before === undefined || char === ".") this.#paint(at, false);
      else news.push(at);
    });
    if (news.length) this.#spread(news);
    else this.roam?.draw();
  }

  /**
   * Let cells that show something new do so from the mine that was hit, or from where we have pressed, which does so at
   * once also while another wave runs.
   * @param {number[]} news
   */
  #spread(news) {
    const hit = this.cells[news.find((at) => this.drawn[at] === "*") ?? -1],
      [u, v] = hit ? [hit.x, hit.y] : this.cursor,
      far = news.map((at) => Math.hypot(this.cells[at].x - u, this.cells[at].y - v)),
      farthest = Math.max(1, ...far),
      step = hit ? BOOM : Math.min(BOOM, WAVE / farthest),
      now = performance.now(),
      alone = news.length === 1,
      wave = news.map((at, nth) => ({ at, due: far[nth] && now + far[nth] * step, moves: alone })); // 0: before others
    wave.sort((a, b) => a.due - b.due);
    const mines = wave.filter(({ at }) => "*M".includes(this.drawn[at][0])),
      apart = Math.ceil(mines.length / FEW);
    mines.forEach((each, nth) => (each.moves = nth % apart === 0));
    this.wave = [...this.wave, ...wave].sort((a, b) => a.due - b.due);
    this.most = Math.max(CELLS, Math.ceil(this.wave.length / FRAMES));
    if (hit) requestAnimationFrame(() => this.#reveal());
    const reach = farthest + 1;
    if (hit) this.#light("fire", hit, reach, 1.7 / reach, reach * BOOM);
    this.#roll();
  }

  /** Draw the cells of the wave that are due, a few in each frame: all together would take longer than a frame. */
  #roll() {
    const due = still() ? this.wave : this.wave.slice(0, this.most).filter((each) => each.due <= performance.now());
    for (const { at, moves } of this.wave.splice(0, due.length)) this.#paint(at, moves);
    set(this.grid, { "aria-busy": this.wave.length ? "true" : null });
    cancelAnimationFrame(this.waving);
    if (this.wave.length) this.waving = requestAnimationFrame(() => this.#roll());
    else this.roam?.draw();
  }

  /** Resolves when the last wave is drawn; mines that go off one after another are not waited for. */
  async drawing() {
    while (this.wave.length && !this.drawn.includes("*")) await framed();
  }

  /**
   * Draw a cell.
   * @param {number} at
   * @param {boolean} moves Whether what is new on it moves.
   */
  #paint(at, moves) {
    const cell = this.cells[at],
      { x, y } = cell,
      key = this.drawn[at],
      [char] = key,
      wait = key === ".?",
      kind = char === "." ? "closed" : char === "*" ? "hit" : char;
    text(cell, char > "0" && char < "9" ? char : "");
    if (moves && char === "M") this.#light("blast", cell, 1, 0.2, BLAST);
    cell.className = `c${kind}${(x + y) % 2 ? " odd" : ""}${wait ? " wait" : ""}${moves ? " new" : ""}`;
    cell.setAttribute("aria-label", `${cellWords(x, y, char)}${wait ? say("page.minesweeper.pending") : ""}`);
  }

  /**
   * Let light move over the board from a cell, `reach` cells far: fire, one ring that never lies on the mine that was
   * hit, or the blast of a mine. It lies above all cells: if a cell moves, those after it are painted on other layers.
   * @param {string} name
   * @param {Cell} cell
   * @param {number} reach
   * @param {number} scale At the beginning; 1 at the end.
   * @param {number} duration
   */
  #light(name, { x, y }, reach, scale, duration) {
    if (still()) return;
    const light = h("i", { class: name, "aria-hidden": "true" });
    put(light, { "--x": x, "--y": y, "--reach": reach });
    this.grid.append(light);
    light.animate([{ scale }, { scale: 1, opacity: 0 }], { duration }).finished.finally(() => light.remove());
  }

  /**
   * @param {Plain} view
   * @param {string} shape
   */
  #make(view, shape) {
    this.shape = shape;
    this.cursor = [Math.floor(view.width / 2), Math.floor(view.height / 2)];
    this.drawn = [];
    this.wave.length = 0;
    this.cells = [];
    const racers = view.players.length > 1 ? view.players.length : 0;
    put(this.frame, { "--columns": view.width, "--rows": view.height, "--racers": racers });
    this.frame.classList.toggle("wide", view.width > 16);
    set(this.grid, { role: "grid", "aria-rowcount": view.height, "aria-colcount": view.width });
    this.grid.replaceChildren(
      ...Array.from({ length: view.height }, (_, y) =>
        h(
          "div",
          { role: "row" },
          ...Array.from({ length: view.width }, (_, x) => {
            const cell = Object.assign(h("button", { type: "button", role: "gridcell", tabindex: "-1" }), { x, y });
            this.cells.push(cell);
            return cell;
          }),
        ),
      ),
    );
    this.cell(...this.cursor).tabIndex = 0;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cell(x, y) {
    return this.cells[y * this.room.view.width + x];
  }

  /**
   * Move the keyboard cursor to `cell`.
   * @param {Cell} cell
   */
  point(cell) {
    const old = this.cell(...this.cursor);
    if (old) old.tabIndex = -1;
    this.cursor = [cell.x, cell.y];
    cell.tabIndex = 0;
  }

  /** @param {Plain} view */
  #counts(view) {
    /** @type {string} */
    const shown = view.rows?.join("") ?? "",
      marked = shown.replace(/[^F*AB]/g, "").length;
    /** @type {[icon: string, n: string | number, words: string][]} */
    const facts = [];
    const open = view.rows
      ? shown.replace(/\D/g, "").length
      : Math.max(0, ...view.players.map((/** @type {Plain} */ player) => player.open));
    const left = view.mines - marked;
    facts.push([
      "⚑",
      left,
      say(view.mode === "duel" ? "page.minesweeper.to_find" : "page.minesweeper.left", { n: left }),
    ]);
    if (view.mode !== "duel")
      facts.push([
        "▦",
        say("page.percent", { n: Math.floor((100 * open) / view.safe) }),
        say("page.minesweeper.cleared"),
      ]);
    if (view.mode === "coop") facts.push(["♡", view.lives, say("page.minesweeper.lives", { n: view.lives })]);
    keyed(
      this.counts,
      facts.map(([icon]) => icon),
      (icon) => h("span", { class: "fact" }, h("i", { "aria-hidden": "true" }, icon), h("b"), h("span")),
    ).forEach((fact, at) => {
      const [, n, words] = fact.children;
      text(n, ` ${facts[at][1]} `);
      text(words, facts[at][2]);
    });
  }

  /** @param {Room} room */
  #players(room) {
    const { view } = room,
      duel = view.mode === "duel";
    /** @type {Plain[]} */
    const list = view.players.length > 1 ? view.players : [];
    keyed(
      this.players,
      list.map((_, seat) => seat),
      () => h("li", {}, h("span"), h("progress", { max: 100, "aria-hidden": "true" }), h("span", { class: "count" })),
    ).forEach((item, seat) => {
      const player = view.players[seat],
        [name, bar, count] = item.children,
        of = duel ? Math.floor(view.mines / 2) + 1 : view.safe;
      const percent = Math.floor((100 * (duel ? player.found : player.open)) / of),
        row = room.row(seat);
      name.replaceChildren(
        who(room.name(seat), { class: seat === room.seat ? "who me" : "who" }),
        duel ? ` ${"AB"[seat]}` : "",
        h(
          "span",
          { class: "dim" },
          row ? ` ${say("page.room.kind", { kind: row.by === "standin" ? "standin" : row.kind })}` : "",
        ),
      );
      set(bar, { value: Math.min(100, percent), class: `seat${seat % 4}` });
      const state = say("page.minesweeper.state", { state: player.state }),
        time = player.ms !== undefined && player.state !== "in" ? ` ${decimal(player.ms / 1000, 1)} s` : "";
      text(
        count,
        duel
          ? say("page.minesweeper.found", { n: player.found, bomb: player.bomb })
          : [
              say("page.percent", { n: percent }),
              state && state + time,
              player.penalty && `+${player.penalty / 1000} s`,
            ]
              .filter(Boolean)
              .join(" "),
      );
      set(item, { class: view.turn === seat ? "on" : null, "aria-current": view.turn === seat ? "true" : null });
    });
  }

  /** @param {Room} room */
  #turn(room) {
    const [head, rules] = this.#headline(room),
      mine = Boolean(room.question && this.controls) && this.ours?.state === "in" && room.view.phase !== "over";
    text(this.head, head);
    if (this.headed !== head) {
      text(this.rule, rules);
      if (head && this.view.act && (room.view.mode === "duel" || !this.headed))
        announce(`${[head, rules].filter(Boolean).join(". ")}.`);
    }
    this.headed = head;
    set(this.line, { class: `turn row${mine ? " mine" : ""}` });
  }

  /** @param {Room} room */
  #headline(room) {
    const { view, question, seat } = room,
      { ours } = this;
    /** @param {string} key */
    const turn = (key) => said(room, `minesweeper.turn.${key}`, { seat: view.turn });
    if (room.over || view.phase === "over") return [this.#end(room), ""];
    if (view.phase === "making") return [turn("making"), say("minesweeper.rule.making")];
    if (view.mode === "duel" && view.turn !== seat) return [turn("other"), ""];
    if (!ours || (this.view.act && !this.controls)) return ["", ""]; // ask only when a press would count
    if (ours.state !== "in") return [say(`minesweeper.state.${ours.state}`), say("minesweeper.rule.play_on")];
    if (view.mode === "duel") return [turn("yours"), say("minesweeper.rule.find")];
    if (view.phase === "new") return [turn("new"), ""];
    return [turn(question ? view.mode : "wait"), ""];
  }

  /**
   * How the match has ended, as far as it is known: the result follows the last view.
   * @param {Room} room
   */
  #end({ over, seat, view }) {
    const why = over?.result.why ?? "",
      ranks = over?.result.ranks ?? {},
      first = Object.keys(ranks).filter((each) => ranks[each] === 1);
    /** @type {string} */
    let what = view.mode === "race" ? "race_over" : "over";
    if (!over && view.mode === "solo") what = view.players[0].state === "done" ? "won" : "lost";
    else if (ENDS.includes(why)) what = why;
    else if (first.length === 1) what = first[0] === String(seat) ? "you_win" : "wins";
    return said(this.room, `minesweeper.turn.${what}`, { seat: Number(first[0]) });
  }

  /**
   * The seconds since the board was opened, where no clock runs down; in the end as the server has measured them.
   * @param {Room} room
   */
  #elapsed({ view, over }) {
    const ms = this.ours?.ms;
    if (view.phase === "new") this.began = undefined;
    if (this.began === undefined || view.mode === "duel" || !this.ours) return "";
    if (ms === undefined) return over ? "" : `${decimal((performance.now() - this.began) / 1000, 0)} s`;
    return `${decimal(ms / 1000, 1)} s`;
  }

  /** @param {Room} room */
  tick(room) {
    const seat = room.view.mode === "duel" ? room.view.turn : room.seat,
      left = seat === null || seat === undefined ? null : room.left(seat, performance.now());
    text(this.seconds, left !== null ? timeLeft(left) : this.#elapsed(room));
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
  }
}
