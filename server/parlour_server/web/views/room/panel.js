// The panel of a player who is not playing: ready or not, the link to the room, and the bots to invite.

import { button, clean, h, style } from "../../core/dom.js";
import { countDown } from "./held_seat.js";
import { linkField } from "./menu.js";

export class Panel {
  countDown = countDown;
  #bots = [];
  #listed = null; // the players for whom bots were listed

  constructor(view) {
    Object.assign(this, { view, app: view.app });
    style("styles/forms.css");
    import("./result.js"); // the connection may be gone when it is shown
  }

  show() {
    const { app, view } = this, { room, wait } = view, { table, own } = room, hosting = table.host === app.session.name;
    if (room.seat === null || wait.hidden) return;
    const key = JSON.stringify([room.seat, table.state, own?.ready, own?.by, hosting, this.#bots]);
    if (hosting && !room.underWay) this.#listBots();
    if (view.waitKey === key) return;
    view.waitKey = key;
    const focused = wait.contains(document.activeElement) ? document.activeElement.textContent : null;
    wait.replaceChildren(...(own?.by === "standin" ? this.#standIn() : this.#before(room, hosting)));
    if (focused !== null) [...wait.querySelectorAll("button")].find((el) => el.textContent === focused || el.classList.contains("main"))?.focus();
  }

  /** List the bots again: others may be free now. */
  refresh() {
    this.#listed = null;
    this.show();
  }

  #standIn() {
    return [h("p", {}, "A stand-in plays for you."), button("Take your seat back", () => this.view.ask({ t: "ready" }), { class: "main" })];
  }

  #before({ table, own, code }, hosting) {
    const { options } = table, over = table.state === "finished", { view } = this;
    const label = table.state === "pause" ? "Continue" : own?.ready ? "Not ready" : over ? "Play again" : "Ready";
    const link = h("p", { class: "row" }, linkField(this.app.roomUrl(code)), button("Copy", () => view.menu("copy")));
    return [...(over ? [] : [h("h1", {}, `Room ${code}`), h("p", {}, "Invite friends with this link:"), link]),
      h("p", { class: "row" }, button(label, () => this.#ready(), { class: "main", "aria-pressed": own?.ready ? "true" : null }),
        hosting ? button("Start now", () => view.ask({ t: "start" })) : null, hosting && options.mode !== "solo" ? this.#invite() : null),
      h("p", { class: "dim" }, "The match begins when all players are ready. Bots always are.")];
  }

  #ready() {
    const { own, table } = this.view.room, back = own?.ready && table.state !== "pause";
    this.view.ask({ t: "ready", ...(back && { ready: false }) });
  }

  #invite() {
    const label = (bot) => clean(bot.name) + (bot.rating === undefined ? "" : ` (${bot.rating})`);
    const choice = h("select", { "aria-label": "Bot" }, h("option", { value: "" }, "any bot"), ...this.#bots.map((bot) => h("option", { value: bot.name }, label(bot))));
    return h("span", { class: "row" }, button("Invite a bot", () => this.view.ask({ t: "invite", ...(choice.value && { bot: choice.value }) })), choice);
  }

  async #listBots() {
    const { room } = this.view, listed = room.table.seats.map((row) => row.name).join();
    if (this.#listed === listed) return;
    this.#listed = listed;
    const found = await this.app.ask({ t: "list", game: room.game }).catch(() => null);
    this.#bots = found?.bots.filter((bot) => bot.free > 0) ?? this.#bots;
    this.show();
  }
}
