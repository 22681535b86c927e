// A room of one's own: the game, the table, the rules.

import { h, style } from "./dom.js";
import { words } from "./app.js";
import { OPTIONS } from "./options.js";

const CLOCKS = { usual: undefined, quick: { bank: 20_000, add: 5_000 }, slow: { bank: 300_000, add: 60_000 }, none: null };
const yesNo = ["as usual", "yes", "no"], usual = "as usual";

export class CreateView {
  title = "New room";

  constructor(app) {
    this.app = app;
    const games = Object.keys(OPTIONS).filter((name) => app.session.can.includes(name));
    this.game = this.#select(games, (name) => app.title(name));
    this.game.addEventListener("change", () => this.#rules());
    this.seats = h("input", { type: "number", min: 1, max: 10, placeholder: "usual" });
    this.clock = this.#select(Object.keys(CLOCKS));
    this.kinds = this.#select(["any", "humans", "bots"]);
    this.start = this.#select(["host", "full"], (value) => (value === "full" ? "when full" : "host, or all ready"));
    this.as = this.#select(["player", "spectator"], (value) => (value === "player" ? "play" : "watch"));
    const box = (on) => h("input", { type: "checkbox", checked: on });
    [this.private, this.watch, this.standin, this.hints] = [box(false), box(true), box(true), box(true)];
    this.fields = h("div", { class: "fields" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    const table = h("div", { class: "fields" }, ...[["game", this.game, ""], ["seats", this.seats, ""], ["private", this.private, "a longer code, and not listed"],
      ["clock", this.clock, "time to think"], ["who may sit", this.kinds, ""], ["watchers", this.watch, "whether others may watch"],
      ["stand-ins", this.standin, "a bot plays for who is away"], ["hints", this.hints, ""], ["begins", this.start, "the first match"], ["you", this.as, ""]]
      .flatMap((field) => this.#field(...field)));
    this.el = h("section", { class: "sheet" }, h("h1", {}, "A new room"), h("form", { onsubmit: (event) => this.#create(event) }, table, h("h2", {}, "The rules"), this.fields,
      this.wrong, h("p", {}, h("button", { class: "main" }, "Open the room"))));
    this.#rules();
  }

  begin() {
    style("forms.css");
    this.app.context(" › new room");
  }

  #select(values, label = (value) => value) { return h("select", {}, ...values.map((value) => h("option", { value }, label(value)))); }

  #field(name, input, means) {
    input.id = `field-${name.replace(/\W/g, "-")}`;
    return [h("label", { for: input.id }, name.replaceAll("_", " ")), h("div", {}, input, means && h("span", { class: "dim" }, means))];
  }

  #rules() {
    this.inputs = new Map();
    this.fields.replaceChildren(...OPTIONS[this.game.value].flatMap(([name, allowed, means]) => {
      const number = allowed && typeof allowed[0] === "number";
      const input = number ? h("input", { type: "number", min: allowed[0], max: allowed[1], placeholder: "usual" }) : this.#select(allowed ? [usual, ...allowed] : yesNo);
      this.inputs.set(name, input);
      return this.#field(name, input, means);
    }));
  }

  get options() {
    const given = [...this.inputs].filter(([, { value }]) => value !== "" && value !== usual);
    return Object.fromEntries(given.map(([name, { type, value }]) => [name, type === "number" ? Number(value) : { yes: true, no: false }[value] ?? value]));
  }

  async #create(event) {
    event.preventDefault();
    const clock = CLOCKS[this.clock.value];
    try {
      const joined = await this.app.ask({ t: "create", game: this.game.value, options: this.options, ...(this.seats.value && { seats: Number(this.seats.value) }),
        ...(clock !== undefined && { clock }), private: this.private.checked, watch: this.watch.checked, standin: this.standin.checked, hints: this.hints.checked,
        kinds: this.kinds.value, start: this.start.value, as: this.as.value });
      await this.app.go(`r/${joined.room}`);
    } catch (error) {
      this.wrong.textContent = words(error);
    }
  }
}
