// The replay of a match file: verified, and shown step by step from any player's point of view.

import { announce, button, h, measured, set, style, text } from "../core/dom.js";
import { say } from "../core/phrases.js";
import { Room } from "../core/session.js";
import { check, fetched } from "../verify/game_file.js";
import { Replay } from "../verify/replay.js";
import { Served } from "../verify/served.js";
import { game as gameOf, knows, replays, title } from "./games.js";
import { ReviewPanel } from "./review.js";

/** @type {Record<string, number>} */
const SPEEDS = { slow: 2_000, normal: 900, fast: 300, fastest: 60 }; // ms a step
const LINES = 14; // of the log
const ALL = "all";
const ACTS = ["act", "timeout"];

export class View {
  title = say("page.replay.title");
  /** @type {number | undefined} The timer while it plays. */
  playing;
  viewpoint = "";
  /** @type {Replay | Served} */
  replay;
  /** @type {Plain} The first record. */
  begun = {};
  last = 1; // step
  /** @type {Widget} */
  widget;
  /** @type {Words} */
  words;
  /** @type {((place: HTMLElement, all: [name: string, cards: number[]][], small: boolean) => void) | undefined} */
  hands;
  /** @type {string[][]} The log by step. */
  lines = [];
  place = h("input", {
    type: "range",
    min: 1,
    "aria-label": say("page.replay.position"),
    oninput: () => this.#seek(Number(this.place.value)),
  });
  play = button(say("page.replay.play"), () => this.#toggle(), { class: "main" });
  speed = h(
    "select",
    { "aria-label": say("page.replay.speed"), onchange: () => this.playing !== undefined && this.#start() },
    ...Object.keys(SPEEDS).map((name) => h("option", { value: name }, say(`page.replay.speed.${name}`))),
  );
  viewers = h("select", { "aria-label": say("page.replay.viewer"), onchange: () => this.#look(this.viewers.value) });
  count = h("span", { class: "dim place" });
  why = h("p", { class: "why" });
  log = h("ol", { class: "steps", "aria-label": say("page.replay.log") });
  open = h("div", { class: "hands" });
  results = h("div", { class: "frame" });
  /** @type {ReviewPanel | null} For a match that the server reviews. */
  review = null;
  /** @type {(() => void) | null} Plays on from the step that is shown, if the server has the match. */
  playOn = null;
  on = button(say("page.replay.continue"), () => this.playOn?.(), { title: say("page.replay.continue.means") });

  /**
   * @param {App} app
   * @param {string} digest Of the match that the address names, or empty.
   */
  constructor(app, digest) {
    this.app = app;
    this.digest = digest;
    this.verdict = h("div", { role: "status" });
    const file = h("input", {
      type: "file",
      accept: ".jsonl",
      "aria-label": say("page.replay.file"),
      onchange: () => this.#read(file.files?.[0]),
      onclick: () => {
        file.value = "";
      },
    }); // so that the same file can be chosen again
    const drop = h("p", { class: "drop" }, say("page.replay.drop"), " ", file);
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#read(event.dataTransfer?.files[0]);
    });
    this.stage = measured(h("section", { class: "replay", "aria-label": say("page.replay.match"), hidden: true }));
    this.el = h("section", { class: "sheet wide" }, h("h1", {}, this.title), drop, this.verdict, this.stage);
  }

  begin() {
    this.app.context(` › ${say("page.replay.place")}`);
    style("styles/replay.css");
    style("styles/forms.css");
    if (this.digest) this.#load(() => fetched(this.digest, (message) => this.app.ask(message)), this.digest);
  }

  end() {
    this.#stop();
    this.review?.stop();
    delete document.body.dataset.game;
  }

  /** @param {File | undefined} file */
  async #read(file) {
    if (file) await this.#load(async () => ({ content: await file.text(), review: false }), null);
  }

  /**
   * @param {() => Promise<{ content: string, review: boolean }>} load
   * @param {string | null} digest
   */
  async #load(load, digest) {
    this.#stop();
    this.stage.hidden = true;
    this.verdict.replaceChildren(h("p", { class: "dim" }, say("page.replay.loading")));
    try {
      const { content, review } = await load(),
        found = check(content, digest),
        replay = await this.#replay(found.records, found.digest);
      await this.#show(replay, digest, found.digest, review);
    } catch (error) {
      this.verdict.replaceChildren(
        h("p", { class: "wrong" }, `✗ ${error.code ? await this.app.explain(error) : error.message}`),
      );
    }
  }

