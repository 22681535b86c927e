// The lobby: the open rooms, and the way to all other views.

import { button, h, keyed, style, tableHead, text, who } from "../core/dom.js";
import { common, title } from "./games.js";

const EVERY = 3_000; // ms between two requests
const STATES = { waiting: "waiting", playing: "playing", pause: "playing", finished: "between matches", closed: "closed" };

/** The names to list for a room, each with the words before and after it: people, bots, then a host without a seat. */
function people({ host, players = [] }) {
  const bots = players.filter(({ kind }) => kind === "bot"), humans = players.filter((each) => !bots.includes(each));
  const entry = ({ name, kind }) => ({ name, before: "", after: [kind === "bot" && "bot", name === host && "host"].filter(Boolean).join(", ") });
  const apart = host === null || players.some(({ name }) => name === host) ? [] : [{ name: host, before: "host ", after: "" }];
  return [...[...humans, ...bots].map(entry), ...apart];
}

export class View {
  title = "Open rooms";

  constructor(app) {
    Object.assign(this, { app, all: [] });
    this.game = h("select", { "aria-label": "Game", onchange: () => this.#look() }, h("option", { value: "" }, "all games"),
      ...common(app.session).map((name) => h("option", { value: name }, title(name))));
    this.filter = h("input", { type: "search", "aria-label": "Filter by code, game or name", placeholder: "Filter", oninput: () => this.#show() });
    this.code = h("input", { name: "code", "aria-label": "Room code", placeholder: "Room code", maxlength: 8, size: 10, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
    this.rows = h("tbody");
    this.status = h("p", { class: "dim", role: "status" });
    const join = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); if (this.code.value.trim()) app.go(`r/${encodeURIComponent(this.code.value.trim().toUpperCase())}`); } },
      this.code, h("button", {}, "Join"));
    this.me = h("details", { class: "me", ontoggle: () => this.#nameForm() }, h("summary", {}, "You are ", who(app.session.name)));
    this.seats = h("span");
    this.back = h("p", { hidden: true }, "You have a seat in", this.seats);
    this.el = h("section", { class: "sheet wide" }, h("h1", {}, "Open rooms"), this.me, this.back,
      h("p", { class: "row" }, button("New room", () => app.go("#create"), { class: "main" }), button("Standings", () => app.go("#standings")), button("Watch a replay", () => app.go("#replay"))),
      join, h("p", { class: "row" }, this.game, this.filter),
      h("div", { class: "frame" }, h("table", { class: "list rooms" }, h("caption", { class: "unseen" }, "Open rooms"), tableHead("room", "game", "state", "seats", "players", ""), this.rows)), this.status);
  }

  begin() {
    style("styles/forms.css");
    this.app.context();
    this.#held();
    this.timer = setInterval(() => document.visibilityState === "visible" && this.#look(), EVERY);
    this.#look();
  }

  end() { clearInterval(this.timer); }

  /** Link to the rooms in which we have a seat. A server can name them after the lobby is shown. */
  #held() {
    const { app } = this, held = [...app.session.rooms.values()].filter((room) => room.seat !== null).map((room) => room.code);
    keyed(this.seats, held, (code) => h("span", {}, " ", h("a", { href: app.roomUrl(code), "data-go": `r/${code}` }, code)));
    this.back.hidden = !held.length;
  }

  async #nameForm() {
    const { nameForm, rename } = await import("./name_form.js");
    this.form ??= nameForm(this.app, "Change name", async (name, key) => { await rename(this.app, name, key); await this.app.go(""); });
    this.me.append(this.form);
  }

  async #look() {
    try {
      const found = [], bots = { count: 0 };
      for (let after; ;) {
        const page = await this.app.ask({ t: "list", ...(this.game.value && { game: this.game.value }), ...(after && { after }) });
        found.push(...page.rooms);
        bots.count = page.bots.length;
        if ((after = page.after) === undefined || found.length >= 500) break;
      }
      this.all = found;
      this.bots = bots.count;
      this.#show();
    } catch (error) {
      if (error.code !== "lost" && error.code !== "rate_limited") text(this.status, await this.app.explain(error));
    }
  }

  #show() {
    this.#held();
    const { app } = this, wanted = this.filter.value.trim().toLowerCase();
    const rooms = this.all.filter((row) => [row.room, row.game, title(row.game), ...people(row).map(({ name }) => name)].join(" ").toLowerCase().includes(wanted));
    keyed(this.rows, rooms.map((row) => row.room), (code) => h("tr", {}, h("th", { scope: "row" }, code), ...Array.from({ length: 5 }, () => h("td")))).forEach((item, at) => {
      const row = rooms[at], cells = item.children, key = JSON.stringify(row);
      if (item.shown === key) return;
      item.shown = key;
      text(cells[1], title(row.game));
      text(cells[2], STATES[row.state] ?? row.state);
      text(cells[3], `${row.taken} of ${row.seats}${row.kinds === "any" ? "" : `, ${row.kinds}`}`);
      cells[4].replaceChildren(...people(row).flatMap(({ name, before, after }, at) => [`${at ? ", " : ""}${before}`, who(name), after && ` (${after})`]));
      const sit = row.taken < row.seats && !["playing", "pause"].includes(row.state) && row.kinds !== "bots";
      cells[5].replaceChildren(sit ? button("Play", () => this.#sit(row.room), { "aria-label": `Play in ${row.room}` }) : "",
        row.watch ? button("Watch", () => app.go(`r/${row.room}`), { "aria-label": `Watch ${row.room}` }) : "");
    });
    text(this.status, `${rooms.length ? "" : "No open rooms match. "}${this.bots === undefined ? "" : `${this.bots} bot${this.bots === 1 ? "" : "s"} available.`}`);
  }

  async #sit(code) {
    try {
      await this.app.ask({ t: "join", room: code, as: "player" });
      this.app.go(`r/${code}`);
    } catch (error) {
      this.app.showError(error);
    }
  }
}
