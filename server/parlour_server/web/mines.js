// Minesweeper on a page: counters, the board as a grid of buttons, how the others are doing.

import { button, clean, h, keyed, say, set, text, who } from "./dom.js";
import { Moves, around, cellName, cellWords, title, told } from "./mines_words.js";

const LONG_PRESS = 400; // ms
const STATES = { in: "", out: "out", done: "done", frozen: "out of time" };
const SHOWN = { ".": "", F: "⚑", 0: "", "*": "✱", M: "✱", X: "⚐", A: "⚑", B: "⚑" };
const BOMBS = { ready: "bomb ready", kept: "bomb kept", thrown: "bomb thrown" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], h: [-1, 0], l: [1, 0], k: [0, -1], j: [0, 1] };

export class Face {
  keys = [["arrows, h j k l", "move"], ["space, enter", "open; on an open number: open around it"], ["f", "flag"], ["c", "open around a number"],
    ["b", "throw the bomb, in a duel"], ["n", "next closed cell beside a number"], ["z", "larger cells"]];
  help = ["With a mouse: left opens, right flags, the middle button opens around a number. By touch: a long press flags, or switch “Flag” on."];

  constructor(view) {
    Object.assign(this, { view, moves: new Moves(), cells: [], shape: "", cursor: [0, 0], flagging: false, bombing: false, pending: new Set() });
    this.counts = h("p", { class: "counts" });
    this.players = h("ul", { class: "racers", "aria-label": "Players" });
    this.head = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn" }, this.head, this.seconds, this.rule);
    this.flag = button("⚑ Flag", () => this.#switch("flagging"), { "aria-pressed": "false" });
    this.bomb = button("Bomb", () => this.#switch("bombing"), { "aria-pressed": "false", hidden: true });
    this.zoom = button("Larger", () => this.#zoom(), { "aria-pressed": "false" });
    this.grid = h("div", { class: "grid", role: "grid", "aria-label": "Board" });
    this.frame = h("div", { class: "frame" }, this.grid);
    this.el = h("section", { class: "mines", "aria-label": "Minesweeper" }, this.counts, this.players, this.line,
      h("div", { class: "menu", role: "group", "aria-label": "What a press does" }, this.flag, this.bomb, this.zoom), this.frame);
    this.#listen();
  }

  rules(room) { return title(room.table.options); }
  told(room, event) { return told(room, event); }

  news(room, events) {
    for (const event of events) {
      const line = ["mine", "out", "done", "end", "bomb", "miss", "found", "making"].includes(event.e) ? told(room, event) : null;
      if (line) say(clean(line));
    }
  }

  // --- showing ---

  show(room) {
    const { view, question } = room;
    this.room = room;
    this.moves.asked(question?.rid ?? null);
    if (!question && !this.#waits(view)) this.moves.drop();
    if (question) this.#send();
    this.#board(view);
    this.#counts(view);
    this.#players(room);
    this.#turn(room);
    const duel = view.mode === "duel", playing = room.seat !== null && room.underWay;
    this.flag.hidden = duel || !playing;
    this.bomb.hidden = !duel || view.players[room.seat]?.bomb !== "ready";
    this.tick(room);
  }

  /** Whether what was done ahead may still be wanted: a duel goes on in a moment, or an answer is on its way. */
  #waits(view) { return view.phase !== "over" && view.mode !== "duel" && this.#ours?.state === "in"; }
  get #ours() { return this.room.seat === null ? undefined : this.room.view?.players[this.room.seat]; }

  #board(view) {
    const shape = `${view.width}×${view.height}`;
    if (view.rows === null) {
      if (this.shape !== "hidden") this.grid.replaceChildren(h("p", { class: "dim" }, "The boards of a race are shown to who watches when it is over."));
      this.shape = "hidden";
      return;
    }
    if (this.shape !== shape) this.#make(view, shape);
    const pending = new Set(this.moves.all.map(([, x, y]) => y * view.width + x));
    for (let y = 0; y < view.height; y++) {
      for (let x = 0; x < view.width; x++) {
        const at = y * view.width + x, char = this.moves.at(view.rows, x, y), wait = pending.has(at);
        const key = wait ? `${char}?` : char;
        if (this.drawn[at] === key) continue;
        this.drawn[at] = key;
        this.#paint(this.cells[at], x, y, char, wait);
      }
    }
  }

  #make(view, shape) {
    this.shape = shape;
    this.cursor = [Math.floor(view.width / 2), Math.floor(view.height / 2)];
    this.drawn = [];
    this.cells = [];
    this.frame.style.setProperty("--columns", view.width);
    this.grid.classList.toggle("wide", view.width > 16);
    set(this.grid, { "aria-rowcount": view.height, "aria-colcount": view.width });
    this.grid.replaceChildren(...Array.from({ length: view.height }, (_, y) => h("div", { role: "row" }, ...Array.from({ length: view.width }, (_, x) => {
      const cell = h("button", { type: "button", role: "gridcell", tabindex: "-1" });
      Object.assign(cell, { x, y });
      this.cells.push(cell);
      return cell;
    }))));
    this.#cell(...this.cursor).tabIndex = 0;
  }

  #paint(cell, x, y, char, wait) {
    cell.textContent = SHOWN[char] ?? char;
    cell.className = `c${char === "." ? "closed" : char === "*" ? "hit" : char}${(x + y) % 2 ? " odd" : ""}${wait ? " wait" : ""}`;
    cell.setAttribute("aria-label", `${cellName(x, y)} ${cellWords(char)}${wait ? ", on its way" : ""}`);
  }

  #counts(view) {
    const marked = view.rows ? view.rows.join("").replace(/[^F*AB]/g, "").length : 0, facts = [];
    const ours = this.#ours, open = view.mode === "coop" ? view.open : ours?.open ?? Math.max(0, ...view.players.map((player) => player.open));
    facts.push(["⚑", view.mines - marked, view.mode === "duel" ? "mines to find" : "mines left"]);
    if (view.mode !== "duel") facts.push(["▦", `${Math.floor((100 * open) / view.safe)}%`, "cleared"]);
    if (view.mode === "coop") facts.push(["♡", view.lives, view.lives === 1 ? "life" : "lives"]);
    const key = facts.join();
    if (this.countKey !== key) {
      this.counts.replaceChildren(...facts.flatMap(([icon, n, words]) => [h("span", { class: "fact" }, h("i", { "aria-hidden": "true" }, icon), h("b", {}, ` ${n} `), words)]));
    }
    this.countKey = key;
  }