  /**
   * The match of checked records, by the rules of the page if it has them, otherwise from the server.
   * @param {Plain[]} records
   * @param {string} digest
   */
  async #replay(records, digest) {
    const [{ game }] = records,
      { session } = this.app;
    if (knows(game) || !replays(session, game)) return Replay.of(records);
    const served = new Served(records, digest, (message) => this.app.ask(message));
    try {
      await served.load(null);
    } catch (error) {
      if (error.code === "no_file") return Replay.of(records); // which says what to do with the file
      throw error;
    }
    return served;
  }

  /**
   * Show a replay from its start, and what has been verified.
   * @param {Replay | Served} replay
   * @param {string | null} asked
   * @param {string} digest
   * @param {boolean} reviewed
   */
  async #show(replay, asked, digest, reviewed) {
    const [begun] = replay.records,
      game = gameOf(begun.game),
      [{ Widget }, words, hands, review] = await Promise.all([
        game.widget(),
        game.words(),
        game.openHands?.(),
        reviewed ? game.review?.() : null,
      ]);
    /** @type {Error | null} */
    let fault = null;
    try {
      replay.verify();
    } catch (error) {
      fault = error;
    }
    this.replay = replay;
    this.words = words;
    this.hands = hands?.hands;
    this.review?.stop();
    this.review =
      review && asked
        ? new ReviewPanel(
            this.app,
            asked,
            begun.game,
            review,
            (act) => {
              this.#seek(this.#before(act));
              this.widget.el.scrollIntoView({ block: "nearest" });
            },
            () => this.#seek(this.replay.at),
          )
        : null;
    this.playOn = asked && this.app.session.can.includes("continue") ? () => this.#playOn(asked) : null;
    this.begun = begun;
    this.last = fault ? replay.at : replay.records.length;
    this.widget = new Widget(/** @type {Host} */ ({ app: this.app }));
    this.viewpoint = "";
    document.body.dataset.game = begun.game;
    this.verdict.replaceChildren(...this.#verdict(fault, asked, digest));
    this.#controls();
    this.#write();
    this.stage.hidden = false;
    this.#seek(1);
  }

  /**
   * @param {Error | null} fault
   * @param {string | null} asked
   * @param {string} digest
   */
  #verdict(fault, asked, digest) {
    const own = knows(this.begun.game),
      proofs = [
        say("page.replay.proof.digest", { known: Boolean(asked) }),
        say("page.replay.proof.secret"),
        say(own ? "page.replay.proof.deals" : "page.replay.proof.served"),
      ];
    const { beacon, nonces } = this.begun;
    if (beacon)
      proofs.push(
        say("page.replay.proof.beacon", {
          round: beacon.round,
          chain: beacon.chain,
          randomness: nonces.at(-1),
        }),
      );
    return fault
      ? [h("p", { class: "wrong" }, `✗ ${fault.message}`)]
      : [
          h(
            "p",
            {},
            h("b", { class: "ready" }, say(own ? "page.replay.verified" : "page.replay.unchanged")),
            ` ${title(this.begun.game)}, ${this.begun.context}`,
          ),
          h(
            "details",
            {},
            h("summary", {}, say("page.replay.means")),
            h("ul", {}, ...proofs.map((proof) => h("li", {}, proof))),
            h("p", { class: "digest dim" }, say("page.result.digest", { digest })),
          ),
        ];
  }

  #controls() {
    /** @type {{ name: string }[]} */
    const players = this.begun.players;
    this.place.max = String(this.last);
    this.speed.value = "normal";
    this.viewers.replaceChildren(
      h("option", { value: "" }, say("page.replay.spectator")),
      this.hands ? h("option", { value: ALL }, say("page.replay.all")) : "",
      ...players.map(({ name }, seat) => h("option", { value: seat }, name)),
    );
    this.viewers.value = "";
    /**
     * @param {string} label
     * @param {string} words
     * @param {() => number} to
     */
    const step = (label, words, to) =>
      button(
        label,
        () => {
          this.#stop();
          this.#seek(to());
        },
        { "aria-label": words, title: words },
      );
    this.stage.replaceChildren(
      h(
        "div",
        { class: "row", role: "group", "aria-label": say("page.replay.controls") },
        step("|◀", say("page.replay.start"), () => 1),
        step("◀", say("page.replay.back"), () => this.replay.at - 1),
        this.play,
        step("▶", say("page.replay.forward"), () => this.replay.at + 1),
        step("▶|", say("page.replay.end"), () => this.last),
        this.place,
        this.count,
      ),
      h(
        "div",
        { class: "row" },
        this.speed,
        this.viewers,
        this.review ? button(say("page.replay.review"), () => this.#review()) : "",
        this.playOn ? this.on : "",
      ),
      this.why,
      this.widget.el,
      this.open,
      this.results,
      this.review?.el ?? "",
      this.log,
    );
  }

  /** The seat whose point of view is shown; otherwise ours, or the first person's. */
  get #seat() {
    /** @type {Plain[]} */
    const players = this.begun.players,
      own = players.findIndex(({ name }) => name === this.app.me.name),
      person = players.findIndex(({ kind }) => kind === "human");
    return this.viewer ?? Math.max(own < 0 ? person : own, 0);
  }

  async #review() {
    const seat = this.#seat;
    this.viewers.value = String(seat);
    await this.#look(this.viewers.value);
    this.review?.show(seat, this.begun.players[seat].name);
  }

  /**
   * Open a room in which the match goes on from the step that is shown.
   * @param {string} digest
   */
  async #playOn(digest) {
    this.#stop();
    this.on.disabled = true;
    try {
      const { room } = await this.app.ask({ t: "continue", digest, act: this.#acts + 1, seat: this.#seat });
      await this.app.go(`r/${room}`);
    } catch (error) {
      this.on.disabled = false;
      await this.app.showError(error);
    }
  }

  /** The number of acts until the step that is shown. */
  get #acts() {
    return this.replay.records.slice(0, this.replay.at).filter(({ r }) => ACTS.includes(r)).length;
  }

  /**
   * The step before an act.
   * @param {number} act
   */
  #before(act) {
    let count = 0;
    return this.replay.records.findIndex(({ r }) => ACTS.includes(r) && ++count === act);
  }

  /**
   * Change the point of view.
   * @param {string} viewpoint
   */
  async #look(viewpoint) {
    const { replay } = this;
    this.viewpoint = viewpoint;
    try {
      await replay.load(this.viewer);
    } catch (error) {
      return this.app.showError(error);
    }
    if (this.replay !== replay || this.viewpoint !== viewpoint) return;
    this.#write();
    this.#seek(replay.at);
  }

  // --- moving ---

  #toggle() {
    if (this.playing !== undefined) this.#stop();
    else this.#start();
  }

  #start() {
    clearInterval(this.playing);
    if (this.replay.at >= this.last) this.#seek(1);
    this.playing = setInterval(() => {
      if (this.replay.at < this.last) this.#seek(this.replay.at + 1);
      if (this.replay.at >= this.last) this.#stop();
    }, SPEEDS[this.speed.value]);
    text(this.play, say("page.replay.pause"));
  }

  #stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    text(this.play, say("page.replay.play"));
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (!this.replay) return false;
    /** @type {number | undefined} */
    const to = /** @type {Record<string, number>} */ ({
      ArrowLeft: this.replay.at - 1,
      ArrowRight: this.replay.at + 1,
      Home: 1,
      End: this.last,
    })[key];
    if (to !== undefined) {
      this.#stop();
      this.#seek(to);
    } else if (key === " " && !document.activeElement?.closest("button, summary")) this.#toggle();
    else return false;
    return true;
  }

  /** @param {number} wanted */
  #seek(wanted) {
    const { replay } = this,
      at = Math.max(1, Math.min(this.last, wanted));
    replay.seek(at);
    const room = this.#room(),
      { record } = replay;
    this.widget.news(room, [], false);
    this.widget.show(room);
    this.#hands(room);
    this.#showLog(room, record);
    this.place.value = String(at);
    this.on.disabled = !replay.records.slice(at).some(({ r }) => ACTS.includes(r));
    text(this.count, say("page.replay.at", { at, last: this.last }));
    this.#over(room, record);
  }

  // --- showing ---

  get viewer() {
    return /^\d+$/.test(this.viewpoint) ? Number(this.viewpoint) : null;
  }

  /** The room at this step, for the widget. */
  #room() {
    const { replay, viewer } = this;
    /** @type {Set<number>} */
    const standins = new Set();
    for (const { r, seat, by } of replay.records.slice(0, replay.at))
      if (["control", "handed"].includes(r)) standins[by === "standin" ? "add" : "delete"](seat);
    return Object.assign(this.#people(standins), {
      view: replay.view(viewer),
      events: replay.events(viewer),
      over: replay.record.r === "over" ? { result: replay.record } : null,
    });
  }

  /** @param {Set<number>} standins */
  #people(standins) {
    const { context, game, options, players } = this.begun;
    const seats = players.map((/** @type {Plain} */ { name, kind }, /** @type {number} */ seat) => ({
      seat,
      name,
      kind,
      here: true,
      by: standins.has(seat) ? "standin" : "owner",
    }));
    return Object.assign(new Room(context), {
      game,
      seat: this.viewer,
      may: [],
      clocks: {},
      table: { state: "playing", options, seats },
    });
  }

  /** @param {Room} room */
  #hands(room) {
    const { hands } = this,
      { match } = this.replay;
    const seats =
      !hands || !match ? [] : this.viewpoint === ALL ? [...match.hands.keys()] : room.seat === null ? [] : [room.seat];
    if (hands)
      hands(
        this.open,
        seats.map((seat) => [room.name(seat), match.hands[seat]]),
        this.viewpoint === ALL,
      );
  }

  /**
   * Show the log so far, latest first, and the reason given for the last action.
   * @param {Room} room
   * @param {Plain} record
   */
  #showLog(room, record) {
    const { replay } = this;
    /** @type {HTMLElement[]} */
    const shown = [];
    const now = this.lines[replay.at].join(" ");
    for (let at = replay.at; at > 0 && shown.length < LINES; at--)
      shown.push(...this.lines[at].map((line) => h("li", { class: at === replay.at ? "now" : "" }, line)).reverse());
    this.log.replaceChildren(...shown.slice(0, LINES));
    set(this.place, { "aria-valuetext": `${say("page.replay.at", { at: replay.at, last: this.last })}. ${now}` });
    const why =
      record.why && record.r === "act"
        ? say("page.replay.because", { name: room.name(record.seat), why: record.why })
        : "";
    text(this.why, [why, this.#remark(record)].filter(Boolean).join(" · "));
    if (this.playing === undefined && now) announce(now);
  }

  /**
   * What the review says of the act that is shown.
   * @param {Plain} record
   */
  #remark({ r, seat }) {
    return ACTS.includes(r) ? this.review?.remark(seat, this.#acts) : null;
  }

  /** Write the log of all steps, as seen from the point of view. */
  #write() {
    const replay = this.replay.copy(),
      room = this.#people(new Set()),
      served = replay instanceof Served;
    room.view = { mode: this.begun.options.mode };
    this.lines = [[]];
    for (let at = 1; at <= this.last; at++) {
      replay.seek(at);
      if (served) room.view = replay.view(this.viewer);
      room.events = replay.events(this.viewer);
      this.lines.push([...this.#words(room, replay.record)]);
    }
  }

  /**
   * @param {Room} room
   * @param {Plain} record
   */
  *#words(room, { r, seat, by, act, name }) {
    if (r === "timeout") yield say("page.replay.timeout", { name: room.name(seat) });
    if (r === "control") yield say(`room.${by}`, { name: room.name(seat) });
    if (r === "handed") yield say("room.handed", { before: room.name(seat), name });
    if (act?.do === "resign") yield say("page.replay.resigns", { name: room.name(seat) });
    for (const event of room.events) {
      const line = this.words.describe(room, event);
      if (line) yield line;
    }
  }

  /**
   * @param {Room} room
   * @param {Plain} record
   */
  async #over(room, record) {
    if (record.r !== "over") return this.results.replaceChildren();
    const [{ rankingTable }, review] = await Promise.all([
      import("./room/result.js"),
      this.widget.review?.(room, /** @type {Protocol.Result} */ (record)),
    ]);
    if (this.replay.record.r === "over")
      this.results.replaceChildren(rankingTable(room, /** @type {Protocol.Result} */ (record)), ...(review ?? []));
  }
}
