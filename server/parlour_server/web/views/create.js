// The form for a new room: the game, its variant as cards, what most people change; all other settings under "more".

import { h, set, style } from "../core/dom.js";
import { known, say } from "../core/phrases.js";
import { game as parts, title } from "./games.js";
import { CLOCK, GAMES } from "./form_options.js";

/** @param {Protocol.Clock} clock */
const time = ({ bank, add }) => `${bank / 1000} s + ${add / 1000} s per move`;
const QUICK = { bank: 20_000, add: 5_000 }, SLOW = { bank: 300_000, add: 60_000 };
/** @type {Record<string, [words: string, clock?: Protocol.Clock | null]>} */
const CLOCKS = { usual: [`normal: ${time(CLOCK)}`], quick: [`quick: ${time(QUICK)}`, QUICK], slow: [`slow: ${time(SLOW)}`, SLOW], none: ["none", null] };
/** @type {Record<string, [words: string, pace?: number]>} */
const PACES = { usual: ["as usual here"], once: ["immediately", 0], brisk: ["briskly", 400], people: ["like people", 900] };
const KINDS = { any: "people and bots", humans: "people only", bots: "bots only" };
const START = { host: "when all players are ready, or the host starts it", full: "when all seats are taken" };
const AS = { player: "play", spectator: "watch" };
/** @type {Form} */
const NONE = { first: [], fields: {} };
/** @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");

/**
 * The phrase `key`, or other words if the game has none.
 * @param {string} key
 * @param {string} otherwise
 */
const words = (key, otherwise) => (known(key) ? say(key) : otherwise);

/** One setting: an input, its label, and what it means. */
class Field {
  /**
   * @param {string} name
   * @param {any} input
   * @param {{ label?: string, means?: string, unit?: string, scale?: number, when?: ((options: Plain) => boolean) | null }} more
   */
  constructor(name, input, { label = spaced(name), means = "", unit = "", scale = 1, when = null } = {}) {
    this.name = name;
    this.input = input;
    this.scale = scale;
    this.when = when;
    this.touched = false;
    input.id = `field-${name.replace(/\W/g, "-")}`;
    input.addEventListener("change", () => { this.touched = true; });
    const rest = [unit, means].filter(Boolean).join(". "), more = rest && h("span", { class: "dim", id: `${input.id}-means` }, rest);
    if (more) set(input, { "aria-describedby": more.id });
    this.el = h("div", { class: "field" }, input.matches("fieldset") ? null : h("label", { for: input.id }, label), input, more);
  }

  get value() {
    const { input, scale } = this;
    if (input.matches("fieldset")) return input.querySelector(":checked").value;
    if (input.type === "checkbox") return input.checked;
    if (input.type === "number") return input.value === "" ? null : Math.round(Number(input.value) * scale);
    return input.value;
  }

  set value(value) {
    const { input, scale } = this;
    if (input.matches("fieldset")) for (const radio of input.elements) radio.checked = radio.value === value;
    else if (input.type === "checkbox") input.checked = value;
    else input.value = input.type === "number" ? value / scale : value;
  }
}

/** @param {Record<string, string>} words */
const select = (words) => h("select", {}, ...Object.entries(words).map(([value, label]) => h("option", { value }, label)));
/** @param {boolean} on */
const box = (on) => h("input", { type: "checkbox", checked: on });

/**
 * A choice of cards, each with a name and a sentence.
 * @param {string} name
 * @param {string} key
 * @param {string[]} values
 */
function cards(name, key, values) {
  return h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, words(key, name)),
    ...values.map((value) => h("label", { class: "choice" }, h("input", { type: "radio", name, value }), h("b", {}, say(`${key}.${value}`)), h("span", {}, say(`${key}.${value}.means`)))));
}

export class View {
  title = "New room";
  /** @type {Map<string, Field>} The options of the chosen game. */
  options = new Map();
  chosen = "";

