// The view of a room: players, log and chat at the side; the game, its result, or the panel before a match in the middle.

import { announce, button, clean, h, keyed, set, text, who } from "../../core/dom.js";
import { GAMES, title } from "../games.js";

const LOG_KEPT = 200; // lines
const STATES = { waiting: "waiting for players", playing: "match in progress", pause: "between rounds",
  finished: "the match is over", closed: "closed" };
const facts = ({ seats, host, state }) => JSON.stringify([seats, host, state]);

/** The log and the chat. */
class Log {
  /** `send(text)` sends a chat line. */
  constructor(send) {
    this.lines = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "Log and chat", tabindex: 0 });
    this.input = h("input", { name: "chat", maxlength: 200, autocomplete: "off", "aria-label": "Message", placeholder: "Message" });
    this.form = h("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const line = clean(this.input.value).trim();
      this.input.value = "";
      if (line) send(line);
    } }, this.input, h("button", {}, "Send"));
  }

  chat(name, line) { this.add("said", who(name), " ", h("q", {}, clean(line))); }

  add(kind, ...parts) {
    const { lines } = this, atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
    lines.append(h("p", { class: kind }, ...parts));
    while (lines.children.length > LOG_KEPT) lines.firstChild.remove();
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  }
}

/** The players, and the number of spectators. */
class Players {
  /** `manage(name)` lets the host manage a player. */
  constructor(manage) {
    this.manage = manage;
    this.list = h("ul", { class: "people" });
    this.watchers = h("p", { class: "dim" });
  }

  show(room, me) {
    const { seats, host, watchers } = room.table, hosting = host === me;
    text(this.watchers, watchers ? `Spectators: ${watchers}` : "");
    keyed(this.list, seats.map((row) => `${row.seat} ${row.name}`), () => h("li")).forEach((item, at) => {
      const row = seats[at], mine = row.seat === room.seat, shown = JSON.stringify([row, mine, host, hosting, room.underWay]);
      if (item.shown === shown) return;
      item.shown = shown;
      const notes = [mine ? "you" : row.kind, row.name === host && "host", row.by === "standin" ? "stand-in" : !row.here && "away",
        row.left !== undefined && `seat held for ${Math.ceil(row.left / 1000)} s`, row.rating !== undefined && `rating ${row.rating}`].filter(Boolean).join(", ");
      item.replaceChildren(who(row.name, { class: mine ? "who me" : "who" }), h("span", { class: "dim" }, ` ${notes} `),
        row.ready && !room.underWay ? h("span", { class: "ready" }, "✓ ready") : "",
        hosting && !mine ? button("⋯", () => this.manage(row.name), { class: "small", "aria-label": `Manage ${clean(row.name)}` }) : "");
    });
  }
}

export class RoomView {
  constructor(app, room) {
    Object.assign(this, { app, room, code: room.code, title: room.code, ticks: 0, words: null, widget: null, logged: null, before: null });
    this.log = new Log((line) => this.ask({ t: "chat", text: line }));
    this.players = new Players((name) => this.menu("manage", name));
    this.results = h("section", { class: "results", "aria-label": "Result", hidden: true });
    this.wait = h("section", { class: "wait", "aria-label": "Before the match" });
    this.stage = h("div", { class: "stage" }, this.results, this.wait);
    this.el = h("div", { class: "room" }, this.stage, h("aside", { "aria-label": "Players and chat" }, h("h2", {}, "Players"), this.players.list, this.players.watchers,
      h("h2", {}, "Chat"), this.log.lines, this.log.form));
    this.timer = setInterval(() => this.#tick(), 250);
  }

  async begin() {
    const { app, room } = this, rules = h("span", { class: "rules" }), item = (label, what) => button(label, () => this.menu(what), { class: "small" });
    document.body.dataset.game = room.game;
    app.context(" › ", title(room.game), " › room ", h("b", {}, room.code), rules,
      h("span", { class: "end row" }, item("Help", "help"), item("Copy link", "copy"), item("Leave", "leave")));
    this.heard({ t: "joined" });
    for (const { from, text: line } of room.chat) this.log.chat(from, line);
    this.words = await (this.wording = GAMES[room.game].words());
    text(rules, this.words.rules(room.table.options).join(" · "));
    this.#events();
  }

  /** Load the game's widget. */
  async #load() {
    const { Widget } = await GAMES[this.room.game].widget();
    this.widget = new Widget(this);
    this.stage.append(this.widget.el);
    this.show();
  }

  end(next) {
    clearInterval(this.timer);
    if (next?.code === this.code) return;
    delete document.body.dataset.game;
    if (this.room.seat === null && this.app.session.rooms.has(this.code)) this.app.ask({ t: "leave", room: this.code }).catch(() => {});
  }

  connected(yes) { this.el.classList.toggle("away", !yes); }

  left({ room, why }) {
    if (room !== this.code) return;
    this.menu("left", why);
    this.room.seat = null;
    this.app.go("");
  }

