// The table before a match: who sits round it, the chairs that are free, and a centre for what is said and pressed.

import { button, changes, h, keyed, put, set, style, who } from "../../core/dom.js";
import { face } from "../../core/faces.js";
import { say } from "../../core/phrases.js";

export class Chairs {
  /** @param {{ invite(): void, choose(): void } | null} bots Seats the usual bot in a free chair, or a chosen one. */
  constructor(bots = null) {
    this.bots = bots;
    style("styles/waiting.css");
    this.list = h("ul", { "aria-label": say("page.room.players") });
    this.centre = h("div", { class: "centre" });
    this.el = h("div", { class: "chairs" }, this.list, this.centre);
  }

  /**
   * Show the seats clockwise from ours, which is at the bottom.
   * @param {Room} room
   * @param {boolean} may Whether a bot may be invited to a free chair.
   */
  show({ seat, table: { seats, size = seats.length, host } }, may = false) {
    const free = Array.from({ length: Math.max(0, size - seats.length) }, (_, at) => `free ${at}`);
    const own = seats.findIndex((row) => row.seat === seat);
    const of = seats.length + free.length;
    put(this.list, { "--of": of });
    set(this.list, { "data-of": of });
    keyed(this.list, [...seats.map(({ name }) => name), ...free], () => h("li")).forEach((item, at) => {
      const row = seats[at];
      put(item, { "--at": at - Math.max(0, own) });
      if (!changes(item, JSON.stringify(row ? [row.kind, row.ready, row.here, row.name === host] : may))) return;
      set(item, { class: row ? (row.here ? null : "out") : "free" });
      if (row) {
        const bot = row.kind === "bot",
          told = [
            row.name === host && say("page.room.host"),
            bot && say("page.room.kind", { kind: "bot" }),
            !row.here ? say("page.room.kind", { kind: "away" }) : !bot && row.ready && `✓ ${say("page.room.ready")}`,
          ].filter(Boolean);
        item.replaceChildren(
          h("span", { class: "portrait" }, face(row.name, bot)),
          who(row.name, { title: row.name }),
          h("small", { class: row.ready && !bot ? "ready" : "" }, told.join(" · ")),
        );
      } else
        item.replaceChildren(
          ...(may && this.bots
            ? [
                button("+", this.bots.invite, { class: "portrait", "aria-label": say("page.panel.to_chair") }),
                button(say("page.panel.bot"), this.bots.choose, {
                  class: "small",
                  "aria-haspopup": "dialog",
                  "aria-label": say("page.panel.which"),
                }),
              ]
            : [h("span", { class: "portrait" }), h("small", {}, say("page.room.free"))]),
        );
    });
  }
}