  /**
   * @param {App} app
   * @param {string} wanted
   */
  constructor(app, wanted) {
    this.app = app;
    const games = Object.keys(GAMES).filter((name) => app.session.can.includes(name));
    this.game = new Field("game", select(Object.fromEntries(games.map((name) => [name, title(name)]))), { label: "Game" });
    this.game.value = games.includes(wanted) ? wanted : games.includes("uno") ? "uno" : games[0];
    this.game.input.addEventListener("change", () => this.#game());
    this.seats = new Field("seats", h("input", { type: "number" }), { label: "Seats" });
    this.room = [new Field("private", box(false), { label: "Private", means: "Not listed, with a longer code." }), new Field("clock", select(Object.fromEntries(Object.entries(CLOCKS).map(([name, [words]]) => [name, words]))), { label: "Clock" }),
      new Field("kinds", select(KINDS), { label: "Players" }), new Field("watch", box(true), { label: "Others may watch" }), new Field("standin", box(true), { label: "Stand-ins", means: "A bot plays for a player who is away." }), new Field("pace", select(Object.fromEntries(Object.entries(PACES).map(([name, [words]]) => [name, words]))), { label: "Bots play" }),
      new Field("hints", box(true), { label: "Hints", means: "Programs may show legal moves and odds." }), new Field("start", select(START), { label: "Start" }), new Field("as", select(AS), { label: "You" })];
    this.variant = h("div");
    this.first = h("div", { class: "fields" });
    this.more = h("div", { class: "fields" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.form = h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => this.#create(event), onchange: () => this.#usual() }, this.game.el, this.variant, this.first,
      h("details", { class: "more" }, h("summary", {}, "More rules"), this.more), h("details", { class: "more" }, h("summary", {}, "Players and clock"), h("div", { class: "fields" }, ...this.room.map(({ el }) => el))),
      this.wrong, h("p", { class: "submit" }, h("button", { class: "main" }, "Create room")));
    this.el = h("section", { class: "sheet" }, h("h1", {}, "New room"), this.form);
    this.#game();
  }

  begin() {
    style("styles/forms.css");
    style("styles/home.css");
    this.app.context(" › new room");
  }

  /** Show the options of the chosen game. */
  async #game() {
    const name = this.game.value, { FORM } = (await parts(name).form?.()) ?? { FORM: NONE };
    if (this.game.value !== name) return;
    const offered = new Map(GAMES[name].options.map((option) => [option.name, option])), make = (/** @type {Option} */ option) => {
      const key = `${name}.option.${option.name}`, more = FORM.fields[option.name] ?? {}, explained = FORM.explained?.includes(option.name) ?? true;
      return new Field(option.name, this.#input(key, option, FORM), { label: words(key, spaced(option.name)), means: explained ? words(`${key}.means`, option.means) : "",
        unit: more.scale ? say("page.create.seconds") : "", ...more });
    };
    this.options = new Map([...offered].map(([field, option]) => [field, make(option)]));
    this.chosen = name;
    this.seats.touched = false;
    this.variant.replaceChildren(...(FORM.cards ? [this.#field(FORM.cards).el] : []));
    this.first.replaceChildren(this.seats.el, ...FORM.first.map((field) => this.#field(field).el));
    this.more.replaceChildren(...[...this.options].filter(([field]) => field !== FORM.cards && !FORM.first.includes(field)).map(([, { el }]) => el));
    this.#usual();
  }

  /**
   * @param {string} key
   * @param {Plain} option
   * @param {Plain} form
   */
  #input(key, { name, allowed, low, high, usual }, { cards: first, fields }) {
    if (name === first && allowed) return cards(name, key, allowed);
    if (typeof usual === "boolean") return box(usual);
    if (allowed) return select(Object.fromEntries(allowed.map((/** @type {any} */ value) => [value, words(`${key}.${value}`, spaced(String(value)))])));
    const { scale = 1 } = fields[name] ?? {};
    return h("input", typeof usual === "number" ? { type: "number", min: low / scale, max: high / scale, step: scale === 1 ? 1 : "any" } : { type: "text" });
  }

  /**
   * @param {string} name
   * @returns {Field}
   */
  #field(name) { return /** @type {Field} */ (this.options.get(name)); }

  /** Show the usual values of the settings that were not touched, and only the settings that apply. */
  #usual() {
    if (this.chosen !== this.game.value) return; // its options are on their way
    const { options, seats } = GAMES[this.chosen];
    /** @type {Plain} */
    const values = { seats };
    for (const option of options) values[option.name] = option.usual;
    for (const { name, then } of options) if (this.#field(name).touched) Object.assign(values, then?.[this.#field(name).value]);
    for (const [name, field] of this.options) {
      if (field.touched) values[name] = field.value;
      else field.value = values[name];
    }
    for (const field of this.options.values()) field.el.hidden = field.when !== null && !field.when(values);
    const [min, usual, max] = values.seats;
    set(this.seats.input, { min, max });
    if (!this.seats.touched || this.seats.value < min || this.seats.value > max) this.seats.value = usual;
    this.seats.el.hidden = min === max;
  }

  /** @param {SubmitEvent} event */
  async #create(event) {
    event.preventDefault();
    const { clock: named, pace: speed, ...room } = Object.fromEntries(this.room.map((field) => [field.name, field.value])), [, clock] = CLOCKS[named], [, pace] = PACES[speed];
    const options = Object.fromEntries([...this.options.values()].filter(({ touched, el, value }) => touched && !el.hidden && value !== null).map(({ name, value }) => [name, value]));
    try {
      const joined = await this.app.ask({ t: "create", game: this.game.value, options, seats: this.seats.value, ...(clock !== undefined && { clock }), ...(pace !== undefined && { pace }), ...room });
      await this.app.go(`r/${joined.room}`);
    } catch (error) {
      this.wrong.textContent = await this.app.explain(error);
      this.wrong.dataset.code = error.code;
    }
  }
}