  /** Handle a message of this room. */
  heard(message) {
    this.room = this.app.session.rooms.get(this.code) ?? this.room;
    if (message.t === "chat") {
      const { from: { name }, text: line } = message;
      this.log.chat(name, line);
      if (name !== this.app.session.name) announce(`${clean(name)} says: ${clean(line)}`);
      return;
    }
    if (["joined", "seats"].includes(message.t)) this.#seats(message.t === "seats");
    if (message.t !== "seats") this.#events();
    this.show();
  }

  refused(error) {
    const controls = this.widget?.controls;
    controls?.refused();
    if (controls && this.room.underWay) this.app.explain(error).then((reason) => controls.remark(reason));
    else this.app.showError(error);
  }

  key(event) {
    if (event.key === "t") this.log.input.focus();
    else if (event.key === "?") this.menu("help");
    else if (event.key === "q") this.menu("leave");
    else return this.#controls?.key(event);
    return true;
  }

  refocus() { return this.#controls?.refocus(); }

  act(rid, action) { return this.app.connection.act(this.code, rid, action); }

  /** Ask the server; an error is shown, and null returned. */
  async ask(message) {
    try {
      return await this.app.ask({ room: this.code, ...message });
    } catch (error) {
      this.app.showError(error);
      return null;
    }
  }

  get #playing() { return Boolean(this.widget) && this.room.view !== null && this.room.table.state !== "waiting"; }
  get #controls() { return this.#playing ? this.widget.controls : null; }

  /** Show the room as it is now. */
  show() {
    const { room, widget } = this, playing = this.#playing;
    if (room.view !== null) this.loading ??= this.#load();
    document.title = `${room.question && room.underWay ? "● " : ""}${room.code} – parlour`;
    this.wait.hidden = playing && room.underWay && room.seat !== null && room.own?.by !== "standin";
    if (!this.wait.hidden) this.#wait();
    if (widget) {
      widget.el.hidden = !playing;
      if (playing) widget.show(room);
    }
    this.#result();
    this.#hints();
  }

  #hints() {
    const keys = [...((this.room.question && this.#controls?.hints()) || []), ["t", "Chat"], ["?", "Help"], ["q", "Leave"]], shown = keys.join();
    if (this.shownHints === shown) return;
    this.shownHints = shown;
    this.app.hints(...(this.app.singleKeys ? keys.flatMap(([key, label]) => [h("kbd", {}, key), ` ${label} `]) : []));
  }

  #tick() {
    const { room, widget, panel } = this;
    if (++this.ticks % 12 === 0 && !this.wait.hidden) panel?.refresh();
    if (widget && !widget.el.hidden) widget.tick(room);
    panel?.countDown(this.app.connection.state, room);
  }

  #events() {
    const { room } = this;
    if (!this.words || room.events === this.logged) return;
    this.logged = room.events;
    for (const event of room.events) {
      const line = event.e === "timeout" ? `${room.name(event.seat)} ran out of time.`
        : event.e === "addtime" ? `${room.name(event.seat)} gets one more minute.` : this.words.describe(room, event);
      if (line) this.#line(line);
    }
    this.widget?.news(room, room.events);
  }

  #line(words, kind = "") {
    this.log.add(kind, clean(words));
    if (this.app.connection?.state.name === "open" && this.room.seat !== null && GAMES[this.room.game].readsLog) announce(clean(words));
  }

  #seats(changed) {
    const { room, before } = this;
    this.before = room.table;
    if (changed && before && facts(before) !== facts(room.table)) this.#changed(room.table, before);
    this.players.show(room, this.app.session.name);
  }

  async #changed(table, before) {
    const { changes } = await import("./changes.js").catch(() => ({ changes: () => [] })); // the server may be gone
    for (const line of changes(table, before)) this.#line(line, "note");
  }

  /** Show the panel of a player, or what a spectator can do. */
  #wait() {
    const { room } = this;
    if (room.seat !== null) {
      this.sitting ??= import("./panel.js").then(({ Panel }) => { this.panel = new Panel(this); });
      return void this.sitting.then(() => this.panel.show());
    }
    const key = [room.table.state, this.app.me.name].join();
    if (this.waitKey === key) return;
    this.waitKey = key;
    this.wait.replaceChildren(h("p", {}, "You are watching. ", h("span", { class: "dim" }, STATES[room.table.state])));
    if (!room.underWay) import("../name_form.js").then(({ seatForm }) => seatForm(this));
  }

  async menu(item, ...more) {
    const { Menu } = await import("./menu.js");
    new Menu(this)[item](...more);
  }

  /** Show how a round or the match has ended. */
  async #result() {
    const { room, widget, results } = this, { over } = room, pause = room.table.state === "pause" && widget?.scoreboard;
    const key = over ? over.digest : pause ? `round ${room.view?.round}` : null;
    if (this.resultKey === key || (over && !widget)) return;
    this.resultKey = key;
    results.hidden = key === null;
    if (key) {
      set(results, { "aria-busy": "true" });
      (await import("./result.js")).show(this, results);
    }
    set(results, { "aria-busy": null });
  }
}