  #players(room) {
    const { view } = room, duel = view.mode === "duel", list = view.players.length > 1 ? view.players : [];
    keyed(this.players, list.map((_, seat) => seat), () => h("li", {}, h("span"), h("progress", { max: 100, "aria-hidden": "true" }), h("span", { class: "count" })))
      .forEach((item, seat) => {
        const player = view.players[seat], [name, bar, count] = item.children, of = duel ? Math.floor(view.mines / 2) + 1 : view.safe;
        const percent = Math.floor((100 * (duel ? player.found : player.open)) / of), row = room.row(seat);
        name.replaceChildren(who(room.name(seat), { class: seat === room.seat ? "who me" : "who" }), duel ? ` ${"AB"[seat]}` : "",
          h("span", { class: "dim" }, ` ${row?.by === "standin" ? "stand-in" : row?.kind ?? ""}`));
        set(bar, { value: Math.min(100, percent), class: `seat${seat % 4}` });
        const state = STATES[player.state], time = player.ms !== undefined && player.state !== "in" ? ` ${(player.ms / 1000).toFixed(1)} s` : "";
        text(count, duel ? `${player.found} found, ${BOMBS[player.bomb] ?? ""}` : `${percent}%${state ? ` ${state}${time}` : ""}${player.penalty ? ` +${player.penalty / 1000} s` : ""}`);
        set(item, { class: view.turn === seat ? "on" : null, "aria-current": view.turn === seat ? "true" : null });
      });
  }

  #turn(room) {
    const [head, rules] = this.#headline(room), mine = Boolean(room.question) && this.#ours?.state === "in" && room.view.phase !== "over";
    text(this.head, clean(head));
    if (this.headed !== head) {
      text(this.rule, rules);
      if (room.view.mode === "duel" || !this.headed) say(`${clean(head)}. ${rules}`);
    }
    this.headed = head;
    set(this.line, { class: `turn${mine ? " mine" : ""}` });
  }

  #headline(room) {
    const { view, question, seat } = room, ours = this.#ours;
    if (room.over || view.phase === "over") return ["Match over", ""];
    if (view.phase === "making") return ["The board is being made", "one that needs no guessing"];
    if (!ours) return ["You are watching", view.mode === "race" ? "in a race only numbers are shown" : ""];
    if (ours.state !== "in") return [{ out: "You are out", done: "Cleared!", frozen: "Out of time" }[ours.state] ?? "", "the others play on"];
    if (view.mode === "duel") return view.turn === seat ? ["YOUR TURN", "find a mine"] : [`${room.name(view.turn)}'s turn`, ""];
    if (view.phase === "new") return ["Open a first cell", ""];
    return question ? ["YOUR MOVE", ""] : ["A moment", ""];
  }

  tick(room) {
    const seat = room.view.mode === "duel" ? room.view.turn : room.seat, left = seat === null || seat === undefined ? null : room.left(seat, performance.now());
    text(this.seconds, left === null ? "" : `${Math.ceil(left / 1000)} s`);
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
  }

  // --- what a person does ---

  #listen() {
    const at = (event) => event.target.closest?.("[role=gridcell]");
    let pressed = null, held = false;
    const release = () => { clearTimeout(pressed); pressed = null; };
    this.grid.addEventListener("click", (event) => {
      const cell = at(event);
      if (held) held = false;
      else if (cell) this.#want(this.bombing ? "bomb" : this.flagging ? "flag" : "open", cell);
    });
    this.grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (at(event) && !held && pressed === null) this.#want("flag", at(event));
    });
    this.grid.addEventListener("auxclick", (event) => { if (event.button === 1 && at(event)) this.#want("chord", at(event)); });
    this.grid.addEventListener("mousedown", (event) => { if (event.button === 1) event.preventDefault(); });
    this.grid.addEventListener("pointerdown", (event) => {
      held = false;
      const cell = at(event);
      if (event.pointerType === "mouse" || !cell) return;
      release();
      pressed = setTimeout(() => {
        held = true;
        navigator.vibrate?.(15);
        this.#want("flag", cell);
      }, LONG_PRESS);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) this.grid.addEventListener(name, () => setTimeout(release));
    this.grid.addEventListener("pointermove", (event) => { if (Math.abs(event.movementX) + Math.abs(event.movementY) > 6) release(); });
    this.grid.addEventListener("focusin", (event) => { if (at(event)) this.#point(at(event)); });
  }

  #want(verb, cell) {
    const { room } = this, { view } = room, ours = this.#ours;
    this.#point(cell);
    if (!ours || ours.state !== "in" || view.phase === "over" || view.phase === "making" || !room.underWay) return;
    if (view.mode === "duel" && view.turn !== room.seat) return this.remark("It is not your turn.");
    const why = this.moves.want(verb, cell.x, cell.y, view, ours.bomb);
    this.bombing = false;
    set(this.bomb, { "aria-pressed": "false" });
    if (why) return this.remark(why);
    text(this.rule, "");
    if (room.question) this.#send();
    this.#board(view);
  }

  #send() {
    const { rid } = this.room.question;
    if (this.view.app.session.acting(this.room.code, rid)) return;
    const action = this.moves.take(rid, this.room.view);
    if (action) this.view.act(rid, action);
  }

  refused() {
    this.moves.drop();
    this.#board(this.room.view);
  }

  remark(words) {
    text(this.rule, words);
    say(words);
  }

  #switch(what) {
    this[what] = !this[what];
    set(what === "flagging" ? this.flag : this.bomb, { "aria-pressed": String(this[what]) });
  }

  #zoom() {
    const on = this.frame.classList.toggle("large");
    set(this.zoom, { "aria-pressed": String(on) });
  }

  #cell(x, y) { return this.cells[y * this.room.view.width + x]; }

  #point(cell) {
    const old = this.#cell(...this.cursor);
    if (old) old.tabIndex = -1;
    this.cursor = [cell.x, cell.y];
    cell.tabIndex = 0;
  }

  #focus(x, y) {
    const { view } = this.room, cell = this.#cell(Math.max(0, Math.min(view.width - 1, x)), Math.max(0, Math.min(view.height - 1, y)));
    cell?.focus();
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  key(event) {
    const { view } = this.room, [x, y] = this.cursor, { key } = event;
    if (!this.cells.length || view.rows === null) return false;
    const inside = this.grid.contains(document.activeElement);
    if (ARROWS[key]) this.#focus(x + ARROWS[key][0], y + ARROWS[key][1]);
    else if (key === "Home" && inside) this.#focus(0, y);
    else if (key === "End" && inside) this.#focus(view.width - 1, y);
    else if (key === "f") this.#want("flag", this.#cell(x, y));
    else if (key === "c") this.#want("chord", this.#cell(x, y));
    else if (key === "b" && view.mode === "duel") this.#want("bomb", this.#cell(x, y));
    else if (key === "n") this.#frontier();
    else if (key === "z") this.#zoom();
    else return false;
    return true;
  }

  /** Go to the next closed cell beside an open number. */
  #frontier() {
    const { view } = this.room, all = view.width * view.height, from = this.cursor[1] * view.width + this.cursor[0];
    const shown = (u, v) => this.moves.at(view.rows, u, v);
    for (let step = 1; step <= all; step++) {
      const at = (from + step) % all, x = at % view.width, y = Math.floor(at / view.width);
      if (shown(x, y) === "." && around(view, x, y).some(([u, v]) => "12345678".includes(shown(u, v)))) return this.#focus(x, y);
    }
  }

  hints(room) {
    if (room.view.mode === "duel") return [["space", "Open"], ["b", "Bomb"], ["n", "Next"]];
    return [["space", "Open"], ["f", "Flag"], ["c", "Chord"], ["n", "Next"], ["z", "Zoom"]];
  }

  /** The statistics of the board and of each seat. */
  review(room, { stats }) {
    if (!stats?.seats) return [];
    const cells = (row) => "bbbv" in row ? [(row.ms / 1000).toFixed(1), row.bbbv, (row.rate / 1000).toFixed(2), row.clicks, `${row.efficiency}%`, guessed(row)] : [row.found, row.opened];
    const heads = "bbbv" in stats ? ["seconds", "3BV", "3BV/s", "clicks", "efficiency", "guesses"] : ["found", "opened"];
    return [h("div", { class: "frame", tabindex: 0, role: "group", "aria-label": "Statistics" }, h("table", { class: "ranks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...stats.seats.map((row, seat) => h("tr", {}, h("th", { scope: "row" }, who(room.name(seat))), ...cells(row).map((cell) => h("td", {}, String(cell)))))))),
      ..."bbbv" in stats ? [h("p", { class: "dim" }, `The board has a 3BV of ${stats.bbbv}.`)] : []];
  }
}

function guessed({ guesses = [], forced }) {
  if (forced === undefined) return "";
  return guesses.length ? guesses.map(([x, y, odds]) => `${cellName(x, y)} ${(odds / 100).toFixed(0)}%`).slice(0, 4).join(", ") + (guesses.length > 4 ? "…" : "") : "none";
}
