// The form for a new room: the game, the settings of the room, the rules.

import { h, set, style } from "../core/dom.js";
import { title } from "./games.js";
import { CLOCK, GAMES } from "./form_options.js";

const time = ({ bank, add }) => `${bank / 1000} s + ${add / 1000} s per move`;
const QUICK = { bank: 20_000, add: 5_000 }, SLOW = { bank: 300_000, add: 60_000 };
const CLOCKS = { usual: [`default: ${time(CLOCK)}`], quick: [`quick: ${time(QUICK)}`, QUICK], slow: [`slow: ${time(SLOW)}`, SLOW], none: ["none", null] };
const WORDS = { true: "yes", false: "no" };
const said = (value) => WORDS[value] ?? String(value);

export class View {
  title = "New room";

  constructor(app) {
    this.app = app;
    const games = Object.keys(GAMES).filter((name) => app.session.can.includes(name)), box = (on) => h("input", { type: "checkbox", checked: on });
    this.game = this.#select(games, (name) => title(name));
    this.game.value = games.includes("uno") ? "uno" : games[0];
    this.game.addEventListener("change", () => this.#rules());
    this.seats = h("input", { type: "number" });
    this.clock = this.#select(Object.keys(CLOCKS), (name) => CLOCKS[name][0]);
    this.kinds = this.#select(["any", "humans", "bots"]);
    this.start = this.#select(["host", "full"], (value) => (value === "full" ? "when all seats are taken" : "when all players are ready, or the host starts it"));
    this.as = this.#select(["player", "spectator"], (value) => (value === "player" ? "play" : "watch"));
    [this.private, this.watch, this.standin, this.hints] = [box(false), box(true), box(true), box(true)];
    this.fields = h("div", { class: "fields" });
    this.fields.addEventListener("change", () => this.#usual());
    this.wrong = h("p", { class: "wrong", role: "alert" });
    const table = h("div", { class: "fields" }, ...[["game", this.game, ""], ["seats", this.seats, ""], ["private", this.private, "a longer code, not listed in the lobby"],
      ["clock", this.clock, ""], ["players", this.kinds, ""], ["spectators", this.watch, "others may watch"],
      ["stand-ins", this.standin, "a bot plays for a player who is away"], ["hints", this.hints, "clients may show legal moves and odds"], ["start", this.start, ""], ["you", this.as, ""]]
      .flatMap((field) => this.#field(...field)));
    this.el = h("section", { class: "sheet" }, h("h1", {}, "New room"), h("form", { onsubmit: (event) => this.#create(event) }, table, h("h2", {}, "Rules"), this.fields,
      this.wrong, h("p", {}, h("button", { class: "main" }, "Create room"))));
    this.#rules();
  }

  begin() {
    style("styles/forms.css");
    this.app.context(" › new room");
  }

  #select(values, label = said) { return h("select", {}, ...values.map((value) => h("option", { value: String(value) }, label(value)))); }

  #field(name, input, means) {
    input.id = `field-${name.replace(/\W/g, "-")}`;
    const more = means && h("span", { class: "dim", id: `${input.id}-means` }, means);
    if (more) set(input, { "aria-describedby": more.id });
    return [h("label", { for: input.id }, name.replaceAll("_", " ")), h("div", {}, input, more)];
  }

  #rules() {
    this.inputs = new Map();
    this.fields.replaceChildren(...GAMES[this.game.value].options.flatMap(({ name, means, allowed, low, high, usual }) => {
      const input = allowed ? this.#select(["", ...allowed]) : h("input", { type: typeof usual === "number" ? "number" : "text", min: low, max: high });
      this.inputs.set(name, input);
      return this.#field(name, input, means);
    }));
    this.#usual();
  }

  /** Show the defaults of all other fields, given those that are chosen. */
  #usual() {
    const { options, seats } = GAMES[this.game.value], usual = { seats };
    for (const option of options) usual[option.name] = option.usual;
    for (const { name, then } of options) Object.assign(usual, then?.[this.inputs.get(name).value]);
    for (const [name, input] of this.inputs) {
      if (!input.options) set(input, { placeholder: usual[name] });
      else input.options[0].textContent = `default: ${said(usual[name])}`;
    }
    const [min, placeholder, max] = usual.seats;
    set(this.seats, { min, max, placeholder });
  }

  get options() {
    const given = [...this.inputs].filter(([, { value }]) => value !== "");
    return Object.fromEntries(given.map(([name, { type, value }]) => [name, type === "number" ? Number(value) : { true: true, false: false }[value] ?? value]));
  }

  async #create(event) {
    event.preventDefault();
    const [, clock] = CLOCKS[this.clock.value];
    try {
      const joined = await this.app.ask({ t: "create", game: this.game.value, options: this.options, ...(this.seats.value && { seats: Number(this.seats.value) }),
        ...(clock !== undefined && { clock }), private: this.private.checked, watch: this.watch.checked, standin: this.standin.checked, hints: this.hints.checked,
        kinds: this.kinds.value, start: this.start.value, as: this.as.value });
      await this.app.go(`r/${joined.room}`);
    } catch (error) {
      this.wrong.textContent = await this.app.explain(error);
      this.wrong.dataset.code = error.code;
    }
  }
}
