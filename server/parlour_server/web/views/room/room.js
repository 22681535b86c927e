// The view of a room: the game in the middle, with its result or the panel before a match; players, log and chat at
// the side.

import { announce, button, framed, h, measured, set, style, text } from "../../core/dom.js";
import { Pace } from "../../core/pace.js";
import { capital, playerOf, say, together, withMore } from "../../core/phrases.js";
import { unread } from "../../core/session.js";
import { game, inShort, title } from "../games.js";
import { Side, tableChanges } from "./side.js";

/** @param {Protocol.Table} table */
const facts = ({ seats, host, state, options, size, clock, requests, queue }) =>
  JSON.stringify([seats, host, state, options, size, clock, requests, queue]);
/** @param {Room} room */
const copied = (room) => Object.assign(Object.create(Object.getPrototypeOf(room)), room);

const FRAME = 16; // ms

export class RoomView {
  /** @type {Words | null} */
  words = null;
  /** @type {Widget | null} */
  widget = null;
  /** @type {import("./panel.js").Panel | null} */
  panel = null;
  /** @type {import("./reactions.js").Reactions | null} */
  reactions = null;
  /** @type {Plain[] | null} The events that are in the log. */
  logged = null;
  /** @type {Protocol.Table | null} */
  before = null;
  /** @type {Protocol.ChatRow[]} The chat that is in the log. */
  said = [];
  began = false;
  seated = false;
  stale = false; // something has happened since the room was drawn
  waitKey = "";
  shownHints = "";
  /** @type {string | null} */
  resultKey = null;
  ended = 0; // matches
  #skipping = -1; // the match in which bots need not pause for us
  /** @type {{ words: string, first?: boolean } | null} What counts, where the deal was chosen or is that of the day. */
  attempt = null;
  #counting = -1;
  /** @type {HTMLElement | null | undefined} Comes back to our seat. */
  back;
  /** @type {HTMLElement | undefined} Takes a seat. */
  form;
  #drawing = 0;
  /** @type {Promise<Words> | undefined} */
  #wording;
  /** @type {Promise<void> | undefined} */
  #loading;
  /** @type {Promise<void> | undefined} */
  #sitting;
  /** @type {Promise<void> | undefined} */
  #reacting;
  /** @type {Promise<import("./effects.js").Effects | null> | undefined} */
  #heard;

