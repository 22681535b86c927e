// The first view: what one can play with one press, the open rooms, and the way to all other views.

import { button, changes, clean, h, keyed, tableHead, text, who } from "../core/dom.js";
import { around, say, withMore } from "../core/phrases.js";
import { common, knows, summary, title } from "./games.js";

const EVERY = 3_000; // ms between two requests
const HEAD = ["room", "game", "state", "seats", "players", "action"];
const LEVELS = { beginner: "9×9", intermediate: "16×16", expert: "30×16" };

/**
 * The names to list for a room, each with the words before and after it: people, bots, then a host without a seat.
 * @param {Protocol.RoomRow} row
 */
function people({ host, players = [] }) {
  const bots = players.filter(({ kind }) => kind === "bot"),
    humans = players.filter((each) => !bots.includes(each));
  /** @param {Protocol.PlayerRow} player */
  const entry = ({ name, kind }) => ({
    name,
    before: "",
    after: [kind === "bot" && say("page.room.kind", { kind }), name === host && say("page.room.host")]
      .filter(Boolean)
      .join(", "),
  });
  const apart =
    host === null || players.some(({ name }) => name === host)
      ? []
      : [{ name: host, before: `${say("page.room.host")} `, after: "" }];
  return [...[...humans, ...bots].map(entry), ...apart];
}

/**
 * Whether one can sit down in a room.
 * @param {Protocol.RoomRow} row
 */
const free = ({ taken, seats, state, kinds }) =>
  taken < seats && !["playing", "pause"].includes(state) && kinds !== "bots";

/**
 * Rooms with people first, then those with a free seat.
 * @param {Protocol.RoomRow} row
 */
const rank = (row) => 2 * Number(!row.people) + Number(!free(row));

