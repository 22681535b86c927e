// The panel before a match, for players and the host: ready or not, the link to the room, and the bots to invite.

import { button, clean, h, keyed, set, style, text } from "../../core/dom.js";
import { say, withMore } from "../../core/phrases.js";
import { terms } from "../games.js";
import { Chairs } from "./chairs.js";
import { countDown } from "./held_seat.js";
import { linkField } from "./menu.js";

const LEVELS = ["easy", "normal", "hard"],
  LLM = "llm";

export class Panel {
  countDown = countDown;
  /** @type {Protocol.BotRow[]} */
  #bots = [];
  /**
   * @type {Map<string, { bot?: string, style?: string, label: string }>} What may be invited, by the value of its
   * option.
   */
  #choices = new Map();
  shown = "";
  /** @type {string | null} The players for whom bots were listed. */
  #listed = null;

  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    this.app = view.app;
    style("styles/forms.css");
    import("./result.js"); // the connection may be gone when it is shown
    const { code } = view,
      press = (/** @type {keyof MenuItems} */ what) => () => view.menu(what);
    this.rules = h("ul", { class: "chips", "aria-label": say("page.room.rules") });
    this.chairs = new Chairs(() => this.#invite());
    this.code = h("div");
    this.ready = button("", () => this.#ready(), { class: "main" });
    this.start = button(say("page.panel.start"), () => view.ask({ t: "start" }));
    this.choice = h(
      "select",
      { "aria-label": say("page.panel.bot") },
      h("option", { value: "" }, say("page.panel.any")),
    );
    this.invite = h(
      "span",
      { class: "row" },
      button(say("page.panel.invite_bot"), () => this.#invite()),
      this.choice,
    );
    this.change = button(say("page.panel.rules"), async () =>
      (await withMore(import("./configure.js"))).configure(view),
    );
    this.why = h("p", { class: "dim", role: "status" });
    this.head = h(
      "div",
      {},
      h("h1", {}, say("page.room.title", { code })),
      this.chairs.el,
      this.rules,
      h(
        "div",
        { class: "invite" },
        h(
          "div",
          {},
          h("p", {}, say("page.panel.invite")),
          h(
            "p",
            { class: "row" },
            linkField(this.app.roomUrl(code)),
            button(say("page.panel.copy"), press("copy")),
            "share" in navigator ? button(say("page.panel.share"), press("share")) : null,
            button(say("page.panel.qr"), press("qr")),
          ),
        ),
        this.code,
      ),
    );
    import("./qr.js").then(
      ({ image }) => this.code.append(image(this.app.roomUrl(code))),
      () => {},
    );
    this.before = h(
      "div",
      {},
      this.head,
      h("p", { class: "row" }, this.ready, this.start, this.invite, this.change),
      this.why,
    );
    this.standIn = h(
      "div",
      { class: "row" },
      h("p", {}, say("page.panel.standin")),
      button(say("page.panel.take_back"), () => view.ask({ t: "ready" }), { class: "main" }),
    );
  }

  show() {
    const { app, view } = this,
      { room, wait } = view,
      { table, own } = room,
      hosting = table.host === app.session.name;
    if (wait.hidden || (room.seat === null && (!hosting || room.underWay))) return;
    const shown = own?.by === "standin" ? this.standIn : this.before;
    if (wait.firstChild !== shown || wait.children.length > 1 + Number(room.seat === null)) wait.replaceChildren(shown);
    if (shown === this.before) this.#before(room, hosting);
    if (room.seat === null && !room.underWay) import("../name_form.js").then(({ seatForm }) => seatForm(view));
    view.waitKey = "";
  }

  /** List the bots again: others may be free now. */
  refresh() {
    this.#listed = null;
    this.show();
  }

  /**
   * @param {Room} room
   * @param {boolean} hosting
   */
  #before({ table, own, seat, over: ended }, hosting) {
    const { seats, size, options } = table,
      over = ended !== null || table.state === "finished",
      between = !over && table.state === "pause",
      alone = size === 1 || options.mode === "solo";
    const short = !alone && seats.length < 2 && !between;
    this.head.hidden = over || between;
    const { words } = this.view,
      rules = [...(words ? words.rules(options, this.view.room.game) : []), ...terms(table, size ?? 2)];
    if (rules.join("\n") !== this.shown) this.rules.replaceChildren(...rules.map((rule) => h("li", {}, rule)));
    this.shown = rules.join("\n");
    text(
      this.ready,
      say("page.panel.ready", { what: between ? "continue" : own?.ready ? "back" : over ? "again" : "ready" }),
    );
    set(this.ready, { "aria-pressed": own?.ready ? "true" : null });
    this.ready.hidden = seat === null;
    this.start.hidden = !hosting || between || (alone && over);
    this.start.disabled = short;
    this.change.hidden = !hosting || between || "deal" in table.fair || !this.app.session.can.includes("configure");
    this.invite.hidden = !hosting || alone || between || (size !== undefined && seats.length >= size);
    this.chairs.show(this.view.room, !this.invite.hidden);
    text(this.why, short ? say("page.panel.short") : between || alone ? "" : say("page.panel.begins"));
    if (hosting && !this.invite.hidden) this.#listBots();
  }

  #ready() {
    const { own, table } = this.view.room,
      back = own?.ready && table.state !== "pause";
    this.view.ask({ t: "ready", ...(back && { ready: false }) });
  }

  #invite() {
    const { bot, style } = this.#choices.get(this.choice.value) ?? {};
    this.view.ask({ t: "invite", ...(bot && { bot }), ...(style && { style }) });
  }

  async #listBots() {
    const { room } = this.view,
      listed = room.table.seats.map((row) => row.name).join();
    if (this.#listed === listed) return;
    this.#listed = listed;
    /** @type {Protocol.ServerRooms | null} */
    const found = await this.app.ask({ t: "list", game: room.game }).catch(() => null);
    this.#bots = found?.bots.filter(({ free, games }) => free > 0 && games.includes(room.game)) ?? this.#bots;
    this.#showBots();
  }

  /** Show the levels, the bots without styles by name, and the other styles. Keep the chosen one. */
  #showBots() {
    const ways = (/** @type {Protocol.BotRow} */ bot) => (bot.styles ?? []).filter((style) => style !== LLM);
    const styles = new Set(this.#bots.flatMap(ways)),
      of = (/** @type {string[]} */ names) =>
        names.map((style) => ({ style, label: say("page.room.bot", { style: clean(style) }) }));
    const named = this.#bots
      .filter((bot) => !ways(bot).length)
      .map(({ name, rating }) => ({ bot: name, label: clean(name) + (rating === undefined ? "" : ` (${rating})`) }));
    const offered = [
      ...of(LEVELS.filter((name) => styles.has(name))),
      ...named,
      ...of([...styles].filter((name) => !LEVELS.includes(name))),
    ];
    this.#choices = new Map(
      offered.map((choice) => ["bot" in choice ? `bot ${choice.bot}` : `style ${choice.style}`, choice]),
    );
    const any = this.choice.options[0],
      keys = [...this.#choices.keys()],
      { value } = this.choice;
    any.dataset.key = "\n"; // no bot
    keyed(this.choice, ["\n", ...keys], (key) => h("option", { value: key }))
      .slice(1)
      .forEach((option, at) => text(option, offered[at].label));
    this.choice.value = this.#choices.has(value) ? value : "";
  }
}
