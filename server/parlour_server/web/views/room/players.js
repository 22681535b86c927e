// The players of a room, and the number of spectators.

import { button, clean, h, keyed, text, who } from "../../core/dom.js";

export class Players {
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
      const facts = [mine ? "you" : row.kind, row.name === host && "host", row.by === "standin" ? "stand-in" : !row.here && "away",
        row.left !== undefined && `seat held for ${Math.ceil(row.left / 1000)} s`, row.rating !== undefined && `rating ${row.rating}`].filter(Boolean).join(", ");
      item.replaceChildren(who(row.name, { class: mine ? "who me" : "who" }), h("span", { class: "dim" }, ` ${facts} `),
        row.ready && !room.underWay ? h("span", { class: "ready" }, "✓ ready") : "",
        hosting && !mine ? button("⋯", () => this.manage(row.name), { class: "small", "aria-label": `Manage ${clean(row.name)}` }) : "");
    });
  }
}