export class View {
  title = say("page.lobby.title");
  /** @type {Protocol.RoomRow[]} */
  all = [];
  /** @type {Map<string, string[]>} How each room is played. */
  played = new Map();
  /** @type {number | undefined} */
  bots;
  /** @type {HTMLElement | undefined} */
  form;
  starting = false;
  /** @type {number | undefined} */
  timer;
  /** @type {import("./own_games.js").OwnGames | undefined} */
  own;
  /** @type {Map<string, HTMLElement>} What we have done with each board of the day. */
  dailies = new Map();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.filter = h("input", {
      type: "search",
      "aria-label": say("page.lobby.filter.means"),
      placeholder: say("page.lobby.filter"),
      oninput: () => this.#show(),
    });
    this.code = h("input", {
      name: "code",
      "aria-label": say("page.lobby.code"),
      placeholder: say("page.lobby.code"),
      maxlength: 17,
      size: 10,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
    });
    this.rows = h("tbody");
    this.status = h("p", { class: "dim", role: "status" });
    const join = h(
      "form",
      {
        class: "row",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#open(this.code.value.trim().toUpperCase());
        },
      },
      this.code,
      h("button", {}, say("page.lobby.join")),
    );
    this.me = h(
      "details",
      { class: "me", ontoggle: () => this.#nameForm() },
      h("summary", {}, ...around("page.lobby.you", who(app.session.name))),
    );
    this.back = h("div");
    this.latest = h("div", { class: "plank", "aria-label": say("page.lobby.shelf.latest"), role: "group" });
    this.goal = h("p", { class: "goal" });
    this.el = h(
      "section",
      { class: "sheet wide" },
      h("h1", {}, this.title),
      this.back,
      h("div", { class: "tiles" }, ...this.#tiles()),
      this.#shelf(),
      h("div", { class: "row between" }, h("h2", { class: "big" }, say("page.shell.rooms")), join, this.filter),
      h(
        "div",
        { class: "frame" },
        h(
          "table",
          { class: "list rooms" },
          h("caption", { class: "unseen" }, say("page.shell.rooms")),
          tableHead(...HEAD.map((name) => say(`page.lobby.head.${name}`))),
          this.rows,
        ),
      ),
      this.status,
      h(
        "div",
        { class: "row" },
        this.me,
        button(say("page.lobby.standings"), () => app.go("#standings")),
        ...(app.session.can.includes("profile") ? [button(say("page.lobby.record"), () => app.go("#player"))] : []),
        button(say("page.lobby.replay"), () => app.go("#replay")),
      ),
    );
  }

  /** What can be played with one press. */
  #tiles() {
    const { app } = this,
      games = common(app.session);
    /** @type {HTMLElement[]} */
    const tiles = [];
    /**
     * @param {string} kind
     * @param {string} name
     * @param {string} means
     * @param {Child[]} buttons
     */
    const tile = (kind, name, means, ...buttons) =>
      tiles.push(
        h(
          "section",
          { class: `tile ${kind}`, "aria-label": name },
          h("h2", {}, name),
          h("p", {}, means),
          h("p", { class: "row" }, ...buttons),
        ),
      );
    if (games.includes("uno"))
      tile(
        "uno-tile",
        title("uno"),
        say("page.lobby.bots.means"),
        button(say("page.lobby.bots"), this.#start("withBots", "uno"), { class: "main" }),
      );
    if (games.includes("minesweeper"))
      tile(
        "mines-tile",
        title("minesweeper"),
        say("page.lobby.board.means"),
        ...Object.entries(LEVELS).map(([level, size]) =>
          button(
            [say("page.shell.level", { level }), h("small", {}, size)],
            this.#start("alone", "minesweeper", { mode: "solo", level }),
            { class: "main stacked" },
          ),
        ),
      );
    for (const game of games.filter((name) => !knows(name)))
      tile(
        "other-tile",
        title(game),
        summary(game) ?? say("page.lobby.other.means"),
        button(say("page.lobby.other", { game: title(game) }), this.#start("withBots", game), { class: "main" }),
      );
    tile(
      "friends-tile",
      say("page.lobby.friends"),
      say("page.lobby.friends.means"),
      ...(games.includes("uno")
        ? [button(say("page.lobby.table"), this.#start("withFriends", "uno"), { class: "main" })]
        : []),
      button(say("page.shell.new"), () => app.go("#create")),
    );
    return tiles;
  }

  /** The boards of the day, our last matches, and what to do next. */
  #shelf() {
    const { session } = this.app,
      daily = (/** @type {string} */ board, /** @type {string} */ name) => {
        const done = h("small", {}, say("page.lobby.today"));
        this.dailies.set(board, done);
        return button([name, done], this.#start("daily", board), { class: "main stacked", "data-board": board });
      };
    const boards = [
      ...Object.keys(LEVELS).map((level) => daily(level, say("page.shell.level", { level }))),
      ...(common(session).includes("uno") ? [daily("uno", title("uno"))] : []),
    ];
    return h(
      "section",
      { class: "shelf", "aria-label": say("page.lobby.shelf") },
      session.can.includes("daily")
        ? h(
            "div",
            {},
            h("h2", { class: "big" }, say("page.lobby.daily")),
            h("p", { class: "dim" }, say("page.lobby.daily.means")),
            h("div", { class: "plank" }, ...boards),
          )
        : null,
      h("div", {}, h("h2", { class: "big" }, say("page.lobby.shelf.latest")), this.goal, this.latest),
    );
  }

  /** Fill the shelf with what this browser and the server know of us. */
  async #remember() {
    const { app } = this,
      asked = app.session.can.includes("profile") ? app.ask({ t: "profile" }).catch(() => null) : null;
    const games = (await asked)?.games ?? [];
    if (!games.length && !app.matches.all.length) return text(this.goal, say("page.lobby.shelf.empty"));
    await (await withMore(import("./shelf.js"))).fill(this, games);
  }

  /**
   * A listener that starts a match, once.
   * @param {string} what A function of quick.js.
   * @param {unknown[]} more Its arguments after the first.
   */
  #start(what, ...more) {
    return async (/** @type {{ currentTarget: HTMLElement }} */ { currentTarget }) => {
      if (this.starting) return;
      this.starting = true;
      currentTarget.classList.add("busy");
      try {
        /** @type {Record<string, (app: App, ...more: any[]) => Promise<void>>} */
        const quick = await import("./quick.js");
        await quick[what](this.app, ...more);
      } catch (error) {
        this.app.showError(error);
      }
      this.starting = false;
      currentTarget.classList.remove("busy");
    };
  }

  begin() {
    this.app.context();
    this.#held();
    this.#missed().catch(() => undefined); // asked again with the next visit
    this.#remember().catch(() => undefined);
    this.timer = setInterval(() => document.visibilityState === "visible" && this.#look(), EVERY);
    this.#look();
  }

  end() {
    clearInterval(this.timer);
  }

  elsewhere() {
    this.#held();
  }

  /** Show the rooms in which we have a seat. A server can name them after the lobby is shown. */
  #held() {
    const rooms = [...this.app.session.rooms.values()].filter((room) => room.seat !== null && room.table);
    if (this.own) this.own.show(rooms);
    else if (rooms.length || this.app.identities.seated.length) this.#own();
  }

  async #own() {
    const { OwnGames } = await import("./own_games.js");
    if (!this.own) this.back.append((this.own = new OwnGames(this.app)).el);
    this.#held();
    return this.own;
  }

  /** Ask what has ended while we were away. */
  async #missed() {
    if (!this.app.session.can.includes("missed")) return;
    const { matches } = await this.app.ask({ t: "missed" });
    if (matches.length) (await this.#own()).tell(matches);
    this.#held();
  }

  async #nameForm() {
    const { nameForm, rename } = await import("./name_form.js");
    this.form ??= nameForm(this.app, say("page.lobby.change"), async (name, key) => {
      await rename(this.app, name, key);
      await this.app.go("");
    });
    this.me.append(this.form);
  }

  async #look() {
    try {
      const found = [],
        bots = { count: 0 };
      for (let after; ; ) {
        const page = await this.app.ask({ t: "list", ...(after && { after }) });
        found.push(...page.rooms);
        bots.count = page.bots.filter((/** @type {Protocol.BotRow} */ bot) => bot.free > 0).length;
        if ((after = page.after) === undefined || found.length >= 500) break;
      }
      this.all = found.sort((a, b) => rank(a) - rank(b) || (a.room < b.room ? -1 : 1));
      this.bots = bots.count;
      this.#show();
      const { played } = await import("./played.js"); // the words of the games follow
      this.played = new Map(
        await Promise.all(found.map(async (row) => /** @type {[string, string[]]} */ ([row.room, await played(row)]))),
      );
      this.#show();
    } catch (error) {
      if (error.code !== "lost" && error.code !== "rate_limited") text(this.status, await this.app.explain(error));
    }
  }

  #show() {
    this.#held();
    const { app } = this,
      wanted = this.filter.value.trim().toLowerCase();
    const rooms = this.all.filter((row) =>
      [row.room, row.game, title(row.game), ...this.#rules(row), ...people(row).map(({ name }) => name)]
        .join(" ")
        .toLowerCase()
        .includes(wanted),
    );
    keyed(
      this.rows,
      rooms.map((row) => row.room),
      (code) => h("tr", {}, h("th", { scope: "row" }, code), ...Array.from({ length: 5 }, () => h("td"))),
    ).forEach((item, at) => {
      const row = rooms[at],
        cells = item.children,
        rules = this.#rules(row);
      if (!changes(item, JSON.stringify([row, rules]))) return;
      cells[1].replaceChildren(
        clean(title(row.game)),
        ...(rules.length ? [h("small", { class: "dim" }, rules.join(" · "))] : []),
      );
      text(cells[2], say("page.lobby.state", { state: row.state }));
      text(cells[3], say("page.lobby.seats", row));
      cells[4].replaceChildren(
        ...people(row).flatMap(({ name, before, after }, at) => [
          clean(`${at ? ", " : ""}${before}`),
          who(name),
          after && clean(` (${after})`),
        ]),
      );
      cells[5].replaceChildren(
        free(row)
          ? button(say("page.lobby.play"), () => this.#sit(row), {
              "aria-label": say("page.lobby.play_in", { code: row.room }),
            })
          : "",
        row.watch
          ? button(say("page.lobby.watch"), () => app.go(`r/${row.room}`), {
              "aria-label": say("page.lobby.watch_in", { code: row.room }),
            })
          : "",
      );
    });
    text(
      this.status,
      [!rooms.length && say("page.lobby.none"), this.bots !== undefined && say("page.lobby.free", { n: this.bots })]
        .filter(Boolean)
        .join(" "),
    );
  }

  /** @param {Protocol.RoomRow} row */
  #rules(row) {
    return this.played.get(row.room) ?? [];
  }

  /**
   * Open the room with a typed code, which may have the code for its seats after a `-`.
   * @param {string} typed
   */
  #open(typed) {
    const [code, seatCode] = typed.split("-", 2).map(encodeURIComponent);
    if (code) this.app.go(`r/${code}${seatCode ? `#seat=${seatCode}` : ""}`);
  }

  /**
   * Take a seat; where that takes a code, go and look at the room first.
   * @param {Protocol.RoomRow} row
   */
  async #sit({ room: code, seat_code: coded }) {
    try {
      if (coded) return void this.app.go(`r/${code}`);
      await this.app.ask({ t: "join", room: code, as: "player" });
      this.app.go(`r/${code}`);
    } catch (error) {
      this.app.showError(error);
    }
  }
}