  /**
   * @param {App} app
   * @param {Room} room
   */
  constructor(app, room) {
    this.app = app;
    this.room = room;
    this.code = room.code;
    this.title = room.code;
    this.game = game(room.game);
    this.side = new Side({
      send: (line) => this.ask({ t: "chat", text: line }),
      manage: (name) => this.menu("manage", name),
      give: (name) => this.menu("give", name),
      ask: (seat) => this.#askForSeat(seat),
      wait: (wait, code) => this.#queue(wait, code),
      seatCode: app.seatCode,
    });
    this.pace = new Pace(
      ([message, room]) => this.#take(message, room),
      () => document.hidden,
      this.game.paced ? app.prefs.pace : 0,
    );
    this.results = h("section", { class: "results", "aria-label": say("page.room.result"), hidden: true });
    this.wait = h("section", { class: "wait", "aria-label": say("page.room.before") });
    this.brought = h("section", { class: "brought", hidden: true });
    this.details = h(
      "details",
      { class: "details", hidden: true },
      h("summary", {}, say("page.room.details")),
      (this.facts = h("div")),
    );
    this.replay = h("p", { class: "row again", hidden: true });
    this.counts = h("p", { class: "dim", role: "status", hidden: true });
    this.panels = h(
      "div",
      { class: "panels" },
      this.counts,
      this.results,
      this.wait,
      this.brought,
      this.details,
      this.replay,
    );
    this.ticker = h("p", { class: "ticker", "aria-hidden": "true" });
    this.stage = measured(h("div", { class: "stage" }, this.panels, this.ticker));
    this.el = h("div", { class: "room" }, this.stage, this.side.el);
    this.timer = setInterval(() => this.#tick(), 250);
    document.addEventListener("visibilitychange", (this.seen = () => document.hidden && this.pace.flush()));
  }

  async begin() {
    const { app, room } = this,
      item = (/** @type {string} */ label, /** @type {"help" | "copy" | "leave"} */ what) =>
        button(label, () => this.menu(what), { class: "small" });
    document.body.dataset.game = room.game;
    document.body.classList.add("in-room");
    app.context(
      h("span", { class: "where" }, ` › ${title(room.game)} › ${say("page.room.where")} `),
      h("b", {}, room.code),
      h(
        "span",
        { class: "end row" },
        this.side.button,
        item(say("page.room.help"), "help"),
        item(say("page.room.link"), "copy"),
        item(say("page.room.leave"), "leave"),
      ),
    );
    set(this.ticker, { "data-line": title(room.game) });
    this.#take({ t: "joined" }, room);
    if (room.seat !== null || !room.underWay) await this.wording();
  }

  /** The words of the game, which are loaded when they are needed first. */
  wording() {
    return (this.#wording ??= this.game.words().then((words) => {
      this.words = words;
      this.show();
      this.#events();
      return words;
    }));
  }

  /** Load the game's widget. */
  async #load() {
    const { Widget } = await this.game.widget();
    this.widget = new Widget(this);
    this.stage.prepend(this.widget.el);
    this.el.classList.toggle("table", this.widget.el.classList.contains("felted"));
    this.show();
    style("styles/forms.css"); // for the result: a style sheet that comes with it would style every cell again
  }

  /** @param {Shown} next */
  end(next) {
    clearInterval(this.timer);
    clearTimeout(this.#drawing);
    this.pace.end();
    document.removeEventListener("visibilitychange", this.seen);
    document.body.classList.remove("in-room", "alone");
    if (next?.code === this.code) return;
    delete document.body.dataset.game;
    if (this.room.seat === null && this.app.session.rooms.has(this.code))
      this.app.ask({ t: "leave", room: this.code }).catch(() => {});
  }

  /** @param {boolean} yes */
  connected(yes) {
    this.el.classList.toggle("away", !yes);
  }

  /** @param {{ room: string, why: string }} message */
  left({ room, why }) {
    if (room !== this.code) return;
    this.room.seat = null;
    this.app.go("").then(() => this.menu("left", why));
  }

  /**
   * Handle a message of this room: what others do is shown at a pace that people can follow.
   * @param {Message} message
   */
  heard(message) {
    const room = this.app.session.rooms.get(this.code) ?? this.room;
    if (message.t === "chat") return this.#chat();
    if (message.t === "joined") return this.rejoined();
    const moves = ("events" in message ? message.events : []).filter(({ e }) => this.game.paced?.includes(e));
    this.pace.push(
      [message, copied(room)],
      !moves.length || this.#skips ? null : moves.every(({ seat }) => seat === room.seat) ? "own" : "other",
    );
  }

  /** Show the room after we have come into it, or back. */
  rejoined() {
    this.pace.flush();
    this.pace.push([{ t: "joined" }, copied(this.app.session.rooms.get(this.code) ?? this.room)], null);
  }

  /**
   * @param {{ t: string }} message
   * @param {Room} room
   */
  #take(message, room) {
    this.room = this.pace.behind ? room : (this.app.session.rooms.get(this.code) ?? room);
    if (["joined", "seats"].includes(message.t)) this.#seats(message.t === "seats");
    if (message.t === "joined") {
      this.#stand();
      this.#missed();
    }
    if (message.t !== "seats") this.#events(message.t !== "joined");
    this.#draw();
  }

  /** Show the room as it is now: once a frame where bots play faster than anyone can watch. */
  #draw() {
    if (this.#drawing) return void (this.stale = true);
    this.show();
    this.#drawing = setTimeout(() => {
      this.#drawing = 0;
      if (this.stale) this.#draw();
    }, FRAME);
  }

  /** Log the chat that is not shown yet. */
  #chat() {
    const { chat } = this.app.session.rooms.get(this.code) ?? this.room,
      { name: me } = this.app.session;
    for (const { from, text: line } of unread(this.said, chat)) {
      this.#say(from, line, from === me);
      if (from !== me && this.began) announce(say("page.room.says", { name: from, text: line }));
    }
    this.said = chat;
  }

  /**
   * Show a line of chat in the log, or over a seat if it is a reaction.
   * @param {string} from
   * @param {string} line
   * @param {boolean} mine
   */
  async #say(from, line, mine) {
    if (this.began && [...line].length === 1) {
      await this.#reacts();
      if (this.reactions?.shown(from, line)) return;
    }
    this.side.chat(from, line, mine);
  }

  /** Begin the game's widget again, without a hand, if we have given our seat away. */
  #stand() {
    const { room, widget } = this,
      stood = this.seated && room.seat === null;
    this.seated = room.seat !== null;
    if (!stood) return;
    this.#line(say("page.room.gave"), "note");
    widget?.el.remove();
    this.widget = null;
    this.#loading = undefined;
  }

  #missed() {
    this.#chat();
    this.began = true;
    if (this.room.gap) this.#line(say("page.room.missed"), "note");
  }

  /** @param {Protocol.ServerError} error */
  refused(error) {
    const controls = this.widget?.controls;
    this.pace.push([{ t: "error" }, copied(this.app.session.rooms.get(this.code) ?? this.room)], null);
    controls?.refused();
    if (controls && this.room.underWay)
      this.app.explain(error, this.room.game).then((reason) => controls.remark(reason));
    else this.app.showError(error);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "t") this.side.write();
    else if (event.key === "?") this.menu("help");
    else if (event.key === "q") this.menu("leave");
    else if (event.key === "v" && this.results.querySelector(".fold"))
      /** @type {HTMLElement} */ (this.results.querySelector(".fold")).click();
    else return this.#controls?.key(event);
    return true;
  }

  refocus() {
    return this.#controls?.refocus();
  }

  /**
   * @param {number} rid
   * @param {number | Plain} action
   */
  act(rid, action) {
    return this.app.connection.act(this.code, rid, action);
  }

  /**
   * Whether an answer to decision `rid` is on its way.
   * @param {number} rid
   */
  acting(rid) {
    return this.app.session.acting(this.code, rid);
  }

  /**
   * Ask the server; an error is shown, and null returned.
   * @param {Ask} message
   * @returns {Promise<any>}
   */
  async ask(message) {
    try {
      return await this.app.ask({ room: this.code, ...message });
    } catch (error) {
      this.app.showError(error);
      return null;
    }
  }

  /**
   * Ask for a seat; null withdraws the request, or declines those for our own seat. Spectators with a delay see their
   *   request
   * only later.
   * @param {number | null} seat
   */
  async #askForSeat(seat) {
    if ((await this.ask({ t: "handover", seat })) && seat !== null) this.app.toast(say("page.room.asked"));
  }

  /**
   * Wait for a seat, or wait no more. Kept with the room, the code lets us wait again after a lost connection.
   * @param {boolean} wait
   * @param {string} code
   */
  #queue(wait, code) {
    const room = this.app.session.rooms.get(this.code);
    if (room) room.waitCode = code;
    return this.ask({ t: "queue", wait, ...(code && { seat_code: code }) });
  }

  get #skips() {
    return this.#skipping === this.ended;
  }

  /** Whether bots still pause for us, who have a seat and nothing to decide. */
  get canSkip() {
    const { room, app } = this,
      pausing = room.underWay && room.table.pace !== 0 && !this.#skips;
    return pausing && !room.question && room.own?.by === "owner" && app.session.can.includes("hurry");
  }

  /** Let bots play without pauses until the end of the match, and show it as fast as it comes. */
  async skip() {
    const match = this.ended;
    if (!(await this.ask({ t: "hurry" }))) return;
    this.#skipping = match;
    this.pace.flush();
    this.app.toast(say("room.skips"));
    this.show();
  }

  get #playing() {
    return Boolean(this.widget) && this.room.view !== null && this.room.table.state !== "waiting";
  }
  get #controls() {
    return this.#playing ? this.widget?.controls : null;
  }

  /** Show the room as it is now. */
  show() {
    this.stale = false;
    const { room, widget } = this,
      playing = this.#playing;
    if (room.view !== null) this.#loading ??= this.#load();
    document.title = `${room.question && room.underWay ? "● " : ""}${room.code} – parlour`;
    document.body.classList.toggle("alone", room.table.options.mode === "solo");
    if (widget) {
      widget.el.hidden = !playing;
      if (playing) widget.show(room);
    }
    if (room.seat !== null && room.table.seats.length > 1) this.#reacts().then(() => this.reactions?.show());
    this.#result();
    this.#around();
    this.#hints();
    if (room.table.fair.deal && room.seat !== null && room.underWay && this.#counting !== this.ended) this.#counts();
  }

  /** Say what counts of the match that has begun. */
  async #counts() {
    const match = (this.#counting = this.ended),
      { whatCounts } = await withMore(import("../../core/profile.js")),
      found = await whatCounts(this.app, this.room, match > 0);
    if (match !== this.ended) return;
    this.attempt = found;
    this.counts.hidden = false;
    text(this.counts, found.words);
  }

  /** Load what shows reactions, when it is needed first. */
  #reacts() {
    return (this.#reacting ??= together(import("./reactions.js"), import("../../core/faces.js")).then(
      ({ Reactions }) => {
        this.reactions = new Reactions(this);
      },
      () => {},
    ));
  }

  #hints() {
    /** @type {[key: string, label: string][]} */
    const keys = [
        ...((this.room.question && this.#controls?.hints()) || []),
        ["t", say("page.room.chat")],
        ["?", say("page.room.help")],
        ["q", say("page.room.leave")],
      ],
      shown = keys.join();
    if (this.shownHints === shown) return;
    this.shownHints = shown;
    this.app.hints(keys);
  }

  #tick() {
    const { room, widget, panel } = this;
    if (widget && !widget.el.hidden) widget.tick(room);
    this.side.players.tick(room);
    panel?.countDown(this.app.connection.state, room);
  }

  /** Log the events of the room, and show them; `live` if they have just happened. */
  #events(live = false) {
    const { room } = this;
    if (!this.words) return void (live && this.wording());
    if (room.events === this.logged) return;
    this.logged = room.events;
    this.widget?.news(room, room.events, live); // first: it asks where things are, and lines move them
    for (const event of room.events) {
      const line = ["timeout", "addtime"].includes(event.e)
        ? say(`event.${event.e}`, event, { player: playerOf(room) })
        : this.words.describe(room, event);
      if (line) this.#line(line);
    }
    if (live && room.events.length) this.#effects(room);
  }

  /**
   * Play sounds, and tell a player who looks elsewhere that it is their turn.
   * @param {Room} room
   */
  async #effects(room) {
    this.#heard ??= withMore(import("./effects.js")).then(
      ({ Effects }) => new Effects(this),
      () => null,
    );
    (await this.#heard)?.happened(room);
  }

  /** @param {string} words */
  async #line(words, kind = "") {
    this.side.log.add(kind, words);
    if (this.app.connection?.state.name === "open" && this.room.seat !== null && this.game.readsLog) announce(words);
    await framed(); // what it tells of is shown first: on a phone both together would take longer than a frame
    set(this.ticker, { "data-line": words });
  }

  /** @param {boolean} changed */
  #seats(changed) {
    const { room, before } = this;
    /** @param {Protocol.SeatRow} row */
    const seen = ({ name, here }) => before?.seats.find((row) => row.name === name)?.here ?? here;
    this.before = changed
      ? room.table
      : // after a restart others come back one by one
        { ...room.table, seats: room.table.seats.map((row) => ({ ...row, here: seen(row) })) };
    if (changed && before && facts(before) !== facts(room.table))
      for (const line of tableChanges(room.table, before, this.words?.rules(room.table.options, room.game) ?? []))
        this.#line(line, "note");
    this.side.players.show(
      room,
      this.app.session.name,
      this.app.session.can.includes("handover") && !("deal" in room.table.fair),
      this.app.session.can.includes("queue"),
    );
  }

  /**
   * Show what is around the game: before, during or after the match, which ends here when its result is shown; and in
   * the next frame the panel.
   */
  #around() {
    const { room } = this,
      playing = this.#playing,
      { hidden, ariaBusy } = this.results,
      during = room.underWay || (room.over !== null && hidden);
    set(this.panels, { class: `panels ${!playing ? "before" : during ? "during" : "after"}` });
    this.stage.classList.toggle("ended", playing && !during);
    this.wait.hidden =
      playing && (room.over ? ariaBusy === "true" : during && room.seat !== null && room.own?.by !== "standin");
    if (!this.wait.hidden) this.#wait();
  }

  /** Show the panel of a player or the host, and what a spectator can do. */
  #wait() {
    const { room, app } = this;
    if (room.seat !== null || (room.table.host === app.session.name && !room.underWay)) {
      this.#sitting ??= withMore(import("./panel.js")).then(({ Panel }) => {
        this.panel = new Panel(this);
      });
      return void this.#sitting.then(() => this.panel?.show());
    }
    const { host, seats, size, options, state } = room.table,
      key = [
        state,
        app.me.name,
        !this.words,
        host,
        JSON.stringify(seats),
        size,
        JSON.stringify(options),
        room.table.unrated,
      ].join();
    if (this.waitKey === key) return;
    this.waitKey = key;
    // a form that is being filled in stays
    for (const part of [...this.wait.children])
      if (part !== this.back && (part !== this.form || room.underWay)) part.remove();
    const watching = h(
      "p",
      {},
      say("page.room.watching", { delay: (room.table.delay ?? 0) / 1000 }),
      " ",
      h("span", { class: "dim" }, `${capital(say("page.room.state", { state }))}.`),
    );
    if (room.underWay || !this.words) this.wait.prepend(watching);
    else this.#table(this.words, watching);
    if (!room.underWay || app.identities.seat(this.code))
      import("../name_form.js").then(({ seatForm }) => seatForm(this));
  }

  /**
   * Show who sits here before the match, and how it is played.
   * @param {Words} words
   * @param {HTMLElement} watching
   */
  #table(words, watching) {
    const { room } = this,
      { host, seats, size = null } = room.table,
      place = h("div");
    together(import("./chairs.js"), import("../../core/faces.js")).then(({ Chairs }) => {
      const chairs = new Chairs();
      chairs.centre.append(h("p", { class: "rules" }, inShort(words, room)), watching);
      chairs.show(room);
      place.replaceWith(chairs.el);
    });
    this.wait.prepend(
      h("h1", {}, title(room.game)),
      h("p", { class: "dim" }, say("page.room.taken", { name: host, taken: seats.length, seats: size })),
      place,
    );
  }

  /**
   * @template {keyof MenuItems} Item
   * @param {Item} item
   * @param {MenuItems[Item]} more
   */
  async menu(item, ...more) {
    const { Menu } = await withMore(import("./menu.js"));
    /** @type {(...more: any[]) => void} */ (Menu.prototype[item]).apply(new Menu(this), more);
  }

  /** Show how a round or the match has ended. */
  async #result() {
    const { room, widget, results } = this,
      { over } = room,
      pause = room.table.state === "pause" && widget?.scoreboard;
    const key = over ? over.digest : pause ? `round ${room.view?.round}` : null;
    if (this.resultKey === key || (over && !widget)) return;
    this.resultKey = key;
    this.ended += Number(over !== null);
    this.counts.hidden ||= over !== null; // the result says it
    results.hidden = this.brought.hidden = this.details.hidden = this.replay.hidden = true;
    set(results, { "aria-busy": key && "true" });
    try {
      const { show } = key ? await withMore(import("./result.js")) : {};
      if (this.resultKey === key) await show?.(this, results, this.facts); // else the next match has begun
    } finally {
      if (this.resultKey === key) {
        results.hidden = key === null;
        this.#around();
        await framed();
        if (this.resultKey === key) this.brought.hidden = this.details.hidden = this.replay.hidden = !over;
        await framed();
        if (this.resultKey === key) set(results, { "aria-busy": null });
        this.#around();
      }
    }
  }
}
