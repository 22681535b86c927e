// The player's own games, in the lobby: whose turn it is in each, and what has ended meanwhile.

import { button, h, keyed, text, who } from "../core/dom.js";
import { around, say, timeLeft } from "../core/phrases.js";
import { title } from "./games.js";
import { notify } from "./notice.js";

export class OwnGames {
  /** @type {Protocol.MissedRow[]} */
  matches = [];
  /** @type {Map<string, boolean>} Whether it was our turn, by room. */
  mine = new Map();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.list = h("ul");
    this.missed = h("ul");
    this.seen = button(say("page.own.seen"), () => this.#dismiss());
    this.ended = h("div", { hidden: true }, h("h2", { class: "big" }, say("page.own.missed")), this.missed, this.seen);
    this.title = h("h2", { class: "big" }, say("page.own.title"));
    this.others = h(
      "p",
      { class: "row" },
      ...app.identities.seated
        .filter((name) => name !== app.session.name)
        .map((name) => button([...around("page.own.as", who(name))], () => this.#become(name))),
    );
    this.el = h(
      "section",
      { class: "panel own", "aria-label": say("page.own.title") },
      this.title,
      this.list,
      this.others,
      this.ended,
    );
  }

  /**
   * Show the rooms in which we have a seat.
   * @param {import("../core/session.js").Room[]} rooms
   */
  show(rooms) {
    const { app } = this;
    keyed(
      this.list,
      rooms.map((room) => room.code),
      (code) => h("li", {}, h("a", { href: app.roomUrl(code), "data-go": `r/${code}` }, code), " ", h("span")),
    ).forEach((item, at) => {
      const room = rooms[at],
        running = room.underWay ? Object.keys(room.clocks ?? {}).map(Number) : [];
      const mine = running.includes(Number(room.seat)) || room.question !== null;
      const left = Math.min(...running.map((seat) => room.left(seat, performance.now()) ?? Infinity));
      const others = running
        .filter((seat) => seat !== room.seat)
        .map((seat) => room.name(seat))
        .join(", ");
      item.classList.toggle("mine", mine);
      text(
        item.children[1],
        say("page.own.room", {
          game: title(room.game),
          mine,
          state: room.table.state,
          others: others || null,
          left: Number.isFinite(left) ? timeLeft(left) : null,
        }),
      );
      if (mine && this.mine.get(room.code) === false) notify(room);
      this.mine.set(room.code, mine);
    });
    this.#show(rooms.length > 0);
  }

  /**
   * Show matches that ended while we were away.
   * @param {Protocol.MissedRow[]} matches
   */
  tell(matches) {
    this.matches = matches;
    this.ended.hidden = !matches.length;
    this.#show(this.list.children.length > 0);
    keyed(
      this.missed,
      matches.map((match) => match.digest),
      (digest) => {
        const match = /** @type {Protocol.MissedRow} */ (matches.find((each) => each.digest === digest));
        const counts = !match.void,
          players = counts ? match.players : [],
          fields = { game: title(match.game), rank: match.rank, n: match.players.length, void: !counts };
        return h(
          "li",
          {},
          h("a", { href: `#replay=${digest}`, "data-go": `#replay=${digest}` }, match.room),
          ` ${say("page.own.ended", fields)} `,
          ...players.flatMap(({ name, rank }, at) => [`${at ? ", " : ""}${rank}. `, who(name)]),
        );
      },
    );
  }

  /** @param {boolean} seated */
  #show(seated) {
    this.title.hidden = !seated && !this.others.children.length;
    this.el.hidden = this.title.hidden && !this.matches.length;
  }

  /**
   * Be the player of that name here, with their seats.
   * @param {string} name
   */
  async #become(name) {
    try {
      await this.app.connect(name);
      await this.app.route();
    } catch (error) {
      this.app.showError(error);
    }
  }

  async #dismiss() {
    const { matches } = await this.app.ask({ t: "missed", seen: this.matches.map(({ digest }) => digest) });
    this.tell(matches);
  }
}
