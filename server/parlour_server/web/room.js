// A room: its people, its talk, and what stands in the middle.

import { button, clean, h, keyed, say, set, text, who } from "./dom.js";
import { words } from "./app.js";

const WORDS = { uno: () => import("./uno_words.js"), minesweeper: () => import("./mines_words.js") };
const FACES = { uno: () => import("./uno.js"), minesweeper: () => import("./mines.js") };
const LOG_KEPT = 200; // lines
const STATES = { waiting: "waiting for players", playing: "a match is being played", pause: "a pause between rounds",
  finished: "the match is over", closed: "closed" };
const facts = ({ seats, host, state }) => JSON.stringify([seats, host, state]);

export class RoomView {
  constructor(app, room) {
    Object.assign(this, { app, room, code: room.code, title: room.code, words: null, face: null, desk: null, told: null, before: null });
    this.results = h("section", { class: "results", "aria-label": "Result", hidden: true });
    this.wait = h("section", { class: "wait", "aria-label": "Before the match" });
    this.stage = h("div", { class: "stage" }, this.results, this.wait);
    this.log = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "What happened", tabindex: 0 });
    this.chat = h("input", { name: "chat", maxlength: 200, autocomplete: "off", "aria-label": "Say something to everybody", placeholder: "Say something" });
    this.people = h("ul", { class: "people" });
    this.watchers = h("p", { class: "dim" });
    const talk = h("form", { class: "row", onsubmit: (event) => this.#say(event) }, this.chat, h("button", {}, "Send"));
    this.el = h("div", { class: "room" }, this.stage, h("aside", { "aria-label": "People and talk" }, h("h2", {}, "At the table"), this.people, this.watchers,
      h("h2", {}, "Table talk"), this.log, talk));
    this.timer = setInterval(() => this.#tick(), 250);
  }

  async begin() {
    const { app, room } = this, rules = h("span", { class: "rules" });
    document.body.dataset.cloth = room.game;
    app.context(" › ", app.title(room.game), " › room ", h("b", {}, room.code), rules,
      h("span", { class: "end row" }, button("Help", () => this.#do("help"), { class: "small" }), button("Copy link", () => this.#do("copy"), { class: "small" }), button("Leave", () => this.#do("leave"), { class: "small" })));
    this.heard({ t: "joined" });
    for (const { from, text: line } of room.chat) this.#chatLine(from, line);
    this.words = await (this.wording = WORDS[room.game]());
    text(rules, this.words.rules(room.table.options).join(" · "));
    this.#events();
  }

  /** Bring what draws the game, now that there is something to draw. */
  async #face() {
    const { Face } = await FACES[this.room.game](), face = new Face(this);
    await face.ready;
    this.face = face;
    this.stage.append(face.el);
    this.show();
  }

  end(next) {
    clearInterval(this.timer);
    if (next?.code === this.code) return;
    delete document.body.dataset.cloth;
    if (this.room.seat === null && this.app.session.rooms.has(this.code)) this.app.ask({ t: "leave", room: this.code }).catch(() => {});
  }

  connected(yes) { this.el.classList.toggle("away", !yes); }

  left({ room, why }) {
    if (room !== this.code) return;
    this.#do("gone", why);
    this.room.seat = null;
    this.app.go("");
  }

  /** A message of this room has come; the room as it is now is in the session. */
  heard(message) {
    this.room = this.app.session.rooms.get(this.code) ?? this.room;
    const { room } = this;
    if (message.t === "chat") {
      this.#chatLine(message.from.name, message.text);
      if (message.from.name !== this.app.session.name) say(`${clean(message.from.name)} says: ${clean(message.text)}`);
      return;
    }
    if (["joined", "seats"].includes(message.t)) this.#people(message.t === "seats");
    if (message.t !== "seats") this.#events();
    this.show();
  }

  refused(error) {
    this.face?.refused?.(error);
    if (this.face && this.room.underWay) words(error).then((reason) => this.face.remark(reason));
    else this.app.tell(error);
  }

  key(event) {
    if (event.key === "t") this.chat.focus();
    else if (event.key === "?") this.#do("help");
    else if (event.key === "q") this.#do("leave");
    else return this.#playing ? this.face.key(event) : false;
    return true;
  }

  refocus() { return this.#playing && this.face.refocus?.(); }

  act(rid, action) { return this.app.link.act(this.code, rid, action); }

  /** Ask the server; what it refuses is told, and null returned. */
  async ask(message) {
    try {
      return await this.app.ask({ room: this.code, ...message });
    } catch (error) {
      this.app.tell(error);
      return null;
    }
  }

  // --- showing ---

  get #playing() { return Boolean(this.face) && this.room.view !== null && this.room.table.state !== "waiting"; }

  /** Show the room as it is now. */
  show() {
    const { room, face } = this, playing = this.#playing;
    if (room.view !== null) this.facing ??= this.#face();
    document.title = `${room.question && room.underWay ? "● " : ""}${room.code} – parlour`;
    this.wait.hidden = playing && room.underWay && room.seat !== null && room.own?.by !== "standin";
    if (!this.wait.hidden) this.#wait();
    if (face) {
      face.el.hidden = !playing;
      if (playing) face.show(room);
    }
    this.#result();
    this.#hints();
  }

  #hints() {
    const keys = [...(this.#playing && this.room.question ? this.face.hints(this.room) : []), ["t", "Chat"], ["?", "Help"], ["q", "Leave"]];
    const shown = keys.join();
    if (this.shownHints === shown) return;
    this.shownHints = shown;
    this.app.hints(...(this.app.singleKeys ? keys.flatMap(([key, label]) => [h("kbd", {}, key), ` ${label} `]) : []));
  }

  #tick() {
    this.ticks = (this.ticks ?? 0) + 1;
    if (this.ticks % 12 === 0 && !this.wait.hidden) this.desk?.lookForBots();
    if (this.face && !this.face.el.hidden) this.face.tick(this.room);
    this.desk?.countDown(this.app.link.state);
  }

  #events() {
    const { room } = this;
    if (!this.words || room.events === this.told) return;
    this.told = room.events;
    for (const event of room.events) {
      const line = event.e === "timeout" ? `${room.name(event.seat)} is out of time.`
        : event.e === "addtime" ? `${room.name(event.seat)} gets a minute more.` : this.words.told(room, event);
      if (line) this.#line(line);
    }
    this.face?.news(room, room.events);
  }

  #line(words, kind = "") {
    this.#add(h("p", { class: kind }, clean(words)));
    if (this.app.link?.state.name === "open" && this.room.seat !== null && this.room.game === "uno") say(clean(words));
  }

  #chatLine(name, words) { this.#add(h("p", { class: "said" }, who(name), " ", h("q", {}, clean(words)))); }

  #add(item) {
    const { log } = this, atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.append(item);
    while (log.children.length > LOG_KEPT) log.firstChild.remove();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  // --- people ---

  #people(tell) {
    const { room } = this, { seats, host, watchers } = room.table, hosting = host === this.app.session.name;
    if (tell && this.before && facts(this.before) !== facts(room.table)) this.#changed(room, this.before);
    this.before = room.table;
    text(this.watchers, watchers ? `Watching: ${watchers}` : "");
    keyed(this.people, seats.map((row) => `${row.seat} ${row.name}`), () => h("li")).forEach((item, at) => {
      const row = seats[at], mine = row.seat === room.seat, shown = JSON.stringify([row, mine, host, hosting, room.underWay]);
      if (item.shown === shown) return;
      item.shown = shown;
      const facts = [mine ? "you" : row.kind, row.name === host && "host", row.by === "standin" ? "a stand-in plays" : !row.here && "away",
        row.left !== undefined && `held ${Math.ceil(row.left / 1000)} s`, row.rating !== undefined && `rated ${row.rating}`].filter(Boolean).join(", ");
      item.replaceChildren(who(row.name, { class: mine ? "who me" : "who" }), h("span", { class: "dim" }, ` ${facts} `),
        row.ready && !room.underWay ? h("span", { class: "ready" }, "✓ ready") : "",
        hosting && !mine ? button("⋯", () => this.#do("powers", row.name), { class: "small", "aria-label": `Deal with ${clean(row.name)}` }) : "");
    });
  }

  async #changed(room, before) {
    const { table } = room, { changes } = await import("./changes.js").catch(() => ({ changes: () => [] })); // we may be about to go
    for (const line of changes(table, before)) this.#line(line, "note");
  }

  /** What stands in the middle before a match, and beside it for who watches. */
  #wait() {
    const { room } = this;
    if (room.seat !== null) return void this.#do("wait", this.wait);
    const key = [room.table.state, this.app.me.name].join();
    if (this.waitKey === key) return;
    this.waitKey = key;
    this.wait.replaceChildren(h("p", {}, "You are watching. ", h("span", { class: "dim" }, STATES[room.table.state])));
    if (!room.underWay) import("./entry.js").then(({ seatForm }) => seatForm(this));
  }

  /** Do what somebody at the table can do besides playing. */
  async #do(what, ...more) {
    this.desking ??= import("./seat.js").then(({ Desk }) => { this.desk = new Desk(this); });
    await this.desking;
    return this.desk[what](...more);
  }

  // --- the end of a round or match ---

  async #result() {
    const { room, face } = this, { over } = room, pause = room.table.state === "pause" && Boolean(face?.standing);
    const key = over ? over.digest : pause ? `round ${room.view?.round}` : null;
    if (this.resultKey === key || (over && !face)) return;
    this.resultKey = key;
    this.results.hidden = key === null;
    if (key) set(this.results, { "aria-busy": "true" });
    if (key) (await import("./result.js")).show(this, this.results);
    set(this.results, { "aria-busy": null });
  }

  async #say(event) {
    event.preventDefault();
    const line = clean(this.chat.value).trim();
    if (!line) return;
    this.chat.value = "";
    await this.ask({ t: "chat", text: line });
  }
}
